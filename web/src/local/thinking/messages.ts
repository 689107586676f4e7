// What the page and the worker in which bots think say to each other.
import type { Question, Reply } from '../bots'

export type ToThinker =
  | { type: 'engine'; bytes: ArrayBuffer }
  | { type: 'network'; bytes: ArrayBuffer }
  | ({ type: 'think'; seconds: number } & Question)

export type FromThinker =
  /** It has taken in what it was given. */
  | { type: 'ready' }
  | { type: 'thought'; reply: Reply }
  /** The next one begins in a worker of its own. */
  | { type: 'failed'; why: string }
