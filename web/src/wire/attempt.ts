// A turn that is tried out at a position that is no table: only the page and its own worker speak of it.
import type { Own, Shown, Step } from './messages'

export type { Step } from './messages'

/** What a seat knows when its turn begins: what all see, and its own cards by kind. */
export interface Position {
  shown: Shown
  seat: number
  hand: readonly number[]
}

/** What has become of it. */
export interface Attempted {
  tokens: readonly string[]
  /** A step for each of them. */
  steps: readonly Step[]
  shown: Shown
  own: Own
  /** The turn is over. */
  over: boolean
  /** Which of the turns that were given leads to the same position; -1 for none, and before the end. */
  same: number
}
