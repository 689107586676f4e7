// A deal that can be proved, as `rules/fair.py` has it: all cards follow from a secret that was promised, and from the
// numbers that the devices have brought.
import { sha256 } from '../../wire/sha256'
import { CHANCE, type Game } from './game'

/** What a seat has promised before the game, and the number that it then brought. */
export interface Pledge {
  promise: string | null
  number: string | null
}

/** The SHA-256 of what is promised. */
export const commitment = sha256

/** What all cards follow from, once the numbers are there. */
export function dealSeed(secret: string, numbers: readonly (string | null)[]): string {
  if (!numbers.some(Boolean)) return secret
  return commitment([secret, ...numbers.map((number) => number ?? '-')].join(' '))
}

/** A number below a bound for the card that comes after so many others. */
export function fairNumber(seed: string, drawn: number, bound: number): number {
  return Number(BigInt(`0x${sha256(`${seed} ${drawn}`)}`) % BigInt(bound))
}

/** Plays all chance that is due. */
export function dealt(game: Game, seed: string): { game: Game; chance: string[] } {
  const chance: string[] = []
  while (game.toMove === CHANCE) {
    const next = game.deal((drawn, stack) => fairNumber(seed, drawn, stack))
    chance.push(next.token)
    game = next.game
  }
  return { game, chance }
}

/** What proves the deal, as headers of the record. */
export function headersOf(secret: string, pledges: readonly Pledge[]): [string, string][] {
  const headers: [string, string][] = [
    ['Seed', secret],
    ['Commitment', commitment(secret)],
  ]
  if (pledges.some(({ promise }) => promise))
    headers.push(
      ['Promises', pledges.map(({ promise }) => promise ?? '-').join(', ')],
      ['Numbers', pledges.map(({ number }) => number ?? '-').join(', ')],
    )
  return headers
}
