// Endings without a move (R28), and another game after the end. As `server/domain/decisions/ending.py`.
import type { AnswerEnd, Rematch } from '../../wire/messages'
import type { Event, EventOf } from '../events'
import { RefusedError } from '../refusals'
import type { Table } from '../table'
import type { World } from '../world'
import { mustBeOver, mustGoOn, mustHost, mustPlay } from './conditions'

/** Somebody gives up, whoever's turn it is. */
export function resign(table: Table, person: number): EventOf<'resigned'> {
  return { kind: 'resigned', person, seat: mustGoOn(table, person) }
}

/** Somebody proposes to end the game without a winner: once a round. */
export function proposeEnd(table: Table, person: number): EventOf<'end_proposed'> {
  mustGoOn(table, person)
  const game = mustPlay(table)
  if (table.proposed) throw new RefusedError('end_proposed', 'R28')
  const before = table.proposers.get(person)
  if (before !== undefined && game.turns < before + game.options.players)
    throw new RefusedError('end_proposed_lately', 'R28')
  return { kind: 'end_proposed', person }
}

/** Somebody agrees to that, or wants to play on, even after having agreed before. */
export function answerEnd(table: Table, person: number, { yes }: AnswerEnd): EventOf<'end_answered'> {
  mustGoOn(table, person)
  if (!table.proposed) throw new RefusedError('no_end_proposed', 'R28')
  if (yes && table.proposed.agreed.includes(person)) throw new RefusedError('answered')
  return { kind: 'end_answered', yes, person, seat: null }
}

/** A bot has thought about a proposal; nothing where it is no longer asked. */
export function botAnswersEnd(
  table: Table,
  number: number,
  seat: number,
  yes: boolean,
): EventOf<'end_answered'> | null {
  const asked = table.proposed?.number === number && table.unanswered.bots.includes(seat)
  return asked ? { kind: 'end_answered', yes, person: null, seat } : null
}

/** Another game is offered, accepted, or begun where nobody is waited for any more. */
export function rematch(table: Table, person: number, command: Rematch, world: World): Event {
  mustBeOver(table, person)
  const missing = table.seated.filter((each) => each !== person && !table.offers.includes(each))
  const promise = command.promise == null ? null : ([person, command.promise] as const)
  if (command.now) {
    mustHost(table, person)
    return { kind: 'rematched', seed: world.newSeed(), without: missing, promise }
  }
  if (!missing.length) return { kind: 'rematched', seed: world.newSeed(), without: [], promise }
  if (table.offers.includes(person)) throw new RefusedError('answered')
  return { kind: 'offered', person, promise: command.promise ?? null }
}

/** Somebody does not want another game now. */
export function decline(table: Table, person: number): EventOf<'declined'> {
  mustBeOver(table, person)
  if (table.declines.includes(person)) throw new RefusedError('answered')
  return { kind: 'declined', person }
}
