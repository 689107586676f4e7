// What the page and a worker of the analyst say to each other: one question at a time, and its answer.
import type { Depth } from '../engine/analyst'
import type { Networks } from '../engine/oracle'
import type { Hint, TurnReview } from './advice'
import type { Ledger, Moment } from './moments'
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

/** What a worker is told that looks through a game. */
export interface ToCounter {
  engine: ArrayBuffer
  networks: Networks
  record: string
}

/** What it tells, one after another, until it is done or has failed. */
export type FromCounter =
  | { type: 'moments'; moments: readonly Moment[] }
  | { type: 'progress'; done: number; all: number }
  | { type: 'ledger'; ledger: Ledger }
  | { type: 'done' }
  | { type: 'failed'; why: string }
