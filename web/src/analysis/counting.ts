// A finished game moment by moment, and its ledger of luck, as `baghdad.analysis.moments` and `.ledgers` have them.
import { DECIDED, DRAWN, ENDED } from '../engine/exports'
import type { Oracle } from '../engine/oracle'
import { cardsOf, type Game, isChance } from '../local/play/game'
import type { Rules, State } from '../local/play/rules'
import { ACTION_OF } from '../local/play/tokens'
import type { ChancesTold, Ledger, Moment } from './moments'

/** Moments that are told together. */
const TOGETHER = 32
const NOBODY_ALONE = -1

/** A game taken apart. One that no move has ended has one more position: an end after the last. */
interface Told {
  tokens: number
  /** By moment. */
  states: State[]
  /** By token, and of an end without a move. */
  kinds: number[]
  seats: number[]
}

/** Tells the chances of all moments, then the ledger. */
export function count(rules: Rules, oracle: Oracle, game: Game, to: Required<Omit<ChancesTold, 'failed'>>): void {
  const told = takenApart(rules, game)
  const values: number[][] = []
  let moments: Moment[] = []
  for (const [at, state] of told.states.entries()) {
    const { open, eyes } = oracle.lookAt(state)
    values.push(open)
    // Of a game that no move has ended the end comes in place of the moment before.
    if (at === told.tokens && told.states.length > at + 1) continue
    moments.push({ at: Math.min(at, told.tokens), open, eyes })
    if (moments.length < TOGETHER && at < told.states.length - 1) continue
    to.moments(moments)
    moments = []
  }
  const draws = told.kinds.flatMap((kind, at) => (kind === DRAWN ? [at] : []))
  for (const [done, at] of draws.entries()) {
    to.progress(done, draws.length)
    const { before, after } = oracle.draw(told.states[at]!, told.states[at + 1]!)
    if (told.kinds[at - 1] === DRAWN)
      // Of hands that are dealt one after another the next goes on from where the last has led.
      values[at + 1] = values[at]!.map((value, seat) => value + after[seat]! - before[seat]!)
    else [values[at], values[at + 1]] = [before, after]
  }
  to.progress(draws.length, draws.length)
  to.ledger(ledgerOf(oracle, told, values))
  to.done()
}

function takenApart(rules: Rules, game: Game): Told {
  let state = rules.begin(game.options)
  const states = [state]
  const [kinds, seats]: [number[], number[]] = [[], []]
  for (const token of game.tokens) {
    const chance = isChance(token)
    kinds.push(chance ? DRAWN : DECIDED)
    seats.push(rules.shown(state).seat)
    state = chance ? rules.draw(state, cardsOf(token))! : rules.play(state, ACTION_OF.get(token)!)
    states.push(state)
  }
  if (game.termination !== null) {
    kinds.push(ENDED)
    seats.push(whoEnded(game))
    states.push(rules.end(state, game.winner))
  }
  return { tokens: game.tokens.length, states, kinds, seats }
}

/** Who gave up last and so ended the game. */
function whoEnded({ termination, resigned }: Game): number {
  if (termination !== 'resigned') return NOBODY_ALONE
  const [seat] = [...resigned].sort(([one, at], [other, then]) => then - at || other - one)[0]!
  return seat
}

function ledgerOf(oracle: Oracle, { tokens, kinds, seats }: Told, values: readonly (readonly number[])[]): Ledger {
  const steps = oracle.steps(values, kinds, seats)
  return {
    start: values[0]!,
    draws: steps.filter(({ kind }) => kind === DRAWN).map(({ at, seat, worth }) => ({ at, seat, worth })),
    turns: steps
      .filter(({ kind }) => kind !== DRAWN)
      .map(({ at, until, seat, worth }) => ({ at, until: Math.min(until, tokens), seat, worth })),
    result: values.at(-1)!,
  }
}
