// The tables that this device has a seat at, and the ways to get one.
import { createTable, joinTable, wishOnce } from './api'
import { go } from './router.svelte'
import { say } from './say.svelte'
import { choose, keep, kept, settings } from './settings.svelte'
import type { NewTable } from './wire'

const PLACE = 'baghdad-tables'
/** Tables remembered: more than anybody goes back to. */
const MOST = 12

/** How a table is looked at: as a player, with a guide, as the screen that all see, as a hand on a phone. */
export type View = 'table' | 'learn' | 'screen' | 'hand'

export interface Mine {
  code: string
  view?: View
  /** With whom, and when it was last opened. */
  with: string
  at: number
  over: boolean
}

export function addressOf(code: string, view: View = 'table'): string {
  if (view === 'learn') return `/learn/${code}`
  return view === 'table' ? `/t/${code}` : `/t/${code}/${view}`
}

let mine = $state.raw<readonly Mine[]>(kept<Mine[]>(PLACE, []))

export function myTables(): readonly Mine[] {
  return mine
}

export function remember(table: Mine): void {
  mine = [table, ...mine.filter(({ code }) => code !== table.code)].slice(0, MOST)
  keep(PLACE, mine)
}

export function forget(code: string): void {
  mine = mine.filter((each) => each.code !== code)
  keep(PLACE, mine)
}

/** The name to sit down with: the one given, kept for the next time. */
export function myName(): string {
  return settings.name.trim() || say('guest')
}

/** Sets a table up and goes there; begins at once where nobody is waited for. */
export async function setUp(wish: NewTable, view: View = 'table'): Promise<void> {
  const { code } = await createTable(wish)
  const others = (wish.agreement?.players ?? 2) - (wish.screen ? 0 : 1)
  const waiting = others > (wish.chairs ?? []).filter(({ kind }) => kind !== 'open').length
  if (!waiting) await wishOnce(code, 1, { type: 'start' })
  // Whoever goes back from a first game does not want another one at once.
  go(addressOf(code, view), view === 'learn')
}

export async function sitDown(code: string, name: string): Promise<void> {
  await choose({ name })
  await joinTable(code, myName())
}
