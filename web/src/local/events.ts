// What has happened at a table on this device, in the form in which the server stores it: `server/domain/events.py`.
import type { Agreement, NewChair } from '../wire/messages'

export interface Person {
  number: number
  name: string
}

export interface Seating {
  kind: NonNullable<NewChair['kind']>
  colour: number
  person: number | null
  level: string | null
}

type Start = NonNullable<Agreement['start']>

export type Event =
  | {
      kind: 'created'
      agreement: Agreement
      chairs: readonly Seating[]
      people: readonly Person[]
      seed: string
      lesson: boolean
      promise: string | null
      /** The record that it came from does not tell its secret: its cards can't be proved. */
      unproved?: boolean
    }
  | { kind: 'sat'; person: number; chair: number; colour: number; promise: string | null }
  | { kind: 'left'; person: number }
  | { kind: 'arranged'; chair: number; to: 'open' | 'closed' | 'bot'; level: string | null }
  | { kind: 'start_chosen'; start: Start }
  | {
      kind: 'started'
      order: readonly number[]
      chance: readonly string[]
      promises: readonly (string | null)[]
    }
  | { kind: 'brought'; seat: number; number: string; chance: readonly string[] }
  | { kind: 'left_out'; seats: readonly number[]; chance: readonly string[] }
  | { kind: 'moved'; seat: number; action: number; chance: readonly string[]; instead: boolean }
  | { kind: 'undone'; seat: number }
  | { kind: 'stood_in'; seat: number; level: string }
  | { kind: 'returned'; seat: number }
  | { kind: 'resigned'; person: number; seat: number }
  | { kind: 'end_proposed'; person: number }
  | { kind: 'end_answered'; yes: boolean; person: number | null; seat: number | null }
  | { kind: 'ended'; how: 'abandoned' | 'agreed' | 'turn limit' }
  | { kind: 'offered'; person: number; promise: string | null }
  | { kind: 'declined'; person: number }
  | { kind: 'rematched'; seed: string; without: readonly number[]; promise: readonly [number, string] | null }

export type EventOf<Kind extends Event['kind']> = Extract<Event, { kind: Kind }>

/** An event in its place at the table. */
export interface StoredEvent {
  /** From 1, without gaps. */
  number: number
  /** Milliseconds. */
  at: number
  event: Event
  /** Of its command: unique at a table, so that a command that is sent again is found. */
  command: string
}

/** Events that leave game and chairs as they are, unless they end the game. */
const SIDE: readonly Event['kind'][] = ['offered', 'declined', 'end_proposed', 'end_answered']

/** Whether somebody who does not know of an event could want something else after it. */
export function outdatesCommands(event: Event): boolean {
  const waitsOn = (event.kind === 'brought' || event.kind === 'left_out') && !event.chance.length
  return !waitsOn && !SIDE.includes(event.kind)
}
