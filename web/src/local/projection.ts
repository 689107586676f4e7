// What each person is sent of an event. As `server/wire/projection.py`.
import type { EventMessage } from '../wire/messages'
import type { Event, StoredEvent } from './events'
import { linesOf, robbed } from './log'
import type { Table } from './table'
import { clockOf, ownAt, shownTable } from './visibility'

/** An event between the table before it and the table after it. */
export interface Projection {
  stored: StoredEvent
  before: Table
  after: Table
  /** Without a position, a hand or cards. */
  public: EventMessage
}

export function project(before: Table, after: Table, stored: StoredEvent): Projection {
  const { event, number, at } = stored
  const { drawn } = draws(before, event)
  const lines = linesOf(before, after, event)
  const chests = event.kind === 'moved' ? robbed(before.game!.shown.chests, after.game!.shown.chests) : []
  const clock = changesGame(after, stored) ? clockOf(after) : null
  return {
    stored,
    before,
    after,
    public: {
      type: 'event',
      number,
      at,
      kind: event.kind,
      ...(lines.length ? { lines } : {}),
      ...('seat' in event && event.seat !== null ? { seat: event.seat } : {}),
      ...(event.kind === 'moved' ? { action: event.action } : {}),
      ...('person' in event && event.person !== null ? { person: event.person } : {}),
      ...(drawn.length ? { drawn } : {}),
      ...(chests.length ? { robbed: chests } : {}),
      ...(tableChanges(before, after, event) ? { table: shownTable(after) } : {}),
      ...(clock ? { clock } : {}),
    },
  }
}

const changesGame = (after: Table, stored: StoredEvent) => after.game !== null && after.changed === stored.number

/** Whether more than the position is other than before: chairs, people, an end, a proposal. */
function tableChanges(before: Table, after: Table, event: Event): boolean {
  if (event.kind !== 'moved' && event.kind !== 'undone') return true
  return after.over || (before.recentProposal !== null && after.recentProposal === null)
}

/** An event as one person sees it. */
export function messageFor({ stored, before, after, public: shared }: Projection, person: number | null): EventMessage {
  if (!changesGame(after, stored)) return shared
  const game = after.game!
  // Whoever has given up sees no more of the hand than somebody who looks on.
  const seat = after.seatOf(person)
  const cards = seat === null ? undefined : draws(before, stored.event).cards.get(seat)
  return {
    ...shared,
    ...(cards ? { cards } : {}),
    shown: game.shown,
    ...(seat === null ? {} : { own: ownAt(after, game, seat) }),
  }
}

/** Who got how many palace cards, and which. */
function draws(
  before: Table,
  event: Event,
): { drawn: readonly [number, number][]; cards: ReadonlyMap<number, string> } {
  if (!('chance' in event)) return { drawn: [], cards: new Map() }
  const one = event.kind === 'moved' && !before.game!.placing ? event.seat : null
  const each = event.chance.map((token, place) => [one ?? place, token.slice(1)] as const)
  return { drawn: each.map(([seat, cards]) => [seat, cards.length]), cards: new Map(each) }
}
