// In which order the turns of a game are reviewed, and by whom: as many at once as there are workers.
import type { Depth } from '../engine/analyst'
import type { ReviewTold, TurnReview } from './advice'
import type { Ask } from './messages'
import type { Turn } from './turns'

/** For the first picture: what a turn gave up to within some points. */
export const ROUGH: Depth = { budget: 100, samples: 24 }

/** A rough look at every turn, then full reviews, of those first that seem to have given up most. */
export async function reviewAll(
  turns: readonly Turn[],
  asks: readonly Promise<Ask>[],
  depth: Depth,
  told: Pick<ReviewTold, 'turn' | 'progress'>,
): Promise<void> {
  const rough = new Map<Turn, TurnReview>()
  told.progress(0, turns.length)
  await share(turns, asks, async (ask, turn) => {
    const { review } = await ask({ type: 'review', turn, final: false, ...ROUGH })
    rough.set(turn, review)
    told.turn(review)
  })
  const seems = (turn: Turn) => rough.get(turn)!.givenUp
  let done = 0
  await share(
    [...turns].sort((a, b) => seems(b) - seems(a)),
    asks,
    async (ask, turn) => {
      const { review } = await ask({ type: 'review', turn, final: true, ...depth })
      told.turn(review)
      told.progress(++done, turns.length)
    },
  )
}

/** Each takes the next one as soon as it is ready. */
async function share<Each>(
  all: readonly Each[],
  asks: readonly Promise<Ask>[],
  one: (ask: Ask, each: Each) => Promise<void>,
): Promise<void> {
  const left = [...all]
  await Promise.all(
    asks.map(async (asked) => {
      const ask = await asked
      for (let next = left.shift(); next !== undefined; next = left.shift()) await one(ask, next)
    }),
  )
}
