// From the legal actions to what can be pointed at and what lights up. No rule is known here: the action table says
// where an action begins, where it goes and what it costs.
import { keyOf, type Point } from '../board/model'
import { ACTIONS, type Action } from '../wire/actions'
import { PALACES, type CardKind, type Palace, type Seat } from '../wire/names'

/** Kinds of action, in the order in which they are offered; the turn's end is apart from them. */
export const KINDS = ['place', 'place_neutral', 'smuggle', 'carry', 'move', 'move_neutral'] as const
export type Kind = (typeof KINDS)[number]

/** What an action can be begun with, besides its palace and its cards. */
export function pieceOf({ from, guard, thief }: Action, seat: Seat): Point | null {
  if (!from) return thief ? { kind: 'stock' } : null
  if (thief) return { kind: 'thief', palace: from, seat }
  return { kind: 'guard', palace: from, owner: guard === 'neutral' ? 'n' : seat }
}

/** Everything that can be pointed at first. */
export function actableIn(actions: readonly Action[], seat: Seat): Set<string> {
  const found = new Set<string>()
  for (const action of actions) {
    const piece = pieceOf(action, seat)
    if (piece) found.add(keyOf(piece))
    for (const card of action.price) found.add(keyOf({ kind: 'card', card }))
  }
  return found
}

/** The actions that go with what was pointed at first; without a choice, those that only need a palace. */
export function actionsWith(actions: readonly Action[], chosen: Point | null, seat: Seat): Action[] {
  if (!chosen) return actions.filter(({ from, to }) => to && !from)
  if (chosen.kind === 'card') return actions.filter(({ price }) => price.includes(chosen.card))
  const key = keyOf(chosen)
  return actions.filter((action) => {
    const piece = pieceOf(action, seat)
    return piece && keyOf(piece) === key
  })
}

const dancers = ({ price }: Action) => price.filter((card) => card === '*').length

/** Ways to do the same, palace cards before dancers, and cards of which there are more before others. */
export function ordered(actions: readonly Action[], hand: Readonly<Record<CardKind, number>>): Action[] {
  const spare = ({ price }: Action) => Math.min(...price.map((card) => hand[card]))
  return [...actions].sort((a, b) => dancers(a) - dancers(b) || spare(b) - spare(a) || a.number - b.number)
}

/** The same actions, those that do the same beside each other. */
export function inGroups(actions: readonly Action[]): Action[] {
  const place = ({ kind, from }: Action) =>
    KINDS.indexOf(kind as Kind) * PALACES.length + (from ? PALACES.indexOf(from) : 0)
  return [...actions].sort((a, b) => place(a) - place(b))
}

/** What was meant by pointing where nothing lights up: the server says why not. Smuggling there would cost `cost`. */
export function attempt(chosen: Point | null, palace: Palace, cost: number, placing: boolean): Action | null {
  if (placing) return first('place', null, palace)
  if (!chosen || chosen.kind === 'stock' || chosen.kind === 'card')
    return first('smuggle', null, palace, Math.min(3, Math.max(1, cost)))
  if (chosen.kind === 'palace' || chosen.palace === palace) return null
  const kind = chosen.kind === 'thief' ? 'carry' : chosen.owner === 'n' ? 'move_neutral' : 'move'
  return first(kind, chosen.palace, palace)
}

/** The first action of the table that does this, paid with palace cards: those with dancers come later there. */
function first(kind: Kind, from: Palace | null, to: Palace, cost?: number): Action {
  return ACTIONS.find(
    (each) =>
      each.kind === kind && each.from === from && each.to === to && each.price.length === (cost ?? each.price.length),
  )!
}
