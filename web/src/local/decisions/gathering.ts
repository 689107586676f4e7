// Before the game: chairs, who begins, the beginning. As `server/domain/decisions/gathering.py`.
import { dealt } from '../play/fair'
import { Game } from '../play/game'
import { optionsFor } from '../play/options'
import type { Arrange, ChooseStart, Sit } from '../../wire/messages'
import type { EventOf } from '../events'
import { RefusedError } from '../refusals'
import type { Table } from '../table'
import type { Outcome, World } from '../world'
import { knownLevel, mustBeOpen, mustExist, mustGather, mustHost } from './conditions'

/** The chair that is wanted, if it is free; else the first free one. */
function freeChair(table: Table, wanted: number | null): number {
  const free = table.chairs.flatMap(({ kind }, chair) => (kind === 'open' ? [chair] : []))
  if (!free.length) throw new RefusedError('full')
  const chair = wanted ?? free[0]!
  if (!free.includes(chair)) throw new RefusedError('taken', null, { chair: chair + 1 })
  return chair
}

/** Somebody changes the chair or the colour. */
export function sit(table: Table, person: number, command: Sit): EventOf<'sat'> {
  mustGather(table)
  mustBeOpen(table)
  const promise = command.promise ?? null
  const own = table.chairOf(person)
  if (own === null) {
    const chair = freeChair(table, command.chair ?? null)
    return { kind: 'sat', person, chair, colour: table.chairs[chair]!.colour, promise }
  }
  const chair = command.chair == null ? own : mustExist(table, command.chair)
  if (chair !== own && table.chairs[chair]!.kind === 'human')
    throw new RefusedError('taken', null, { chair: chair + 1 })
  const colour = command.colour ?? table.chairs[chair]!.colour
  const taken = table.chairs.some(
    (each, n) => n !== own && n !== chair && each.colour === colour && each.kind === 'human',
  )
  if (taken) throw new RefusedError('colour_taken')
  return { kind: 'sat', person, chair, colour, promise }
}

/** The host opens or closes a chair, or puts a bot on it. */
export function arrange(table: Table, person: number, command: Arrange, world: World): EventOf<'arranged'> {
  mustHost(table, person)
  mustGather(table)
  mustBeOpen(table)
  const chair = mustExist(table, command.chair)
  if (table.chairs[chair]!.kind === 'human') throw new RefusedError('taken', null, { chair: chair + 1 })
  const level = command.to === 'bot' ? knownLevel(command.level, world.levels) : null
  return { kind: 'arranged', chair, to: command.to, level }
}

/** The host says which player begins (R5). */
export function chooseStart(table: Table, person: number, { start }: ChooseStart): EventOf<'start_chosen'> {
  mustHost(table, person)
  mustGather(table)
  mustBeOpen(table)
  if (typeof start === 'number' && table.chairs[mustExist(table, start)]!.kind === 'closed')
    throw new RefusedError('chair_closed', null, { chair: start + 1 })
  return { kind: 'start_chosen', start }
}

/** The host begins the game; the seats are counted from the start player. */
export function start(table: Table, person: number, world: World): Outcome {
  mustHost(table, person)
  mustGather(table)
  const { chairs, agreement } = table
  const sitting = chairs.flatMap(({ kind }, chair) => (kind === 'human' || kind === 'bot' ? [chair] : []))
  if (chairs.some(({ kind }) => kind === 'open')) throw new RefusedError('chairs_open')
  if (sitting.length < 2) throw new RefusedError('two_needed')
  const wanted = agreement.start ?? 'random'
  let at = 0
  if (wanted === 'random') at = world.pick(sitting.length)
  else if (typeof wanted === 'number') at = Math.max(0, sitting.indexOf(wanted))
  const order = [...sitting.slice(at), ...sitting.slice(0, at)]
  const promises = order.map((chair) => table.promises.get(chairs[chair]!.person ?? -1) ?? null)
  // No card before all numbers are there.
  if (promises.some(Boolean)) return { event: { kind: 'started', order, chance: [], promises } }
  const { chance } = dealt(Game.begin(world.rules, optionsFor(agreement, order.length)), table.seed)
  return { event: { kind: 'started', order, chance, promises: [] } }
}
