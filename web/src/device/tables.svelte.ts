// The tables that this device has a seat at, and the ways to get one.
import { say } from '../i18n/say.svelte'
import { createTable, joinTable, sendOnce, type Where } from '../net/api'
import type { NewTable, Summary } from '../wire/messages'
import { forgetNumbers, keepNumbers, newNumber, promiseFor } from './numbers'
import { go } from './router.svelte'
import { choose, settings } from './settings.svelte'
import { sha256 } from '../wire/sha256'
import { save, saved } from './storage'

const PLACE = 'baghdad-tables'
/** Set by the first game of all: whoever has played once is no newcomer, even with an empty list. */
const PLAYED = 'baghdad-played'

/** How a table is looked at: as a player, with a guide, as the screen that all see, as a hand on a phone. */
export type View = 'table' | 'learn' | 'screen' | 'hand'

/** Where a game has left another one. */
export interface Branch {
  /** What the other game is known by. */
  of: string
  /** What its player calls it. */
  name: string
  /** Tokens of the other game before it. */
  at: number
}

export interface MyGame {
  code: string
  view?: View
  /** When it was last opened. */
  at: number
  /** What was last known of it, so that the list is there at once, and without a network. */
  summary?: Summary
  /** The server knows no such table any more. */
  gone?: boolean
  /** Its result does not say how strong anybody is: it began in the middle of a game, or hints were given. */
  uncounted?: boolean
  /** It has left another game, to try something else from there. */
  branch?: Branch
  /** Kept by earlier versions of the page in place of a summary: with whom, and whether it is over. */
  with?: string
  over?: boolean
}

export function addressOf(code: string, view: View = 'table'): string {
  if (view === 'learn') return `/learn/${code}`
  return view === 'table' ? `/t/${code}` : `/t/${code}/${view}`
}

let mine = $state.raw<readonly MyGame[]>(saved<MyGame[]>(PLACE, []))
let played = $state(saved(PLAYED, false))

addEventListener('storage', (event) => {
  if (event.key === PLACE || event.key === null) mine = saved<MyGame[]>(PLACE, [])
})

export function myTables(): readonly MyGame[] {
  return mine
}

/** Whether nobody has played on this device yet. */
export function newcomer(): boolean {
  return !played && !mine.length
}

/** Changes the list as it is now: another tab may have changed it, too. */
function change(how: (tables: readonly MyGame[]) => readonly MyGame[]): void {
  mine = how(saved<readonly MyGame[]>(PLACE, mine))
  save(PLACE, mine)
}

/** Puts tables into the list, in place of what was known of them. */
export function remember(...tables: MyGame[]): void {
  const codes = new Set(tables.map(({ code }) => code))
  change((all) => {
    const news = tables.map((each) => {
      const { uncounted, branch } = all.find(({ code }) => code === each.code) ?? {}
      return { ...each, ...(uncounted ? { uncounted } : {}), ...(branch ? { branch } : {}) }
    })
    return [...news, ...all.filter(({ code }) => !codes.has(code))]
  })
  if (!played) save(PLAYED, (played = true))
}

/** From now on the table's games do not say how strong anybody is. */
export function discount(code: string): void {
  put(code, { uncounted: true })
}

/** The table's game goes on from another one, which it has left: so it counts for nothing, either. */
export function branchOff(code: string, branch: Branch): void {
  put(code, { uncounted: true, branch })
}

/** The games that have left a game, the latest first. */
export const branchesOf = (game: string) => mine.filter(({ branch }) => branch?.of === game)

function put(code: string, news: Partial<MyGame>): void {
  change((all) => {
    const known = all.find((each) => each.code === code) ?? { code, at: Date.now() }
    return [{ ...known, ...news }, ...all.filter((each) => each !== known)]
  })
}

/** Notes what has become known of a table in the list. */
export function note(code: string, news: Partial<MyGame>): void {
  change((all) => all.map((each) => (each.code === code ? { ...each, ...news } : each)))
}

export function forget(code: string): void {
  change((all) => all.filter((each) => each.code !== code))
}

/** The name to sit down with: the one given, kept for the next time. */
export function myName(): string {
  return settings.name.trim() || say('guest')
}

/** Sets a table up and goes there; begins at once where nobody is waited for. */
export async function setUp(request: NewTable, view: View = 'table', where: Where = 'server'): Promise<void> {
  // A device that several people share, or nobody plays on, brings no number to the deal; the guided game's is known.
  const shared = !!request.screen || !!request.chairs?.some(({ kind }) => kind === 'human')
  const number = shared || request.lesson ? null : newNumber()
  const { code } = await createTable(number ? { ...request, promise: sha256(number) } : request, where)
  if (number) keepNumbers(code, number)
  const others = (request.agreement?.players ?? 2) - (request.screen ? 0 : 1)
  const waiting = !request.lesson && others > (request.chairs ?? []).filter(({ kind }) => kind !== 'open').length
  if (!waiting) await sendOnce(code, 1, { type: 'start' })
  // Whoever goes back from a first game does not want another one at once.
  go(addressOf(code, view), view === 'learn')
}

/** Sits down. Where the host wants to be asked first, the number that this device waits under. */
export async function sitDown(code: string, name: string): Promise<number | null> {
  await choose({ name })
  const { keys, waiting } = await joinTable(code, myName(), promiseFor(code))
  const person = waiting ? keys[0]!.person : null
  save(knockPlace(code), person)
  return person
}

/** Gives the seat up, and goes to the start page. */
export async function getUp(code: string, send: (command: { type: 'leave' }) => Promise<unknown>): Promise<void> {
  await send({ type: 'leave' })
  forget(code)
  forgetNumbers(code)
  go('/')
}

/** Where a device keeps the number that it waits under. */
export const knockPlace = (code: string) => `baghdad-door-${code}`
