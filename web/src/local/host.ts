// All tables of this device, asked as a server is: the same paths, bodies and answers.
import type { CommandMessage, NewTable, Problem, Replay, ToClient, Welcome } from '../wire/messages'
import { Actor, type Listener } from './actor'
import { type Attempt, attempted } from './attempt'
import type { Bots } from './bots'
import { eventsOf, type Brought } from './brought'
import { create } from './decisions/creating'
import { finishedGame, playedGames, savedGame } from './finished'
import { withLesson } from './lesson'
import type { Event } from './events'
import { MoveError } from './play/errors'
import type { Rules } from './play/rules'
import { RefusedError } from './refusals'
import { proofOf, replayOfRecord } from './records'
import { TurnScheduler } from './scheduler'
import { ConflictError, type Storage } from './storage'
import type { Words } from './words'
import type { World } from './world'

interface Answered {
  status: number
  body: unknown
}

/** Chance and time. */
export interface Chance {
  newSeed(): string
  newCode(): string
  pick(bound: number): number
  now(): number
}

/** The statuses of refusals that are not about how things stand. */
const STATUS: Readonly<Record<string, number>> = {
  'server.no_table': 404,
  'server.no_game': 404,
  'server.no_secret': 403,
  'server.not_understood': 400,
  'server.no_page': 404,
}
const RESULTS = { accepted: 200, refused: 409, stale: 412, failed: 503 } as const

export class Host {
  readonly #storage: Storage
  readonly #chance: Chance
  readonly #rules: Rules
  readonly #world: World
  readonly #words: Words
  readonly #scheduler: TurnScheduler
  readonly #actors = new Map<string, Promise<Actor | null>>()

  constructor(storage: Storage, rules: Rules, bots: Bots, chance: Chance, words: Words) {
    this.#storage = storage
    this.#rules = rules
    this.#chance = chance
    this.#words = words
    this.#world = { rules, levels: bots.levels, ...chance }
    this.#scheduler = new TurnScheduler(withLesson(rules, bots))
  }

  /** A request by its path below `/api/`. */
  async ask(path: string, body: unknown, language: string): Promise<Answered> {
    try {
      return await this.#answer(path, body, language)
    } catch (error) {
      const refused = error instanceof RefusedError || error instanceof MoveError
      if (!refused) console.error(error)
      const { reason } = refused ? error : new RefusedError('failed')
      const problem: Problem = { reason: this.#words(reason, language), key: reason.key }
      if (reason.rule !== null) problem.rule = reason.rule
      return { status: refused ? (STATUS[reason.key] ?? 409) : 503, body: problem }
    }
  }

  async #answer(path: string, body: unknown, language: string): Promise<Answered> {
    const [place = '', query = ''] = path.split('?')
    const [noun, code, verb, number, last] = place.split('/')
    const given = new URLSearchParams(query)
    const as = given.get('as')
    if (noun === 'replay')
      return ok(replayOfRecord(this.#rules, (body as { record: string }).record, language, this.#words))
    if (noun === 'verify') return ok(proofOf(this.#rules, body as Parameters<typeof proofOf>[1], language, this.#words))
    if (noun === 'attempt') return ok(attempted(this.#rules, body as Attempt))
    if (noun === 'brought') return ok(await this.#bring(body as Brought, language))
    if (noun !== 'tables') throw new RefusedError('no_page')
    if (code === undefined) return ok(await this.#create(body as NewTable))
    if (verb === 'forget') return this.#forget(code)
    const actor = await this.#actor(code)
    const person = viewer(actor, as === null ? null : Number(as))
    switch (verb) {
      case undefined:
        return ok(actor.snapshot(person))
      case 'summary':
        return ok(actor.summary())
      case 'events':
        return ok(await this.#events(actor, given, person))
      case 'commands':
        return this.#command(actor, body as CommandMessage, language)
      case 'games':
        if (number === undefined) return ok(playedGames(actor.table))
        return this.#look(actor, last, Number(number))
      case 'saved':
        return ok(savedGame(actor.table))
      case 'record':
      case 'replay':
        return this.#look(actor, verb, null)
      default:
        // Nobody joins from elsewhere, and no seat leaves this device.
        throw new RefusedError('only_here')
    }
  }

  async #create(command: NewTable): Promise<Welcome> {
    const event = create(command, this.#world)
    const code = await this.#keep(event)
    return { code, keys: event.people.map(({ number }) => ({ person: number, secret: '' })) }
  }

  /** Keeps the first event of a table; returns its code. */
  async #keep(event: Event): Promise<string> {
    for (;;) {
      const code = this.#chance.newCode()
      try {
        await this.#storage.append(code, { number: 1, at: this.#chance.now(), event, command: 'created' })
        return code
      } catch (error) {
        if (!(error instanceof ConflictError)) throw error // else the code is taken
      }
    }
  }

  /** A game that comes as a record becomes a table, where it goes on unless it is over. */
  async #bring(brought: Brought, language: string): Promise<string> {
    const [created, ...others] = eventsOf(brought, this.#world, language, this.#words)
    const code = await this.#keep(created!)
    for (const [place, event] of others.entries()) {
      const number = place + 2
      await this.#storage.append(code, { number, at: this.#chance.now(), event, command: `brought:${number}` })
    }
    return code
  }

  async #events(actor: Actor, given: URLSearchParams, person: number | null) {
    const after = Number(given.get('after') ?? 0)
    if (given.get('whole') === 'true') return actor.page(after, person)
    const events = actor.missing(after, person)
    const { number } = actor.table
    return events
      ? { number, events, snapshot: null, more: false }
      : { number, events: [], snapshot: actor.snapshot(person), more: false }
  }

  async #command(actor: Actor, message: CommandMessage, language: string): Promise<Answered> {
    const person = viewer(actor, message.person ?? null)
    if (person === null) throw new RefusedError('no_secret')
    const answer = await actor.submit(person, message, language)
    return { status: RESULTS[answer.result], body: answer }
  }

  async #forget(code: string): Promise<Answered> {
    const actor = await this.#find(code).catch(() => null) // also one that can't be read
    await this.#storage.forget(code)
    actor?.vanish()
    return ok(null)
  }

  #look(actor: Actor, what: string | undefined, number: number | null): Answered {
    const { record } = finishedGame(actor.table, number)
    if (what === 'record') return ok(record)
    const replay: Replay = replayOfRecord(this.#rules, record, 'en', this.#words)
    return ok(replay)
  }

  /** Tells somebody what happens at a table; null where there is none. */
  async connect(
    code: string,
    as: number | null,
    after: number | null,
    language: string,
    send: (message: ToClient) => void,
  ): Promise<{ receive: (message: CommandMessage) => void; close: () => void } | null> {
    const actor = await this.#find(code)
    if (!actor) return null
    const person = viewer(actor, as)
    const listener: Listener = { person, send }
    actor.enter(listener, after)
    return {
      receive: (message) => {
        const who = message.person ?? person
        if (who === null || !actor.table.people.has(who)) {
          const { key } = new RefusedError('no_secret').reason
          const reason = this.#words({ key, rule: null, values: {} }, language)
          send({ type: 'answer', id: message.id, result: 'refused', number: actor.table.number, reason, key })
          return
        }
        void actor.submit(who, message, language).then(({ missing: _, ...answer }) => {
          if (actor.listeners.has(listener)) send(answer)
        })
      },
      close: () => actor.leave(listener),
    }
  }

  /** Another tab has written to a table. */
  async changed(code: string): Promise<void> {
    if (this.#actors.has(code)) await (await this.#find(code))?.catchUp()
  }

  async #actor(code: string): Promise<Actor> {
    const actor = await this.#find(code)
    if (!actor) throw new RefusedError('no_table', null, { code })
    return actor
  }

  async #find(code: string): Promise<Actor | null> {
    const known = this.#actors.get(code)
    if (known && !(await known)?.gone) return known
    const loading = this.#load(code)
    this.#actors.set(code, loading)
    try {
      const actor = await loading
      if (!actor) this.#actors.delete(code)
      return actor
    } catch (error) {
      this.#actors.delete(code)
      throw error
    }
  }

  async #load(code: string): Promise<Actor | null> {
    const actor = new Actor(code, this.#storage, this.#world, this.#scheduler, this.#words)
    return (await actor.load()) ? actor : null
  }
}

const ok = (body: unknown): Answered => ({ status: 200, body })

/** Whose eyes to look with: the one asked for, or the first. */
function viewer(actor: Actor, wanted: number | null): number | null {
  if (wanted === null) return actor.people[0] ?? null
  if (!actor.table.people.has(wanted)) throw new RefusedError('no_secret')
  return wanted
}
