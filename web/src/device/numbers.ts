// The numbers that this device brings to deals, so that no server can choose the cards. It promises each by its SHA-256
// before a game, and shows it once all promises are fixed. Until then nobody else may know it.
import { randomHex } from '../net/random'
import { sha256 } from '../wire/sha256'
import { save, saved, drop } from './storage'

interface Own {
  number: string
  /** The game whose deal it was brought to, once the server has it. */
  game?: number
}

/** As many as are kept for a table: those of its last games, to prove their deals. */
const MOST = 20

const place = (code: string) => `baghdad-numbers-${code}`
const own = (code: string) => saved<readonly Own[]>(place(code), [])

/** 256 bits that nobody can guess. */
export function newNumber(): string {
  return randomHex(32)
}

/** Keeps numbers over a reload. */
export function keepNumbers(code: string, ...numbers: readonly string[]): void {
  const known = own(code)
  const added = numbers.filter((number) => !known.some((each) => each.number === number))
  if (added.length) save(place(code), [...known, ...added.map((number) => ({ number }))].slice(-MOST))
}

/** Makes a number for a deal at a table; returns its promise. */
export function promiseFor(code: string): string {
  const number = newNumber()
  keepNumbers(code, number)
  return sha256(number)
}

/** The number that was promised so, where this device has it. */
export function promisedNumber(code: string, promise: string): string | undefined {
  return own(code).find(({ number }) => sha256(number) === promise)?.number
}

/** Notes that the server has taken a number. */
export function noteBrought(code: string, brought: string, game: number): void {
  save(
    place(code),
    own(code).map((each) => (each.number === brought ? { ...each, game } : each)),
  )
}

/** The number that this device has brought to the deal of a game. */
export function broughtTo(code: string, game: number): string | undefined {
  return own(code).find((each) => each.game === game)?.number
}

/** Those that are still to be brought. */
export function pendingNumbers(code: string): readonly string[] {
  return own(code).flatMap(({ number, game }) => (game === undefined ? [number] : []))
}

export function forgetNumbers(code: string): void {
  drop(place(code))
}

/** A number that only the same key, at the same place, opens again: on its way through the server nobody reads it. */
export function sealed(number: string, key: string, code: string, at: number): string {
  const pad = sha256(`${key} ${code} ${at}`)
  return Array.from(number, (digit, n) => (parseInt(digit, 16) ^ parseInt(pad[n]!, 16)).toString(16)).join('')
}
