// In the game: actions, taking back, and the numbers that the deal waits for. As `server/domain/decisions/playing.py`.
import { commitment, dealSeed, dealt } from '../play/fair'
import { ACTION_OF, spelled } from '../play/tokens'
import type { EventOf } from '../events'
import { RefusedError } from '../refusals'
import type { Table } from '../table'
import type { Outcome } from '../world'
import { mustPlay, seatAt } from './conditions'

/** Actions that are taken back in a turn: what is kept of it is bounded. */
const MOST_UNDOS = 50

/** A seat takes an action; the draw that follows comes from the table's seed. */
export function move(
  table: Table,
  seat: number,
  wanted: number | string,
  by: { bot?: boolean; instead?: boolean } = {},
): Outcome {
  if (table.standIns.has(seat) && !by.bot) throw new RefusedError('stands_in')
  const before = mustPlay(table)
  if (table.dealWaits) throw new RefusedError('deal_waits')
  const action = typeof wanted === 'string' ? (ACTION_OF.get(spelled(wanted)) ?? wanted) : wanted
  const played = before.play(action, seat)
  if (typeof action === 'string') throw new Error('a text that is not an action’s token is refused')
  const { game, chance } = table.awaited.length ? { game: played, chance: [] } : dealt(played, table.dealSeed)
  return { event: { kind: 'moved', seat, action, chance, instead: !!by.instead }, game }
}

/** A seat's number comes to the deal; where it was the last one awaited, so do the cards. */
export function bring(table: Table, person: number, number: string): Outcome {
  // Somebody who has given up has promised all the same.
  const seat = table.placeOf(person) ?? seatAt(table, person)
  const game = mustPlay(table)
  const pledge = table.pledges[seat]!
  if (pledge.promise === null) throw new RefusedError('no_number_promised')
  if (commitment(number) !== pledge.promise) throw new RefusedError('wrong_number')
  if (pledge.number !== null) throw new RefusedError('number_there')
  const { awaited } = table
  if (!awaited.includes(seat)) throw new RefusedError('number_late')
  if (awaited.length > 1) return { event: { kind: 'brought', seat, number, chance: [] } }
  const numbers = table.pledges.map((each, n) => (n === seat ? number : each.number))
  const after = dealt(game, dealSeed(table.seed, numbers))
  return { event: { kind: 'brought', seat, number, chance: after.chance }, game: after.game }
}

/** Somebody who is still awaited brings no number: the cards are dealt without. */
export function leaveOut(table: Table): Outcome {
  const { game, chance } = dealt(mustPlay(table), table.dealSeed)
  return { event: { kind: 'left_out', seats: table.awaited, chance }, game }
}

/** A seat takes its last action back, as long as nothing was revealed (R22, R23). */
export function undo(table: Table, seat: number): EventOf<'undone'> {
  mustPlay(table)
  if (table.standIns.has(seat)) throw new RefusedError('stands_in')
  if (!table.mayUndo(seat)) throw new RefusedError('nothing_to_take_back')
  if (table.undone >= MOST_UNDOS) throw new RefusedError('undone_often', null, { most: MOST_UNDOS })
  return { kind: 'undone', seat }
}

/** Somebody takes the seat back from the bot that stands in. */
export function returnToSeat(table: Table, seat: number): EventOf<'returned'> {
  if (!table.standIns.has(seat)) throw new RefusedError('nobody_stands_in')
  return { kind: 'returned', seat }
}
