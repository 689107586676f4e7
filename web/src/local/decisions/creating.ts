// A table is set up.
import lesson from '../../../../src/baghdad/bots/lesson/lesson.json'
import { DealError, optionsFor, RulebookError, unusual, usualDeal } from '../play/options'
import { DEFAULT_STAND_IN, LARGEST_HAND, LEVELS, type Agreement, type NewTable } from '../../wire/messages'
import type { EventOf, Person, Seating } from '../events'
import { RefusedError } from '../refusals'
import type { World } from '../world'
import { cleaned, knownLevel } from './conditions'

/** What goes without saying is not in an agreement. */
const USUAL: Required<Agreement> = {
  players: 2,
  variant: 'standard',
  rulebook: null,
  rob: null,
  hands: null,
  spare: null,
  deal: 'usual',
  start: 'random',
  listed: false,
  watching: 'table',
  move_seconds: null,
  game_seconds: null,
  grace_seconds: 60,
  stand_in: null,
  teaching: false,
}

export function create(command: NewTable, world: World): EventOf<'created'> {
  return command.lesson ? createLesson(command) : createTable(command, world)
}

/** Any game but the guided one. */
function createTable(command: NewTable, world: World): EventOf<'created'> {
  const agreement = agreed(command.agreement ?? {}, world)
  const players = agreement.players ?? 2
  const people: Person[] = [{ number: 0, name: cleaned(command.name) }]
  // Nobody else's device can come to a table on this one, so it can't be a screen for others.
  if (command.screen) throw new RefusedError('only_here')
  const chairs: Seating[] = [{ kind: 'human', colour: 0, person: 0, level: null }]
  const others = command.chairs ?? []
  if (others.length > players - 1) throw new RefusedError('too_many_chairs', null, { players })
  for (let place = 0; place < players - 1; place++) {
    const { kind = 'open', level, name } = others[place] ?? {}
    let person: number | null = null
    if (kind === 'human') {
      if (name == null) throw new RefusedError('name_needed')
      person = people.length
      people.push({ number: person, name: cleaned(name) })
    }
    const bot = kind === 'bot' ? knownLevel(level, world.levels) : null
    chairs.push({ kind, colour: chairs.length, person, level: bot })
  }
  const promise = command.promise ?? null
  return { kind: 'created', agreement, chairs, people, seed: world.newSeed(), lesson: false, promise }
}

/** An agreement that can be kept: what its rulebook means is in it, what is usual is not. */
function agreed(wanted: Agreement, world: World): Agreement {
  const agreement = { ...wanted, ...ruled(wanted) }
  if ((agreement.move_seconds || agreement.game_seconds) && !agreement.stand_in) agreement.stand_in = DEFAULT_STAND_IN
  if (agreement.stand_in) knownLevel(agreement.stand_in, world.levels)
  const { start, players = 2 } = agreement
  if (typeof start === 'number' && start >= players) throw new RefusedError('no_chair', null, { chair: start + 1 })
  return sparse(agreement)
}

function ruled(agreement: Agreement): Agreement {
  const players = agreement.players ?? 2
  try {
    const options = optionsFor(agreement, players)
    const deal = usualDeal(options) ? 'usual' : agreement.deal!
    return { rob: null, hands: null, spare: null, ...unusual(options), deal }
  } catch (error) {
    if (error instanceof RulebookError) {
      const { rulebook, option, wanted, given } = error
      throw new RefusedError('rulebook_says', null, { rulebook, option, wanted, given })
    }
    if (!(error instanceof DealError)) throw error
    const values = { players, most: LARGEST_HAND, given: agreement.deal ?? '' }
    throw new RefusedError('bad_deal', 'R7', values)
  }
}

/** Without what is usual. */
export function sparse(agreement: Agreement): Agreement {
  return Object.fromEntries(
    Object.entries(agreement).filter(
      ([name, value]) => value !== undefined && value !== USUAL[name as keyof Agreement],
    ),
  )
}

/** The guided game: its deal is known. */
function createLesson(command: NewTable): EventOf<'created'> {
  const { name, lesson: _, ...rest } = command
  if (Object.values(rest).some((value) => value != null && value !== false)) throw new RefusedError('lesson_as_it_is')
  return {
    kind: 'created',
    agreement: { start: 'order' },
    chairs: [
      { kind: 'human', colour: 0, person: 0, level: null },
      { kind: 'bot', colour: 1, person: null, level: LEVELS[0] },
    ],
    people: [{ number: 0, name: cleaned(name) }],
    seed: lesson.seed,
    lesson: true,
    promise: null,
  }
}
