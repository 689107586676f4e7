// How likely every seat is to win, moment by moment of a finished game, and what of its result was luck.
import { asked } from './ask'
import type * as Counters from './counters'

export type * from './moments'

/** Looks through a finished game, in a worker. Returns what stops it. */
export const chancesOfGame: typeof Counters.chancesOfGame = (record, told) =>
  asked(
    () => import('./counters'),
    (counters) => counters.chancesOfGame(record, told),
    told,
  )
