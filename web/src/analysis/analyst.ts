// The analyst: finished turns judged by what their seat could know, and hints, on this device. As `baghdad.analysis`.
import { viewOf } from '../local/play/module'
import type { Position } from '../wire/attempt'
import type { HintTold, ReviewTold } from './advice'
import type { Ask } from './messages'
import { reviewAll } from './reviewing'
import { Thinkers } from './thinkers'
import type { Turn } from './turns'

export type { Turn } from './turns'
export { viewOf } from '../local/play/module'

export type { FactKind, Mark, Nudge } from '../engine/analyst'
export type * from './advice'
export { MARKS, THRESHOLDS } from '../engine/exports'

/** Simulations for a turn, at most. */
export const REVIEW_BUDGET = 2000
export const HINT_BUDGET = 2000
/** More would be more memory than it is worth. */
const MOST_WORKERS = 4

/**
 * Reviews all turns of these seats of a finished game, in workers: first a rough look at every turn, then full
 * reviews, those that seem to have given up most first. `record`: the text of a game record. Returns what stops it.
 */
export function reviewGame(
  record: string,
  seats: readonly number[],
  told: ReviewTold,
  budget = REVIEW_BUDGET,
): () => void {
  return reviewing(async (ask) => (await ask({ type: 'turns', record, seats })).turns, told, budget)
}

/** Reviews turns of which only their own seat's knowledge is known: of a game that still goes on. */
export function reviewTurns(turns: readonly Turn[], told: ReviewTold, budget = REVIEW_BUDGET): () => void {
  return reviewing(() => Promise.resolve(turns), told, budget)
}

function reviewing(find: (ask: Ask) => Promise<readonly Turn[]>, told: ReviewTold, budget: number): () => void {
  const thinkers = new Thinkers()
  const asks = Array.from({ length: workers() }, () => thinkers.begin())
  // One that fails is told of once, by whoever asks it.
  for (const ask of asks) ask.catch(() => {})
  return working(thinkers, told, async () => {
    await reviewAll(await find(await asks[0]!), asks, { budget }, told)
    told.done()
  })
}

/** A hint for the seat whose turn it is, by what it knows. Returns what stops the search. */
export function askHint(seen: Position, told: HintTold, budget = HINT_BUDGET): () => void {
  const thinkers = new Thinkers()
  return working(thinkers, told, async () => {
    const ask = await thinkers.begin()
    const { hint } = await ask({ type: 'hint', view: viewOf(seen), budget })
    told.hint(hint)
  })
}

/** Does some work, and ends the workers after it, or before. */
function working(thinkers: Thinkers, told: { failed(why: string): void }, work: () => Promise<void>): () => void {
  const failed = (error: unknown) => {
    if (!thinkers.stopped) told.failed(String(error))
  }
  void work()
    .catch(failed)
    .finally(() => thinkers.stop())
  return () => thinkers.stop()
}

/** One core is for the page itself. */
const workers = () => Math.max(1, Math.min(MOST_WORKERS, (navigator.hardwareConcurrency || 2) - 1))
