// Chance and time, as the browser has them.
import { HERE } from '../wire/here'
import type { Chance } from './host'

/** As in codes of servers: no vowels, and nothing that is mistaken for another letter. */
const LETTERS = '23456789BCDFGHJKMNPQRSTVWXZ'
/** Enough for one device. */
const LENGTH = 6

/** A fair number below a bound. */
function pick(bound: number): number {
  const fair = Math.floor(2 ** 32 / bound) * bound
  for (;;) {
    const number = crypto.getRandomValues(new Uint32Array(1))[0]!
    if (number < fair) return number % bound
  }
}

const hex = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

export const chance: Chance = {
  newSeed: () => hex(crypto.getRandomValues(new Uint8Array(32))),
  newCode: () => HERE + Array.from({ length: LENGTH }, () => LETTERS[pick(LETTERS.length)]).join(''),
  pick,
  now: () => Date.now(),
}
