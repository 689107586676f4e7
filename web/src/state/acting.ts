// From the legal actions to what can be pointed at and what lights up. No rule is known here: the action table says
// where an action begins, where it goes and what it costs.
import type { Point } from '../board/model'
import { keyOf } from '../board/model'
import type { Action } from '../wire/actions'
import { PALACES, type CardKind, type Owner, type Palace, type Seat } from '../wire/names'

/** What an action can be begun with, besides its palace and its cards. */
export function pieceOf(action: Action, seat: Seat): Point | null {
  const owner: Owner = action.neutral ? 'n' : seat
  if (action.kind === 'move') return { kind: 'guard', palace: action.from!, owner }
  if (action.kind === 'carry') return { kind: 'thief', palace: action.from!, seat }
  return action.kind === 'smuggle' ? { kind: 'stock' } : null
}

/** Everything that can be pointed at first. */
export function actableIn(actions: readonly Action[], seat: Seat): Set<string> {
  const found = new Set<string>()
  for (const action of actions) {
    const piece = pieceOf(action, seat)
    if (piece) found.add(keyOf(piece))
    for (const card of action.price) found.add(`card ${card}`)
  }
  return found
}

/** The actions that go with what was pointed at first; without a choice, those that only need a palace. */
export function actionsWith(actions: readonly Action[], chosen: Point | null, seat: Seat): Action[] {
  if (!chosen) return actions.filter((action) => action.kind === 'place' || action.kind === 'smuggle')
  if (chosen.kind === 'card') return actions.filter((action) => action.price.includes(chosen.card))
  const key = keyOf(chosen)
  return actions.filter((action) => {
    const piece = pieceOf(action, seat)
    return piece && keyOf(piece) === key
  })
}

const dancers = (action: Action) => action.price.filter((card) => card === '*').length

/** Ways to do the same, palace cards before dancers, and cards of which there are more before others. */
export function ordered(actions: readonly Action[], hand: Readonly<Record<CardKind, number>>): Action[] {
  const spare = (action: Action) => Math.min(...action.price.map((card) => hand[card]))
  return [...actions].sort((a, b) => dancers(a) - dancers(b) || spare(b) - spare(a) || a.number - b.number)
}

/** What an action does, whatever it costs: the kinds in the order in which they are offered. */
export const DOINGS = ['place', 'place_neutral', 'smuggle', 'carry', 'move', 'move_neutral'] as const
export type Doing = (typeof DOINGS)[number]

export function doingOf(action: Action): Doing | 'end' {
  return action.neutral ? `${action.kind as 'place' | 'move'}_neutral` : action.kind
}

/** The same actions, those that do the same beside each other. */
export function inGroups(actions: readonly Action[]): Action[] {
  const place = (action: Action) =>
    DOINGS.indexOf(doingOf(action) as Doing) * 10 + (action.from ? PALACES.indexOf(action.from) : 0)
  return [...actions].sort((a, b) => place(a) - place(b))
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
