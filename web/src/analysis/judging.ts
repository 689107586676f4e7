// A turn judged and a hint found, as `baghdad.analysis.reviewing` and `.hints` do.
import { type Analyst, type Depth, knownBy, LONGEST_TURN, type Reason, type Robbery } from '../engine/analyst'
import { ACTIONS } from '../wire/actions'
import { PALACE_LETTERS } from '../wire/messages'
import type { Hint, TurnReview, Reason as Told } from './advice'
import type { Turn } from './turns'

/** As on the command line: another one would judge by other deals. */
const REVIEW_SEED = 'review'
const HINT_SEED = 'hint'
/** A mark after which nothing is to be explained. */
const AS_GOOD = ['best', 'unclear']

/** Judges one turn; `final`: with reasons. */
export function reviewed(analyst: Analyst, turn: Turn, depth: Depth, final: boolean): TurnReview {
  const { view, actions, at, number, seat } = turn
  const stream = `${REVIEW_SEED} ${knownBy(view)}`
  // One that is longer than any that could be tried beside it is not judged.
  const found = actions.length <= LONGEST_TURN ? analyst.judge(view, actions, stream, depth) : null
  const better = found?.better ?? false
  const best = better ? found!.rival : actions
  const explained = final && found && !AS_GOOD.includes(found.mark)
  const reasons = explained ? analyst.explain(view, best, actions, `${stream} why`) : []
  const { gain, askedChance, rivalChance } = found ?? { gain: NOTHING, askedChance: NOTHING, rivalChance: NOTHING }
  return {
    at,
    number,
    seat,
    played: tokensOf(actions),
    best: tokensOf(best),
    playedRobs: robsOf(analyst.robberies(view, actions)),
    bestRobs: robsOf(analyst.robberies(view, best)),
    givenUp: Math.max(gain.mean, 0),
    low: Math.max(gain.low, 0),
    high: Math.max(gain.high, 0),
    mark: found?.mark ?? 'unclear',
    real: found?.real ?? false,
    chance: askedChance.mean,
    bestChance: (better ? rivalChance : askedChance).mean,
    candidates: found?.candidates ?? 1,
    deals: found?.deals ?? 0,
    reasons: reasons.map(toldOf),
    final,
  }
}

const NOTHING = { mean: 0, low: 0, high: 0 }

/** The best turn for the seat whose turn it is. */
export function hinted(analyst: Analyst, view: Uint8Array, depth: Depth): Hint {
  const stream = `${HINT_SEED} ${knownBy(view)}`
  const found = analyst.judge(view, [], stream, depth)
  // In fresh deals the second best may be ahead.
  const [best, chance] = found.better ? [found.rival, found.rivalChance] : [found.asked, found.askedChance]
  const { mean, low, high } = found.gain
  const nudge = analyst.nudge(view, best)
  const reasons = analyst.explain(view, best, [], `${stream} why`)
  return {
    nudge,
    turn: tokensOf(best),
    robs: robsOf(analyst.robberies(view, best)),
    chance: chance.mean,
    low: Math.max(chance.low, 0),
    high: Math.min(chance.high, 1),
    ahead: Math.abs(mean),
    aheadLow: found.better ? low : -high,
    aheadHigh: found.better ? high : -low,
    reasons: reasons.map(toldOf),
  }
}

const tokensOf = (actions: readonly number[]) => actions.map((action) => ACTIONS[action]!.token)

const robsOf = (robs: readonly Robbery[]) => robs.map((rob) => (rob ? `${PALACE_LETTERS[rob[0]]}${rob[1]}` : ''))

function toldOf({ palace, seat, margin, loses, ...fact }: Reason): Told {
  return { fact: { ...fact, palace: palace === null ? '' : PALACE_LETTERS[palace]!, seat: seat ?? -1 }, margin, loses }
}
