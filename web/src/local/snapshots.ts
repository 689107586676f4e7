// A table as it is now: whole, for somebody who comes to it; in a line, for a list of games.
import { CHESTS_TO_WIN, type EventMessage, type Snapshot, type Summary } from '../wire/messages'
import type { Table } from './table'
import { clockOf, openHands, ownOf, shownTable } from './visibility'

export function snapshotOf(
  table: Table,
  now: number,
  person: number | null,
  people: readonly number[],
  present: readonly number[],
  log: readonly EventMessage[],
): Snapshot {
  return {
    type: 'snapshot',
    number: table.number,
    at: now,
    people,
    person,
    table: shownTable(table),
    shown: table.game?.shown ?? null,
    own: ownOf(table, person),
    clock: table.game ? clockOf(table) : null,
    log,
    present,
    hands: openHands(table, person),
  }
}

/** A line in a list of games. */
export function summaryOf(table: Table, people: readonly number[]): Summary {
  const { game } = table
  const chairs = game
    ? table.order.map((chair) => table.chairs[chair]!)
    : table.chairs.filter(({ kind }) => kind !== 'closed')
  return {
    code: table.code,
    state: table.state,
    at: table.touched,
    games: table.games,
    people,
    players: chairs.map(({ colour, person, level }, seat) => {
      // Whoever has left after the end has played.
      const name =
        person !== null ? table.people.get(person)!.name : table.over && level === null ? table.names[seat]! : null
      return {
        colour,
        ...(person === null ? {} : { person }),
        ...(name === null ? {} : { name }),
        ...(level === null ? {} : { level }),
        ...(game ? { chests: game.loot[seat]! } : {}),
      }
    }),
    needed: CHESTS_TO_WIN[Math.max(2, chairs.length) as 2 | 3 | 4],
    turn: game ? table.onTurn : null,
    winner: game?.winner ?? null,
    termination: game?.termination ?? null,
    resigned: table.resigned,
  }
}
