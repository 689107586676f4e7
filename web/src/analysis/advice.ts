// What the analyst tells: reviews of turns, and hints.
import type { FactKind, Mark, Nudge } from '../engine/analyst'

/** Something that is so in a position. */
export interface Fact {
  kind: FactKind
  /** Its letter, where it is about one; else empty. */
  palace: string
  /** Of a rival, from 0, where it is about one; else -1. */
  seat: number
  /** Thieves that are missing, cards that can still come, or cards in the hand. */
  n: number
  /** On the chest. */
  number: number
}

/** A fact on which an advice hangs. */
export interface Reason {
  fact: Fact
  /** Points by which the better turn is ahead. */
  margin: number
  /** Points of that which are gone without the fact. */
  loses: number
}

/** A turn, and what would have been better. Points are hundredths of the chance to win. */
export interface TurnReview {
  /** Tokens of the record before it. */
  at: number
  /** By which the table counts: turns of all seats, from 1; 0 while guards are placed. */
  number: number
  seat: number
  /** Tokens, the end of the turn included. */
  played: string[]
  /** The best turn that was found; the played one where nothing is known to be better. */
  best: string[]
  /** By action: the palace that it robs and the number on the chest, such as `R4`, or nothing. */
  playedRobs: string[]
  bestRobs: string[]
  /** Points that the played turn gave up, as far as is known; never under 0. */
  givenUp: number
  /** The bounds in which this lies 19 times in 20. */
  low: number
  high: number
  mark: Mark
  /** Whether there was a choice: turns whose ends lie more than two points apart. */
  real: boolean
  /** To win, after the played turn. */
  chance: number
  /** After the best one. */
  bestChance: number
  /** Turns with different ends that were tried. */
  candidates: number
  /** In which the last two have met. */
  deals: number
  reasons: Reason[]
  /** Whether this is the whole review; before it comes a rough look, without reasons. */
  final: boolean
}

export interface ReviewTold {
  /** A turn was looked at, roughly or in full. */
  turn(review: TurnReview): void
  /** How many turns have their full review, of how many. */
  progress(done: number, all: number): void
  done(): void
  /** In words for programmers; people are told that it can't be had. */
  failed(why: string): void
}

/** The best turn that was found, to be told step by step. */
export interface Hint {
  /** A kind of thing to look for; it does not give the turn away. */
  nudge: Nudge
  /** Tokens: the whole turn, or what is left of it; the second step is its first action. */
  turn: string[]
  /** By action: what it robs, as in a review. */
  robs: string[]
  /** To win after it. */
  chance: number
  low: number
  high: number
  /** Points by which it is ahead of the next best turn. */
  ahead: number
  aheadLow: number
  aheadHigh: number
  /** Why it is better than to do no more. */
  reasons: Reason[]
}

export interface HintTold {
  hint(hint: Hint): void
  failed(why: string): void
}
