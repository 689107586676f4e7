// One turn of a position that is no table: tried out, taken back, compared with another. Nothing of it is kept.
import type { Attempted, Position, Step } from '../wire/attempt'
import { Game } from './play/game'
import type { Options, Rules } from './play/rules'
import { ACTION_OF, spelled } from './play/tokens'
import { stepOf } from './replay'

/** What has been played, and then what somebody wants to play: an action's number, or what was typed. */
export interface Attempt {
  position: Position
  tokens: readonly string[]
  wanted?: number | string | null
  /** A turn that this one is to be compared with, once it is over. */
  answers?: readonly (readonly string[])[]
}

/** Throws a `MoveError` where something can't be played. */
export function attempted(rules: Rules, { position, tokens, wanted = null, answers = [] }: Attempt): Attempted {
  const { seat } = position
  const begin = (): Game => Game.at(rules, optionsOf(position), rules.fill(position))
  let game = begin()
  const played: string[] = []
  const steps: Step[] = []
  const all: readonly (number | string)[] = wanted === null ? tokens : [...tokens, wanted]
  for (const each of all) {
    const before = game
    game = game.play(typeof each === 'string' ? (ACTION_OF.get(spelled(each)) ?? each) : each, seat)
    const token = game.tokens.at(-1)!
    played.push(token)
    steps.push(stepOf(before, game, token, seat))
  }
  const over = game.toMove !== seat
  return {
    tokens: played,
    steps,
    shown: game.shown,
    over,
    own: { seat, hand: game.hand(seat), legal: over ? [] : game.legal, undo: played.length > 0 && !over },
    same: over ? answers.findIndex((answer) => endOf(begin(), answer, seat) === game.state.join()) : -1,
  }
}

/** The position that a turn leads to. */
function endOf(game: Game, tokens: readonly string[], seat: number): string {
  for (const token of tokens) game = game.play(token, seat)
  return game.state.join()
}

/** What was agreed on, as far as it decides what may be played. */
function optionsOf({ shown }: Position): Options {
  return {
    players: shown.players,
    variant: shown.variant ? 'neutral' : 'standard',
    rob: shown.rob ? 'smuggle' : 'arrival',
    hands: shown.seen ? 'seen' : 'hidden',
    spare: shown.spare ? 'chosen' : 'stack',
    deal: shown.first_hands.slice(0, shown.players),
    rulebook: null,
  }
}
