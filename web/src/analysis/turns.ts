// The turns of a game, each with what its seat knew when it began. As `baghdad.analysis.turns`.
import { cardsOf, Game, isChance } from '../local/play/game'
import type { Rules } from '../local/play/rules'
import { ACTION_OF } from '../local/play/tokens'

/** A whole turn that was played, or a guard that was placed. */
export interface Turn {
  /** Tokens of the record before it. */
  at: number
  /** By which the table counts: turns of all seats, from 1; 0 while guards are placed. */
  number: number
  seat: number
  /** What the seat knew. */
  view: Uint8Array
  /** With its end, unless it has won the game. */
  actions: number[]
}

/** All whole turns of these seats, each up to where its player gave up: a bot may have played it on (R28). */
export function turnsOf(rules: Rules, game: Game, seats: readonly number[]): Turn[] {
  const turns: Turn[] = []
  let again = Game.begin(rules, game.options)
  let begun: Turn | null = null
  for (const [at, token] of game.tokens.entries()) {
    const { toMove: seat, placing } = again
    if (begun && at >= leftAt(game, begun.seat)) begun = null
    if (seat !== null && seats.includes(seat) && at < leftAt(game, seat)) {
      begun ??= { at, number: placing ? 0 : again.turns + 1, seat, view: again.view(seat), actions: [] }
      begun.actions.push(ACTION_OF.get(token)!)
    }
    again = isChance(token) ? again.draw(cardsOf(token)) : again.play(token)
    // Cards come next, or another seat has its turn, unless the game is over.
    if (begun && (placing || again.toMove !== begun.seat)) {
      turns.push(begun)
      begun = null
    }
  }
  return turns
}

/** Tokens after which a seat's player has given up. */
const leftAt = (game: Game, seat: number) => game.resigned.get(seat) ?? Infinity
