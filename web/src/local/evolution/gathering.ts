// Chairs and people, as events change them.
import type { Agreement } from '../../wire/messages'
import { sparse } from '../decisions/creating'
import type { EventOf, Seating } from '../events'
import type { Table } from '../table'

export function create(table: Table, event: EventOf<'created'>): void {
  table.agreement = event.agreement
  table.chairs = event.chairs
  table.seed = event.seed
  table.lesson = event.lesson
  table.unproved = !!event.unproved
  table.people = new Map(event.people.map((person) => [person.number, person]))
  promise(table, table.host, event.promise)
}

export function arrange(table: Table, event: EventOf<'arranged'>): void {
  seat(table, event.chair, { kind: event.to, level: event.level })
  if (event.to === 'closed' && table.agreement.start === event.chair) beginWith(table, 'random')
}

export function beginWith(table: Table, start: NonNullable<Agreement['start']>): void {
  table.agreement = sparse({ ...table.agreement, start })
}

/** Change places, or colours, with whoever or whatever is there. */
export function sit(table: Table, event: EventOf<'sat'>): void {
  promise(table, event.person, event.promise)
  const old = table.chairOf(event.person)
  if (old === null) return seat(table, event.chair, { kind: 'human', person: event.person })
  const chairs = [...table.chairs]
  const mine = chairs[old]!
  const other = chairs[event.chair]!
  if (event.chair !== old) {
    chairs[old] = { ...other, colour: mine.colour }
    chairs[event.chair] = { ...mine, colour: other.colour }
    // The person chosen to begin does so from another chair, too.
    const { start } = table.agreement
    if (start === old) beginWith(table, event.chair)
    else if (start === event.chair) beginWith(table, old)
  }
  const before = chairs[event.chair]!.colour
  const swap = new Map([
    [before, event.colour],
    [event.colour, before],
  ])
  table.chairs = chairs.map((each) => ({ ...each, colour: swap.get(each.colour) ?? each.colour }))
}

/** Puts somebody or something on a chair, which keeps its colour. */
export function seat(table: Table, chair: number, who: Pick<Seating, 'kind'> & Partial<Seating>): void {
  table.chairs = table.chairs.map((each, n) =>
    n === chair ? { person: null, level: null, ...who, colour: each.colour } : each,
  )
}

/** The person left as the host of a next game sits down at it. */
export function seatHost(table: Table): void {
  if (table.game || !table.people.has(table.host) || table.seated.includes(table.host)) return
  const open = table.chairs.findIndex(({ kind }) => kind === 'open')
  if (open >= 0) seat(table, open, { kind: 'human', person: table.host })
}

/** A device has promised a number for the next deal, in place of an earlier one. */
export function promise(table: Table, person: number, promised: string | null): void {
  if (promised !== null) table.promises = new Map([...table.promises, [person, promised]])
}
