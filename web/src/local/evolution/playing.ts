// The game, the deal and the clock, as events change them.
import { Game, cardsOf } from '../play/game'
import { optionsFor } from '../play/options'
import type { Rules } from '../play/rules'
import type { EventOf } from '../events'
import type { Table } from '../table'

/** A seat has moved, or taken a move back. */
export function act(table: Table, event: EventOf<'moved'> | EventOf<'undone'>, at: number, game?: Game): void {
  const wasOnTurn = table.onTurn
  table.game = game ?? played(table.game!, event)
  if (event.kind === 'undone') table.undone++
  if (table.onTurn !== wasOnTurn) {
    table.undone = 0
    stopClock(table, event.seat, at)
  }
}

function played(game: Game, event: EventOf<'moved'> | EventOf<'undone'>): Game {
  return event.kind === 'undone' ? game.undo() : withCards(game.play(event.action), event.chance)
}

function withCards(game: Game, chance: readonly string[]): Game {
  return chance.reduce((before, token) => before.draw(cardsOf(token)), game)
}

/** A game begins, without a trace of the one before. */
export function start(rules: Rules, table: Table, event: EventOf<'started'>, at: number): void {
  const players = event.order.length
  table.game = withCards(Game.begin(rules, optionsFor(table.agreement, players)), event.chance)
  table.order = event.order
  table.games++
  table.standIns = new Map()
  table.onSince = table.started = at
  table.undone = 0
  table.used = event.order.map(() => 0)
  table.proposal = null
  table.proposers = new Map()
  table.pledges = event.order.map((_, seat) => ({ promise: event.promises[seat] ?? null, number: null }))
  table.leftOut = new Set()
  table.promises = new Map()
  notePlayers(table)
}

/** Keeps who plays, whatever becomes of the chairs after the end. Somebody who has given up has played and lost. */
export function notePlayers(table: Table): void {
  const { resigned, names, sat } = table
  const sitting = table.order.map((chair) => table.chairs[chair]!)
  table.names = sitting.map(({ person, level }, seat) =>
    resigned.includes(seat) ? names[seat]! : person === null ? (level ?? '') : table.people.get(person)!.name,
  )
  table.sat = sitting.map(({ person }, seat) => (resigned.includes(seat) ? sat[seat]! : person))
}

/** A number has come, or is not waited for; the cards follow where it was the last. */
export function settleDeal(
  table: Table,
  event: EventOf<'brought'> | EventOf<'left_out'>,
  at: number,
  game?: Game,
): void {
  if (event.kind === 'brought')
    table.pledges = table.pledges.map((each, seat) => (seat === event.seat ? { ...each, number: event.number } : each))
  else table.leftOut = new Set([...table.leftOut, ...event.seats])
  if (!event.chance.length) return
  table.game = game ?? withCards(table.game!, event.chance)
  table.onSince = at
}

export function standIn(table: Table, event: EventOf<'stood_in'>, at: number): void {
  if (table.onTurn === event.seat) stopClock(table, event.seat, at)
  table.standIns = new Map([...table.standIns, [event.seat, event.level]])
}

export function returnToSeat(table: Table, event: EventOf<'returned'>, at: number): void {
  table.standIns = new Map([...table.standIns].filter(([seat]) => seat !== event.seat))
  if (table.onTurn === event.seat) table.onSince = at
}

/** The clock stops for a seat, and runs for the next. While a bot stands in, it does not run. */
export function stopClock(table: Table, seat: number, at: number): void {
  if (!table.standIns.has(seat))
    table.used = table.used.map((used, n) => (n === seat ? used + Math.max(0, at - table.onSince) : used))
  table.onSince = at
}
