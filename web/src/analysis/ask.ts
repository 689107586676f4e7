// The analyst comes with the first question: whoever asks none does not fetch it.
import type * as Analyst from './analyst'

function asked(begin: (analyst: typeof Analyst) => () => void, told: { failed(why: string): void }): () => void {
  let stopped = false
  let stop = () => {}
  void import('./analyst').then(
    (analyst) => {
      if (!stopped) stop = begin(analyst)
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

export const reviewGame: typeof Analyst.reviewGame = (record, seats, told, budget) =>
  asked((analyst) => analyst.reviewGame(record, seats, told, budget), told)

export const askHint: typeof Analyst.askHint = (seen, told, budget) =>
  asked((analyst) => analyst.askHint(seen, told, budget), told)
