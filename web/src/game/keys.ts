// Playing by keys. A letter is a palace, as in the notation, whatever the language: where something was picked up it
// says where to, else it goes there. Every key has another way by Tab and Enter.
import { tick } from 'svelte'

import { keyOf, type Point } from '../board/model'
import { closest } from '../device/dom'
import { settings } from '../device/settings.svelte'
import type { Turn } from '../state/turn.svelte'
import { PALACES, type Palace } from '../wire/names'

const STOCK = 't'
const END = 'e'

const find = (selector: string, within: ParentNode = document) => within.querySelector<HTMLElement>(selector)

/** Whether a key is meant for the table: alone, not typed somewhere, and with nothing in front of it. */
export function forTable(event: KeyboardEvent): boolean {
  const alone = !(event.repeat || event.ctrlKey || event.metaKey || event.altKey)
  const typed = closest(event, 'input, textarea, select')
  return alone && !typed && settings.shortcuts && !document.querySelector('dialog[open]')
}

/** To where moves are typed. */
export async function toTyping(): Promise<void> {
  await tick()
  find('[data-typed]')?.focus()
}

/** Does what a key stands for at the table; false where it stands for nothing. */
export function pressed(turn: Turn, event: KeyboardEvent): boolean {
  const key = event.key.toLowerCase()
  const palace = PALACES.find((each) => each.toLowerCase() === key)
  const digit = digitOf(event)
  const named = turn.asked?.findIndex((end) => end.named && end.named === palace) ?? -1
  if (named >= 0) finish(turn, named)
  else if (palace) toPalace(turn, palace)
  else if (key === STOCK && turn.seat !== null) pick(turn, { kind: 'stock' }, true)
  else if (key === END && turn.ends.length) turn.askEnd()
  else if (key === 'u' && turn.store.own?.undo) void turn.undo()
  else if (digit === 1 && turn.warned) insist(turn)
  else if (digit && turn.asked) {
    if (turn.asked[digit - 1]) finish(turn, digit - 1)
  } else if (digit && turn.choice?.actions[digit - 1]) pay(turn, digit - 1)
  else return false
  return true
}

/** Points at something; whoever does so by keys is led to the first palace where it can go. */
export function pick(turn: Turn, point: Point, letter = false): void {
  turn.point(point, letter)
  if (point.kind !== 'palace' && turn.chosen && (letter || turn.taps.keys))
    void tick().then(() => find('[data-target]')?.focus())
}

/** Lets go of what was picked up; focus goes back to it. */
export function letGo(turn: Turn): void {
  const { chosen, choice, asked, warned } = turn
  turn.clear()
  if (!turn.taps.keys) return
  if (asked) find('[data-ends] button')?.focus()
  else if (chosen) find(chosen.kind === 'stock' ? '[data-home]' : `[data-piece="${keyOf(chosen)}"]`)?.focus()
  else if (choice ?? warned) ground((choice ?? warned)!.palace)?.focus()
}

function toPalace(turn: Turn, palace: Palace): void {
  const field = find(`[data-palace="${palace}"]`)
  if (turn.mine && (turn.chosen || turn.placing)) {
    // What lights up goes when it is done; focus stays at the palace.
    ground(palace)?.focus()
    return turn.point({ kind: 'palace', palace }, true)
  }
  if (!field) return
  // The same letter again: the pieces there, one after the other.
  const stops = [...field.querySelectorAll<HTMLElement>('[data-ground], [data-piece].can')]
  stops[(stops.indexOf(document.activeElement as HTMLElement) + 1) % stops.length]?.focus()
}

function pay(turn: Turn, n: number): void {
  const { palace, actions } = turn.choice!
  ground(palace)?.focus()
  turn.confirm(actions[n]!, true)
}

function finish(turn: Turn, n: number): void {
  const end = turn.asked![n]!
  if (end.naming) return turn.end(end, true)
  find('[data-ends] button')?.focus()
  turn.finish(end)
}

function insist(turn: Turn): void {
  if (!turn.payable) return
  ground(turn.warned!.palace)?.focus()
  turn.insist()
}

function ground(palace: Palace): HTMLElement | null {
  return find(`[data-palace="${palace}"] [data-ground]`)
}

/** By its place where the layout has something else there, as on a Czech keyboard. */
function digitOf({ key, code, shiftKey }: KeyboardEvent): number {
  return Number(/^[1-9]$/.exec(key)?.[0] ?? (shiftKey ? 0 : (/^Digit([1-9])$/.exec(code)?.[1] ?? 0)))
}

/** Arrow keys go through the buttons of a group. */
export function arrows(event: KeyboardEvent & { currentTarget: HTMLElement }): void {
  const way = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key]
  if (!way) return
  const buttons = [...event.currentTarget.querySelectorAll('button')]
  const at = buttons.indexOf(document.activeElement as HTMLButtonElement)
  buttons[(at + way + buttons.length) % buttons.length]?.focus()
  event.preventDefault()
}
