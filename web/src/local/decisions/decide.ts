// The event that a command makes, by its kind.
import type { AnyCommand } from '../../wire/messages'
import { RefusedError } from '../refusals'
import type { Table } from '../table'
import type { Outcome, World } from '../world'
import { seatAt } from './conditions'
import { answerEnd, decline, proposeEnd, rematch, resign } from './ending'
import { arrange, chooseStart, sit, start } from './gathering'
import { bring, move, returnToSeat, undo } from './playing'

/** Commands that mean the same whatever has happened since: they are never stale. */
export const NEVER_STALE: readonly AnyCommand['type'][] = [
  'bring',
  'chat',
  'emote',
  'resign',
  'propose_end',
  'answer_end',
  'lend',
]

/** Throws a `RefusedError` or a `MoveError`. */
export function decide(table: Table, person: number, command: AnyCommand, world: World): Outcome {
  if (!table.people.has(person)) throw new RefusedError('no_longer_here')
  switch (command.type) {
    case 'move':
      return move(table, seatAt(table, person), command.action)
    case 'undo':
      return { event: undo(table, seatAt(table, person)) }
    case 'bring':
      return bring(table, person, command.number)
    case 'start':
      return start(table, person, world)
    case 'sit':
      return { event: sit(table, person, command) }
    case 'leave':
      return { event: { kind: 'left', person } }
    case 'arrange':
      return { event: arrange(table, person, command, world) }
    case 'choose_start':
      return { event: chooseStart(table, person, command) }
    case 'return':
      return { event: returnToSeat(table, seatAt(table, person)) }
    case 'resign':
      return { event: resign(table, person) }
    case 'propose_end':
      return { event: proposeEnd(table, person) }
    case 'answer_end':
      return { event: answerEnd(table, person, command) }
    case 'rematch':
      return { event: rematch(table, person, command, world) }
    case 'decline':
      return { event: decline(table, person) }
    // There is nobody else whom any of this could concern.
    case 'kick':
    case 'admit':
    case 'open_door':
    case 'chat':
    case 'emote':
    case 'hush':
    case 'lend':
      throw new RefusedError('only_here')
  }
}
