// Plain HTTP: what is asked once. All that goes on at a table comes over the connection.
import { spoken } from '../i18n/say.svelte'
import type { Attempted, Position } from '../wire/attempt'
import { isHere } from '../wire/here'
import type {
  Answer,
  AnyCommand,
  Lobby,
  NewTable,
  Page,
  PlayedGames,
  Problem,
  Proof,
  Reach,
  Replay,
  Snapshot,
  Summary,
  Welcome,
} from '../wire/messages'
import { here, isAboutHere } from './here'
import { requested } from './server.svelte'

/** Why the server said no, in the reader's language. */
export class RefusedError extends Error {
  constructor(
    readonly problem: Problem,
    readonly status: number,
  ) {
    super(problem.reason)
  }
}

/** Asks the server; about a table on this device, what answers in a server's place. */
export async function ask<T>(path: string, body?: unknown): Promise<T> {
  if (isAboutHere(path)) return askHere<T>(path, body)
  const address = `/api/${path}${path.includes('?') ? '&' : '?'}lang=${spoken()}`
  const response = await requested(
    address,
    body === undefined
      ? {}
      : { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) },
  )
  const answer: unknown = await response.json()
  if (!response.ok) throw new RefusedError(answer as Problem, response.status)
  return answer as T
}

/** The same request, answered on this device. */
async function askHere<T>(path: string, body?: unknown): Promise<T> {
  const answer = await (await here()).ask(path, body, spoken())
  if (answer.status >= 400 && (answer.body as Partial<Answer>).type !== 'answer')
    throw new RefusedError(answer.body as Problem, answer.status)
  return answer.body as T
}

/** Asks the server, or where none can be reached, what is on this device: for what needs no table. */
async function askAnybody<T>(path: string, body: unknown): Promise<T> {
  try {
    return await ask<T>(path, body)
  } catch (error) {
    if (error instanceof RefusedError) throw error
    return askHere<T>(path, body)
  }
}

/** Where a table is: at the server, on this device, or on this device where no server can be reached. */
export type Where = 'server' | 'here' | 'anywhere'
const WAYS = { server: ask, here: askHere, anywhere: askAnybody }

export const createTable = (request: NewTable, where: Where) => WAYS[where]<Welcome>('tables', request)
export const joinTable = (code: string, name: string, promise: string) =>
  ask<Welcome>(`tables/${code}/join`, { name, promise })
export const lobby = () => ask<Lobby>('tables')
export const look = (code: string) => ask<Snapshot>(`tables/${code}`)
export const reachOfServer = () => ask<Reach>('server')
export const summaryOf = (code: string) => ask<Summary>(`tables/${code}/summary`)
/** `number`: what this device has brought to the deal; it must count. */
export const prove = (record: string, number?: string) =>
  askAnybody<Proof>('verify', { record, number: number ?? null })

export const replayOf = (record: string) => askAnybody<Replay>('replay', { record })
/** The same, always on this device: for what is asked often. */
export const replayHere = (record: string) => askHere<Replay>('replay', { record })
/** A turn that is tried out on this device: what has come of it. */
export const attempt = (body: {
  position: Position
  tokens: readonly string[]
  wanted?: number | string | null
  answers?: readonly (readonly string[])[]
}) => askHere<Attempted>('attempt', body)
/** A finished game of a table, or its latest. */
export const replayOfTable = (code: string, number?: number) => ask<Replay>(`tables/${code}/${placeOf(number)}replay`)
export const games = (code: string) => ask<PlayedGames>(`tables/${code}/games`)

/** A game on this device as it stands, to be taken along; it holds all cards. */
export const savedGame = (code: string) => askHere<string>(`tables/${code}/saved`)
/** A game that somebody brings: the code of the table on this device where it goes on. */
export const bring = (record: string, guests: readonly string[]) => askHere<string>('brought', { record, guests })

/** Forgets a table on this device for good. */
export const erase = (code: string) => askHere<null>(`tables/${code}/forget`, {})

/** A command by itself, before there is a connection. */
export function sendOnce(code: string, version: number, command: AnyCommand): Promise<Answer> {
  return ask<Answer>(`tables/${code}/commands`, { id: `once-${version}`, version, wish: command })
}

/** Somebody on this device says whether puzzles may be made of a finished game. */
export async function lend(code: string, person: number, game: number, yes: boolean): Promise<void> {
  const id = `lend-${person}-${game}-${Date.now()}`
  await ask<Answer>(`tables/${code}/commands`, { id, version: 0, person, wish: { type: 'lend', game, yes } })
}

/** All events of a table after a number, with their positions, as one person sees them. */
export async function* history(code: string, after: number, person: number | null): AsyncGenerator<Page> {
  for (;;) {
    const as = person === null ? '' : `&as=${person}`
    const page = await ask<Page>(`tables/${code}/events?whole=true&after=${after}${as}`)
    yield page
    const last = page.events.at(-1)
    if (!page.more || !last) return
    after = last.number
  }
}

function placeOf(number?: number): string {
  return number === undefined ? '' : `games/${number}/`
}

export async function record(code: string, number?: number): Promise<string> {
  if (isHere(code)) return askHere<string>(`tables/${code}/${placeOf(number)}record`)
  const response = await requested(`/api/tables/${code}/${placeOf(number)}record?lang=${spoken()}`)
  if (!response.ok) throw new RefusedError((await response.json()) as Problem, response.status)
  return response.text()
}
