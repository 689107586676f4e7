// What the page and the worker say to each other.
import type { Question, Reply } from './bots'
import type { CommandMessage, ToClient } from '../wire/messages'
import type { Catalogue } from './words'

export type ToWorker =
  | { type: 'rules'; bytes: ArrayBuffer }
  | { type: 'words'; language: string; catalogue: Catalogue }
  | { type: 'ask'; id: number; path: string; body: unknown; language: string }
  | { type: 'open'; socket: number; code: string; as: number | null; after: number | null; language: string }
  | { type: 'say'; socket: number; message: CommandMessage }
  | { type: 'close'; socket: number }
  | { type: 'thought'; id: number; reply: Reply }

export type FromWorker =
  | { type: 'answer'; id: number; status: number; body: unknown }
  /** Nothing can be played here. */
  | { type: 'failed' }
  | { type: 'opened'; socket: number }
  | { type: 'told'; socket: number; message: ToClient }
  | { type: 'closed'; socket: number; code: number }
  /** A bot is to think; the page knows where. */
  | { type: 'think'; id: number; question: Question }
  /** Whether what is kept here is there after the page is closed. */
  | { type: 'lasting'; lasting: boolean }
