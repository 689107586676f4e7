// What the page and a worker of the analyst say to each other: one question at a time, and its answer.
import type { Depth } from '../engine/analyst'
import type { Hint, TurnReview } from './advice'
import type { Turn } from './turns'

export type ToAnalyst =
  | { type: 'begin'; engine: ArrayBuffer; network: ArrayBuffer }
  | { type: 'turns'; record: string; seats: readonly number[] }
  | ({ type: 'review'; turn: Turn; final: boolean } & Depth)
  | ({ type: 'hint'; view: Uint8Array } & Depth)

export type FromAnalyst =
  | { type: 'begin' }
  | { type: 'turns'; turns: Turn[] }
  | { type: 'review'; review: TurnReview }
  | { type: 'hint'; hint: Hint }
  | { type: 'failed'; why: string }

/** Asks one worker; rejects where it fails. */
export type Ask = <Question extends ToAnalyst>(question: Question) => Promise<AnswerTo<Question>>

export type AnswerTo<Question extends ToAnalyst> = Extract<FromAnalyst, { type: Question['type'] }>
