// From the legal actions to what can be pointed at and what lights up. No rule is known here: the action table says
// where an action begins, where it goes and what it costs.
import type { Point } from '../board/model'
import { keyOf } from '../board/model'
import type { Deed } from '../wire/actions'
import { PALACES, type CardKind, type Owner, type Palace, type Seat } from '../wire/names'

/** What a deed can be begun with, besides its palace and its cards. */
export function pieceOf(deed: Deed, seat: Seat): Point | null {
  const owner: Owner = deed.neutral ? 'n' : seat
  if (deed.kind === 'move') return { kind: 'guard', palace: deed.from!, owner }
  if (deed.kind === 'carry') return { kind: 'thief', palace: deed.from!, seat }
  return deed.kind === 'smuggle' ? { kind: 'stock' } : null
}

/** Everything that can be pointed at first. */
export function actableIn(deeds: readonly Deed[], seat: Seat): Set<string> {
  const found = new Set<string>()
  for (const deed of deeds) {
    const piece = pieceOf(deed, seat)
    if (piece) found.add(keyOf(piece))
    for (const card of deed.price) found.add(`card ${card}`)
  }
  return found
}

/** The deeds that go with what was pointed at first; without a choice, those that only need a palace. */
export function deedsWith(deeds: readonly Deed[], chosen: Point | null, seat: Seat): Deed[] {
  if (!chosen) return deeds.filter((deed) => deed.kind === 'place' || deed.kind === 'smuggle')
  if (chosen.kind === 'card') return deeds.filter((deed) => deed.price.includes(chosen.card))
  const key = keyOf(chosen)
  return deeds.filter((deed) => {
    const piece = pieceOf(deed, seat)
    return piece && keyOf(piece) === key
  })
}

const dancers = (deed: Deed) => deed.price.filter((card) => card === '*').length

/** Ways to do the same, palace cards before dancers, and cards of which there are more before others. */
export function ordered(deeds: readonly Deed[], hand: Readonly<Record<CardKind, number>>): Deed[] {
  const spare = (deed: Deed) => Math.min(...deed.price.map((card) => hand[card]))
  return [...deeds].sort((a, b) => dancers(a) - dancers(b) || spare(b) - spare(a) || a.action - b.action)
}

/** What a deed does, whatever it costs: the kinds in the order in which they are offered. */
export const DOINGS = ['place', 'place_neutral', 'smuggle', 'carry', 'move', 'move_neutral'] as const
export type Doing = (typeof DOINGS)[number]

export function doingOf(deed: Deed): Doing | 'end' {
  return deed.neutral ? `${deed.kind as 'place' | 'move'}_neutral` : deed.kind
}

/** The same deeds, those that do the same beside each other. */
export function inGroups(deeds: readonly Deed[]): Deed[] {
  const place = (deed: Deed) =>
    DOINGS.indexOf(doingOf(deed) as Doing) * 10 + (deed.from ? PALACES.indexOf(deed.from) : 0)
  return [...deeds].sort((a, b) => place(a) - place(b))
}

/** What was meant by pointing where nothing lights up, as a token: the server says why not. */
export function attempt(chosen: Point | null, palace: Palace, cost: number, placing: boolean): string | null {
  if (placing) return `@${palace}`
  if (!chosen || chosen.kind === 'stock' || chosen.kind === 'card')
    return `+${palace}(${palace.repeat(Math.min(3, Math.max(1, cost)))})`
  if (chosen.kind === 'palace' || chosen.palace === palace) return null
  if (chosen.kind === 'thief') return `${chosen.palace}>>${palace}(${chosen.palace})`
  if (chosen.owner === 'n') return `n${chosen.palace}>${palace}(${chosen.palace}${palace})`
  return `${chosen.palace}>${palace}(${chosen.palace})`
}
