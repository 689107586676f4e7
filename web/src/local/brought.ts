// A game that somebody brings as a record becomes a table on this device: what has happened there, from its beginning.
import type { Agreement } from '../wire/messages'
import { sparse } from './decisions/creating'
import type { Event, EventOf, Person, Seating } from './events'
import { dealSeed, dealt } from './play/fair'
import { CHANCE, Game, cardsOf, isChance } from './play/game'
import { unusual, usualDeal } from './play/options'
import type { Rules } from './play/rules'
import { ACTION_OF } from './play/tokens'
import { loaded, pledgesOf } from './records'
import { coloursIn, namesIn } from './replay'
import type { Words } from './words'
import type { World } from './world'

const SECRET = /^[0-9a-f]{64}$/

export interface Brought {
  record: string
  /** What people are called whom the record does not name, by seat. */
  guests: readonly string[]
}

/** Throws a `RefusedError` where the record tells what can't have been. */
export function eventsOf({ record, guests }: Brought, world: World, language: string, words: Words): Event[] {
  const { game, headers } = loaded(world.rules, record, language, words)
  const created = createdBy(game, headers, guests, world)
  return [created, ...whatHappened(world.rules, game, created)]
}

function createdBy(
  { options }: Game,
  headers: Readonly<Record<string, string>>,
  guests: readonly string[],
  world: World,
): EventOf<'created'> {
  const { players, variant, rulebook } = options
  const names = namesIn(headers.Seats ?? '', players)
  const bots = namesIn(headers.Bots ?? '', players)
  const people: Person[] = []
  const sitting = (name: string | undefined) => {
    people.push({ number: people.length, name: name ?? '?' })
    return people.length - 1
  }
  const chairs = coloursIn(headers.Colours ?? '', players).map((colour, seat): Seating => {
    // Where the record does not say who is a bot, one goes by the name of its level.
    const level = bots[seat] ?? names[seat] ?? ''
    return world.levels.includes(level)
      ? { kind: 'bot', colour, person: null, level }
      : { kind: 'human', colour, person: sitting(names[seat] ?? guests[seat]), level: null }
  })
  // Somebody looks on where all are bots.
  if (!people.length) sitting(guests[0])
  const pledges = pledgesOf(headers, players)
  const known = SECRET.test(headers.Seed ?? '') ? pledges : null
  const deal = usualDeal(options) ? 'usual' : options.deal.join('-')
  return {
    kind: 'created',
    agreement: sparse({
      players,
      variant,
      rulebook: rulebook as NonNullable<Agreement['rulebook']> | null,
      ...unusual(options),
      deal,
      start: 'order',
    }),
    chairs,
    people,
    // The cards that are still to come are those that would have come.
    seed: known
      ? dealSeed(
          headers.Seed!,
          known.map(({ number }) => number),
        )
      : world.newSeed(),
    lesson: false,
    promise: null,
    ...(known ? {} : { unproved: true }),
  }
}

/** The game played once more, as events. */
function whatHappened(rules: Rules, game: Game, { chairs, seed }: EventOf<'created'>): Event[] {
  const started: { kind: 'started'; order: number[]; chance: string[]; promises: [] } = {
    kind: 'started',
    order: [...chairs.keys()],
    chance: [],
    promises: [],
  }
  const events: Event[] = [started]
  let last: { chance: string[] } = started
  let again = Game.begin(rules, game.options).knowing(game.resigned)
  const gaveUp = (number: number) => {
    for (const [seat, before] of game.resigned)
      if (before === number) events.push({ kind: 'resigned', person: chairs[seat]!.person ?? 0, seat })
  }
  const { tokens } = game
  for (const [number, token] of tokens.entries()) {
    gaveUp(number)
    if (isChance(token)) {
      last.chance.push(token)
      again = again.draw(cardsOf(token))
      continue
    }
    const moved = {
      kind: 'moved' as const,
      seat: again.toMove!,
      action: ACTION_OF.get(token)!,
      chance: [],
      instead: false,
    }
    events.push((last = moved))
    again = again.play(token)
  }
  gaveUp(tokens.length)
  // It may stop between a turn and the cards that come with it.
  if (game.toMove === CHANCE) last.chance.push(...dealt(game, seed).chance)
  const { termination } = game
  if (termination !== null && termination !== 'resigned') events.push({ kind: 'ended', how: termination })
  return events
}
