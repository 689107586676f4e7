// What everybody or one person may see of a table. As `server/wire/visibility.py`.
import type { Clock, Own, ShownChair, ShownProposal, ShownTable } from '../wire/messages'
import type { Game } from './play/game'
import type { Table } from './table'

/** A table as everybody sees it. */
export function shownTable(table: Table): ShownTable {
  return {
    code: table.code,
    agreement: table.agreement,
    chairs: table.chairs.map((_, chair) => shownChair(table, chair)),
    order: table.order,
    host: table.host,
    hushed: false,
    state: table.state,
    games: table.games,
    promise: table.promise,
    seed: table.over ? table.seed : null,
    offers: table.offers,
    declines: table.declines,
    knock: false,
    waiting: [],
    lesson: table.lesson,
    termination: table.game?.termination ?? null,
    resigned: table.resigned,
    proposal: shownProposal(table),
  }
}

function shownChair(table: Table, chair: number): ShownChair {
  const { kind, colour, person, level } = table.chairs[chair]!
  const standIn = table.standIns.get(table.order.indexOf(chair))
  return {
    kind,
    colour,
    ...(person === null ? {} : { person, name: table.people.get(person)!.name }),
    ...(level === null ? {} : { level }),
    ...(standIn === undefined ? {} : { stand_in: standIn }),
    ...contribution(table, chair),
  }
}

/** What a chair has promised for the deal, the number that came, and whether it was left out. */
function contribution(table: Table, chair: number): Partial<ShownChair> {
  if (!table.game) {
    const promise = table.promises.get(table.chairs[chair]!.person ?? -1)
    return promise === undefined ? {} : { promise }
  }
  const seat = table.order.indexOf(chair)
  if (seat < 0) return {}
  const { promise, number } = table.pledges[seat]!
  return {
    ...(promise === null ? {} : { promise }),
    ...(number === null ? {} : { number }),
    ...(table.leftOut.has(seat) ? { left_out: true } : {}),
  }
}

/** The proposal to end the game, for a round. */
function shownProposal(table: Table): ShownProposal | null {
  const proposal = table.recentProposal
  if (!proposal) return null
  const { person, agreed, refused, refusedSeat } = proposal
  return { person, agreed, ...table.unanswered, refused, refused_seat: refusedSeat }
}

/** The times of a game; none where there is no clock. */
export function clockOf(table: Table): Clock | null {
  const { move_seconds, game_seconds } = table.agreement
  if (!move_seconds && !game_seconds) return null
  return { since: table.onSince, deadline: table.deadline, used: table.used }
}

/** What only this person sees; none for somebody who looks on. */
export function ownOf(table: Table, person: number | null): Own | null {
  const seat = table.seatOf(person)
  return seat === null || !table.game ? null : ownAt(table, table.game, seat)
}

/** What only the player of a seat sees: the hand, and what can be done. */
export function ownAt(table: Table, game: Game, seat: number): Own {
  const hand = game.hand(seat)
  if (game.toMove !== seat) return { seat, hand, legal: [], undo: false }
  return { seat, hand, legal: game.legal, undo: table.mayUndo(seat) }
}

/** All hands, after the end: for the players, and for spectators where that was agreed. */
export function openHands(table: Table, person: number | null): readonly (readonly number[])[] | null {
  const { game } = table
  if (!game?.over) return null
  if (table.seatOf(person) === null && table.agreement.watching !== 'open') return null
  return Array.from({ length: game.options.players }, (_, seat) => game.hand(seat))
}
