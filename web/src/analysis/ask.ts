// The analyst comes with the first question: whoever asks none does not fetch it.
import type * as Analyst from './analyst'

/** Begins once its part of the analyst has come. Returns what stops it, or keeps it from beginning. */
export function asked<Loaded>(
  load: () => Promise<Loaded>,
  begin: (loaded: Loaded) => () => void,
  told: { failed(why: string): void },
): () => void {
  let stopped = false
  let stop = () => {}
  void load().then(
    (loaded) => {
      if (!stopped) stop = begin(loaded)
    },
    (error: unknown) => {
      if (!stopped) told.failed(String(error))
    },
  )
  return () => {
    stopped = true
    stop()
  }
}

const analyst = () => import('./analyst')

export const reviewGame: typeof Analyst.reviewGame = (record, seats, told, budget) =>
  asked(analyst, ({ reviewGame }) => reviewGame(record, seats, told, budget), told)

/** Of a game that still goes on: turns with what their own seat knew. */
export const reviewOwn = (
  turns: readonly (Omit<Analyst.Turn, 'view'> & { seen: Parameters<typeof Analyst.viewOf>[0] })[],
  told: Analyst.ReviewTold,
): (() => void) =>
  asked(
    analyst,
    ({ reviewTurns, viewOf }) =>
      reviewTurns(
        turns.map(({ seen, ...turn }) => ({ ...turn, view: viewOf(seen) })),
        told,
      ),
    told,
  )

export const askHint: typeof Analyst.askHint = (seen, told, budget) =>
  asked(analyst, ({ askHint }) => askHint(seen, told, budget), told)
