// One table of this device: its single writer. As `server/runtime/actor.py`: decide, append the event, take it in, show it.
// What was answered is kept already; where another tab was faster, its events are taken in first.
import type { Answer, CommandMessage, EventMessage, Page, Snapshot, Summary, ToClient } from '../wire/messages'
import { decide, NEVER_STALE } from './decisions/decide'
import { evolve } from './evolution/evolve'
import type { StoredEvent } from './events'
import { MoveError } from './play/errors'
import { messageFor, project, type Projection } from './projection'
import { RefusedError, StaleError } from './refusals'
import { snapshotOf, summaryOf } from './snapshots'
import { ConflictError, type Storage } from './storage'
import { Table } from './table'
import type { Words } from './words'
import type { Outcome, World } from './world'

/** Events that somebody who comes back gets one by one; for more there is a snapshot. */
const RECENT = 32
/** Lines of the log in a snapshot. */
const LONGEST_LOG = 500
/** Events in one answer to those who read a whole game. */
const PAGE = 200

/** Somebody who is told what happens at a table. */
export interface Listener {
  /** With whose eyes it looks. */
  person: number | null
  send(message: ToClient): void
}

export interface Scheduler {
  /** Something has happened at a table, or somebody has come. */
  lookAfter(actor: Actor): void
  /** Something has failed. */
  retryLater(actor: Actor): void
  /** There is no such table any more. */
  forget(actor: Actor): void
}

interface Pending {
  command: string
  decide: (table: Table) => Outcome
  /** What the sender knew; null where that does not matter. */
  version: number | null
}

export class Actor {
  table: Table
  readonly listeners = new Set<Listener>()
  readonly #storage: Storage
  readonly #world: World
  readonly #scheduler: Scheduler
  readonly #words: Words
  /** All commands that were accepted, so that each happens once however often it is sent. */
  readonly #commands = new Map<string, number>()
  /** The table after every page of events: whoever looks back starts from there. */
  readonly #checkpoints: Table[] = []
  #recent: Projection[] = []
  #log: EventMessage[] = []
  /** The end of all that waits to be handled. */
  #last: Promise<unknown> = Promise.resolve()
  /** False after a failure whose outcome is unknown: the events must be read again. */
  #fresh = true
  #told: readonly number[] = []
  /** From when on it could be reached: nobody is late for what came before. */
  since = 0
  gone = false

  constructor(code: string, storage: Storage, world: World, scheduler: Scheduler, words: Words) {
    this.table = new Table(code)
    this.#storage = storage
    this.#world = world
    this.#scheduler = scheduler
    this.#words = words
    this.since = world.now()
  }

  /** The table's time never goes back, whatever becomes of the device's clock. */
  get now(): number {
    return Math.max(this.#world.now(), this.table.touched)
  }

  /** All of them are on this device. */
  get people(): readonly number[] {
    return [...this.table.people.keys()].sort((a, b) => a - b)
  }

  get present(): readonly number[] {
    return this.listeners.size ? this.people : []
  }

  // Commands

  /** Handles a command of a person, once. */
  async submit(person: number, { id, version, wish }: CommandMessage, language: string): Promise<Answer> {
    try {
      const number = await this.post({
        command: `${person}:${id}`,
        decide: (table) => decide(table, person, wish, this.#world),
        version: NEVER_STALE.includes(wish.type) ? null : version,
      })
      return { type: 'answer', id, result: 'accepted', number }
    } catch (error) {
      return { type: 'answer', id, ...this.#unhappy(error, version, person, language) }
    }
  }

  #unhappy(error: unknown, version: number, person: number, language: string): Omit<Answer, 'type' | 'id'> {
    const refused = error instanceof RefusedError || error instanceof MoveError
    const stale = error instanceof StaleError
    if (!refused && !stale) console.error(error)
    const { reason } = refused ? error : new RefusedError(stale ? 'stale' : 'failed')
    const missing = stale ? this.missing(version, person) : null
    return {
      result: refused ? 'refused' : stale ? 'stale' : 'failed',
      number: this.table.number,
      ...(reason.rule === null ? {} : { rule: reason.rule }),
      reason: this.#words(reason, language),
      key: reason.key,
      ...(missing?.length ? { missing } : {}),
    }
  }

  /** Handles one thing after another; the number of the event that it makes. */
  post(pending: Pending): Promise<number> {
    const done = this.#last.then(() => this.#handle(pending))
    this.#last = done.catch(() => {})
    return done
  }

  async #handle(pending: Pending): Promise<number> {
    const { command, version } = pending
    if (this.gone || !this.#fresh || (version !== null && version > this.table.number)) await this.#mustReload()
    const known = this.#commands.get(command)
    if (known !== undefined) return known
    const before = this.table
    if (version !== null && (version < before.changed || version > before.number)) throw new StaleError()
    const { event, game } = pending.decide(before)
    const stored: StoredEvent = { number: before.number + 1, at: this.now, event, command }
    const after = evolve(this.#world.rules, before, stored, game)
    // Before it is kept: an event that can't be shown must not get into the table.
    const projection = project(before, after, stored)
    try {
      await this.#storage.append(before.code, stored)
    } catch (error) {
      if (error instanceof ConflictError) {
        await this.#mustReload()
        return this.#handle(pending)
      }
      this.#fresh = false
      this.#scheduler.retryLater(this)
      throw error
    }
    this.#takeIn(projection)
    this.#scheduler.lookAfter(this)
    return stored.number
  }

  // What is kept

  /** Takes in what was kept before, or by another tab; false where there is no such table, or none any more. */
  async load(): Promise<boolean> {
    const { code, number } = this.table
    // The last event that is known comes once more: it is missing where the table was forgotten.
    const kept = await this.#storage.events(code, Math.max(0, number - 1))
    if (kept[0]?.number !== Math.max(1, number)) return false
    for (const stored of kept.slice(number ? 1 : 0)) {
      const after = evolve(this.#world.rules, this.table, stored)
      this.#takeIn(project(this.table, after, stored))
    }
    this.#fresh = true
    return true
  }

  async #reload(): Promise<void> {
    if (!this.gone && (await this.load())) this.#scheduler.lookAfter(this)
    else this.vanish()
  }

  async #mustReload(): Promise<void> {
    await this.#reload()
    if (this.gone) throw this.#noTable
  }

  /** Another tab has said that something has happened, or a failure is over. */
  catchUp(): Promise<void> {
    const done = this.#last.then(() => this.#reload())
    this.#last = done.catch(() => {})
    return done
  }

  /** The table was forgotten, here or in another tab: all who listen are told so, and nothing more. */
  vanish(): void {
    this.gone = true
    this.#scheduler.forget(this)
    const { key } = this.#noTable.reason
    for (const listener of this.listeners)
      listener.send({ type: 'answer', id: '', result: 'refused', number: this.table.number, key })
    this.listeners.clear()
  }

  get #noTable(): RefusedError {
    return new RefusedError('no_table', null, { code: this.table.code })
  }

  /** Goes on to the table after an event that is kept, and shows it to all who listen. */
  #takeIn(projection: Projection): void {
    const { stored, after } = projection
    this.table = after
    this.#commands.set(stored.command, stored.number)
    if (stored.number % PAGE === 0) this.#checkpoints.push(after)
    this.#recent = [...this.#recent, projection].slice(-RECENT)
    if (stored.event.kind === 'created' || stored.event.kind === 'rematched') this.#log = []
    const { table: _, clock: __, ...told } = projection.public
    this.#log = [...this.#log, told].slice(-LONGEST_LOG)
    for (const listener of this.listeners) listener.send(messageFor(projection, listener.person))
  }

  // Looking

  enter(listener: Listener, after: number | null): void {
    const missed = after === null ? null : this.missing(after, listener.person)
    for (const message of missed ?? [this.snapshot(listener.person)]) listener.send(message)
    this.listeners.add(listener)
    this.#tellPresence()
    if (missed) listener.send({ type: 'present', people: this.present })
    this.#scheduler.lookAfter(this)
  }

  leave(listener: Listener): void {
    this.listeners.delete(listener)
    this.#tellPresence()
  }

  #tellPresence(): void {
    const people = this.present
    if (people.join() === this.#told.join()) return
    this.#told = people
    for (const listener of this.listeners) listener.send({ type: 'present', people })
  }

  /** The events after a number as one person sees them; null where they are too many. */
  missing(after: number, person: number | null): EventMessage[] | null {
    if (after === this.table.number) return []
    const first = this.#recent[0]?.stored.number
    if (first === undefined || after < first - 1 || after > this.table.number) return null
    return this.#recent.filter(({ stored }) => stored.number > after).map((each) => messageFor(each, person))
  }

  snapshot(person: number | null): Snapshot {
    return snapshotOf(this.table, this.now, person, this.people, this.present, this.#log)
  }

  summary(): Summary {
    return summaryOf(this.table, this.people)
  }

  /** The events after a number, however old, as one person sees them. */
  async page(after: number, person: number | null): Promise<Page> {
    const last = this.table.number
    if (after >= last) return { number: last, events: [], snapshot: null, more: false }
    const passed = Math.floor(after / PAGE)
    let table = passed ? this.#checkpoints[passed - 1]! : new Table(this.table.code)
    const events: EventMessage[] = []
    for (const stored of (await this.#storage.events(table.code, table.number)).slice(0, PAGE)) {
      // Something may have been kept that is not taken in yet.
      if (stored.number > last) break
      const before = table
      table = evolve(this.#world.rules, before, stored)
      if (stored.number > after) events.push(messageFor(project(before, table, stored), person))
    }
    return { number: last, events, snapshot: null, more: table.number < last }
  }
}
