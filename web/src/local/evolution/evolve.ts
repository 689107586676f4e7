// The table after an event, by the event's kind.
import type { Game } from '../play/game'
import type { Rules } from '../play/rules'
import { outdatesCommands, type StoredEvent } from '../events'
import type { Table } from '../table'
import { answer, decline, end, leave, offer, propose, rematch, resign } from './ending'
import { arrange, beginWith, create, sit } from './gathering'
import { act, returnToSeat, settleDeal, standIn, start } from './playing'

/** `game` is the game after the event, where the caller has played it already. */
export function evolve(rules: Rules, before: Table, stored: StoredEvent, game?: Game): Table {
  const table = before.copy()
  table.number = stored.number
  table.touched = stored.at
  apply(rules, table, stored, game)
  if (outdatesCommands(stored.event) || table.over !== before.over) table.changed = stored.number
  return table
}

/** Lets an event have its effect on a table that nobody has seen yet. */
function apply(rules: Rules, table: Table, { event, number, at }: StoredEvent, game?: Game): void {
  switch (event.kind) {
    case 'created':
      return create(table, event)
    case 'sat':
      return sit(table, event)
    case 'left':
      return leave(table, event, at)
    case 'arranged':
      return arrange(table, event)
    case 'start_chosen':
      return beginWith(table, event.start)
    case 'started':
      return start(rules, table, event, at)
    case 'brought':
    case 'left_out':
      return settleDeal(table, event, at, game)
    case 'moved':
    case 'undone':
      return act(table, event, at, game)
    case 'stood_in':
      return standIn(table, event, at)
    case 'returned':
      return returnToSeat(table, event, at)
    case 'resigned':
      return resign(table, event.seat, at)
    case 'end_proposed':
      return propose(table, event.person, number, at)
    case 'end_answered':
      return answer(table, event, at)
    case 'ended':
      return end(table, event.how, at)
    case 'offered':
      return offer(table, event)
    case 'declined':
      return decline(table, event.person)
    case 'rematched':
      return rematch(table, event)
  }
}
