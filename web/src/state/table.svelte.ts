// A table as this device knows it: what the server has said, and how much of it is on the screen already.
// Steps wait in a queue, so that each is seen; whoever is in a hurry sees them all at once.
import { tick } from 'svelte'

import { prepareAnimations } from '../board/animations'
import { playersOf, type Player } from '../board/position'
import { noteBrought, promisedNumber } from '../device/numbers'
import { boardFor, calm, settings } from '../device/settings.svelte'
import { play } from '../device/sound'
import { save, saved } from '../device/storage'
import { say } from '../i18n/say.svelte'
import { history } from '../net/api'
import { Connection } from '../net/connection.svelte'
import {
  DEALING,
  OVER,
  PLACING,
  type Clock,
  type EventMessage,
  type Own,
  type Shown,
  type ShownTable,
  type Snapshot,
} from '../wire/messages'
import { isHere } from '../wire/here'
import type { Seat } from '../wire/names'
import { isChat } from '../wire/chat'
import { eventInWords } from './log'
import { newsOf, roundInWords, stepsOfOthers } from './news'

/** Milliseconds from one step of somebody else to the next. */
const PACES = { calm: 900, quick: 300, off: 0 } as const
/** How much sooner the next step comes for somebody who wants it faster. */
const FASTER = 3
/** Milliseconds for which what somebody says stays at the player's board: long enough to read a line. */
const HEARD = 7000
/** Beyond this many steps behind, the rest is shown at once. */
const TOO_MANY = 60

export interface Position {
  shown: Shown
  own: Own | null
}

export class TableStore {
  readonly code: string
  /** It is on this device: nobody else can come, talk or be away. */
  readonly onDevice: boolean
  table = $state.raw<ShownTable | null>(null)
  shown = $state.raw<Shown | null>(null)
  own = $state.raw<Own | null>(null)
  clock = $state.raw<Clock | null>(null)
  hands = $state.raw<Snapshot['hands']>(null)
  log = $state.raw<readonly EventMessage[]>([])
  present = $state.raw<readonly number[]>([])
  /** Whom this device can act for, and whose eyes it looks with. */
  people = $state.raw<readonly number[]>([])
  person = $state<number | null>(null)
  /** Who has said to hold this device, where several people share it. */
  holder = $state<number | null>(null)
  /** The step on the screen, for whoever celebrates it. */
  latest = $state.raw<EventMessage | null>(null)
  /** What was said just now, by person: seen at the player's board. */
  speech = $state.raw<ReadonlyMap<number, EventMessage>>(new Map())
  /** Spoken by the live region. */
  said = $state('')
  /** Whether everything that is known is on the screen. */
  still = $state(true)
  /** Others' steps wait until they are wanted, or come faster. */
  paused = $state(false)
  fast = $state(false)
  /** An earlier position that is looked at again. */
  past = $state.raw<{ event: EventMessage; position: Position } | null>(null)
  /** The table as it has gone on to another game, which nobody here has agreed to: the result stays on the screen. */
  ahead = $state.raw<ShownTable | null>(null)
  /** The host has asked somebody on this device to go. */
  dismissed = $state(false)
  connection = $state.raw<Connection>(undefined as unknown as Connection)

  readonly players = $derived<readonly Player[]>(this.table ? playersOf(this.table) : [])
  readonly names = $derived(
    new Map(
      this.table?.chairs.flatMap((chair) => (chair.person == null ? [] : [[chair.person, chair.name ?? ''] as const])),
    ),
  )
  /** What others did since this seat's last own action. */
  readonly others = $derived.by(() => stepsOfOthers(this.log, (this.own?.seat ?? null) as Seat | null))
  readonly news = $derived(newsOf(this.others))
  /** The step on the screen, in words. */
  readonly told = $derived.by(() => {
    const event = this.log.findLast(({ lines }) => lines?.length)
    return event ? eventInWords(event, this.players, this.names, this.own?.seat) : ''
  })
  /** What each of the others did since, in a sentence. */
  readonly round = $derived.by(() => roundInWords(this.others, this.players))
  /** Others' steps come one by one, and can be paused, hastened or skipped. */
  readonly following = $derived.by(() => {
    const { shown, own, table } = this
    if (!shown || table?.state === 'gathering' || settings.pace === 'off') return false
    if (this.paused || !this.still) return true
    // Between two steps of a bot nothing waits; what is on the screen stays.
    return table?.state === 'playing' && !own?.legal.length && !!this.players[shown.seat]?.bot
  })
  /** Whether anybody has cards: until then there is nothing that others must not see. */
  readonly secret = $derived(!!this.shown && (this.shown.phase !== PLACING || !!this.shown.seen))
  /** The hand is not to be shown: several people share this device, and nobody has said to hold it. */
  readonly veiled = $derived(
    this.people.length > 1 && this.secret && this.holder !== this.person && this.table?.state === 'playing',
  )
  /** How the palaces lie on this device. */
  readonly board = $derived(boardFor(this.table?.agreement.rulebook))
  /** Whoever looks has given up, and looks on until the game is over. */
  readonly gaveUp = $derived.by(
    () =>
      this.table?.state === 'playing' &&
      this.players.some(({ person, resigned }) => resigned && person !== null && person === this.person),
  )
  /** Somebody on this device has just left the table. */
  readonly leaving = $derived.by(() => this.latest?.kind === 'left' && this.people.includes(this.latest.person ?? -1))
  readonly state = $derived(this.connection.state)
  /** The server has asked for patience. */
  readonly patient = $derived(this.connection.patient)
  /** Asks the server for something; `person` is for whom, where several share this device. */
  readonly send = $derived(this.connection.send)
  /** Whose devices the cards wait for: they have not brought their numbers yet. */
  readonly awaited = $derived.by(() => {
    if (this.shown?.phase !== DEALING || !this.table) return null
    return this.table.chairs.flatMap(({ promise, number, left_out, name }) =>
      promise && !number && !left_out && name ? [name] : [],
    )
  })
  /** Those who share this device, play, and have not given up. */
  readonly here = $derived.by<readonly Player[]>(() => {
    if (this.table?.state !== 'playing') return []
    return this.players.filter(({ person, resigned }) => person !== null && this.people.includes(person) && !resigned)
  })
  readonly hosts = $derived(this.person !== null && this.person === this.table?.host)

  /** Told of every event when it arrives, on the screen or not. */
  onnews: ((event: EventMessage) => void) | null = null

  #queue: EventMessage[] = []
  #running = false
  #hurry: (() => void) | null = null
  #allowed = 0
  #summed = 0
  /** Promises whose numbers are on their way. */
  #bringing = new Set<string>()
  #positions = new Map<number, Position>()

  constructor(code: string) {
    this.code = code
    this.onDevice = isHere(code)
    this.#connect(null)
    document.addEventListener('visibilitychange', this.#run)
  }

  close(): void {
    this.connection.close()
    document.removeEventListener('visibilitychange', this.#run)
  }

  /** Looks with the eyes of somebody else who shares this device, or comes back with a new seat. */
  lookAs(person: number | null): void {
    this.connection.close()
    this.#connect(person)
  }

  /** Somebody has been given the device. */
  hand(person: number): void {
    this.holder = person
    if (person !== this.person) this.lookAs(person)
  }

  /** Leaves the result for what goes on at the table now. */
  catchUp(): void {
    this.ahead = null
    this.table = null
    this.shown = null
    this.lookAs(this.person)
  }

  /** Shows at once all that waits to be seen; false where nothing does. */
  hurry = (): boolean => {
    if (!this.#running || this.paused) return false
    this.#showAll()
    return true
  }

  /** Others' steps wait, or go on. */
  pause = (): void => {
    this.paused = !this.paused
    this.#hurry?.()
    void this.#run()
  }

  /** Shows one step more, and waits then. */
  step = (): void => {
    this.paused = true
    this.#allowed = 1
    this.#hurry?.()
    void this.#run()
  }

  skip = (): void => {
    this.paused = false
    this.#showAll()
    void this.#run()
  }

  #showAll(): void {
    const waiting = this.#queue.splice(0)
    for (const event of waiting) this.#take(event)
    this.#hurry?.()
  }

  /** The position after an event of this game, from memory or from the server. */
  async position(number: number): Promise<Position | null> {
    if (!this.#positions.has(number)) await this.remember()
    return this.#positions.get(number) ?? null
  }

  /** All positions of this game, in order. */
  async remember(): Promise<Position[]> {
    const [first, last] = [this.log[0]?.number ?? 0, this.log.at(-1)?.number ?? 0]
    for await (const page of history(this.code, first - 1, this.person)) {
      for (const event of page.events) if (event.number <= last) this.#note(event)
      if (page.events.some(({ number }) => number > last)) break
    }
    return [...this.#positions]
      .filter(([number]) => number <= last)
      .sort(([a], [b]) => a - b)
      .map(([, position]) => position)
  }

  async lookBack(event: EventMessage): Promise<void> {
    const position = await this.position(event.number)
    if (position) this.past = { event, position }
  }

  #connect(person: number | null): void {
    this.#bringing.clear()
    this.connection = new Connection(
      this.code,
      {
        snapshot: (snapshot) => this.#start(snapshot),
        event: this.#receive,
        present: (people) => (this.present = people),
      },
      person,
    )
  }

  /** Takes an event into the queue, and whatever does not wait for the steps before it at once. */
  #receive = (event: EventMessage): void => {
    this.#note(event)
    if (event.table) this.#bring(event.table)
    this.onnews?.(event)
    this.#hear(event)
    this.#queue.push(event)
    void this.#run()
  }

  #start(snapshot: Snapshot): void {
    this.people = snapshot.people
    this.#bring(snapshot.table)
    if (this.ahead) {
      this.ahead = snapshot.table
      this.present = snapshot.present
      return
    }
    this.#queue = []
    if (this.person !== snapshot.person) this.#positions.clear()
    this.table = snapshot.table
    this.shown = snapshot.shown
    this.own = snapshot.own
    this.clock = snapshot.clock
    this.hands = snapshot.hands
    this.log = snapshot.log
    this.present = snapshot.present
    this.person = snapshot.person
    this.past = null
    this.still = true
    this.paused = false
    void this.#replay(snapshot)
  }

  /** Plays what has happened since this device last looked, once. */
  async #replay(snapshot: Snapshot): Promise<void> {
    const seen = saved<number>(this.#place, 0)
    this.#saw(snapshot.number)
    const missed = snapshot.log.filter((event) => event.number > seen && event.action != null)
    if (!seen || !missed.length || missed.length > TOO_MANY || settings.pace === 'off') return
    await this.position(missed[0]!.number - 1)
    const before = this.#positions.get(missed[0]!.number - 1)
    if (!before || this.connection.number !== snapshot.number || this.#running) return
    const steps = missed.flatMap((event) => {
      const position = this.#positions.get(event.number)
      return position ? [{ ...event, ...position }] : []
    })
    this.log = snapshot.log.filter((event) => event.number < missed[0]!.number)
    this.shown = before.shown
    this.#queue.unshift(...steps)
    void this.#run()
  }

  get #place(): string {
    return `baghdad-seen-${this.code}`
  }

  /** Whether somebody on this device has agreed to another game, or hosts it. */
  #goesOn(table: ShownTable): boolean {
    return (
      this.people.includes(table.host) ||
      table.chairs.some(({ person }) => person != null && this.people.includes(person))
    )
  }

  #saw(number: number): void {
    save(this.#place, number)
  }

  /** Shows what this device has promised for the deal, as soon as no promise can be changed any more. */
  #bring(table: ShownTable): void {
    if (table.state !== 'playing') return
    for (const { person, promise, number, left_out } of table.chairs) {
      if (
        person == null ||
        !promise ||
        number ||
        left_out ||
        !this.people.includes(person) ||
        this.#bringing.has(promise)
      )
        continue
      const own = promisedNumber(this.code, promise)
      if (!own) continue
      this.#bringing.add(promise)
      void this.send({ type: 'bring', number: own }, person).then(({ result }) => {
        if (result === 'accepted') noteBrought(this.code, own, table.games)
      })
    }
  }

  #note(event: EventMessage): void {
    if (event.shown) this.#positions.set(event.number, { shown: event.shown, own: event.own ?? null })
  }

  /** What people say does not wait for the steps before it. */
  #hear(event: EventMessage): void {
    if (!isChat(event) || event.person == null || settings.mute) return
    const { person } = event
    this.speech = new Map([...this.speech, [person, event]])
    setTimeout(() => {
      if (this.speech.get(person) === event) this.speech = new Map([...this.speech].filter(([who]) => who !== person))
    }, HEARD)
  }

  #run = async (): Promise<void> => {
    if (this.#running) return
    this.#running = true
    while (this.#queue.length && !document.hidden && (!this.paused || this.#allowed)) {
      if (this.#queue.length > TOO_MANY) while (this.#queue.length > 1) this.#take(this.#queue.shift()!)
      this.still = false
      const event = this.#queue.shift()!
      const others = event.seat !== this.own?.seat
      const moving =
        settings.pieces !== 'none' && !(others && settings.pace === 'off') && !calm.matches && !!event.shown
      const launch = moving ? prepareAnimations(event, this.own?.seat ?? null) : null
      this.#take(event)
      await tick()
      launch?.()
      if (!settings.mute || !isChat(event)) play(event, this.own?.seat ?? null)
      if (event.action == null || event.seat === this.own?.seat) continue
      this.#allowed = 0
      const usual = PACES[settings.pace] / (this.fast ? FASTER : 1)
      // The last step is not waited for as long: what it was is said in the round.
      const pause = this.paused ? 0 : this.own?.legal.length ? usual / 2 : usual
      if (pause) await new Promise<void>((done) => ((this.#hurry = done), setTimeout(done, pause)))
    }
    this.#hurry = null
    this.#running = false
    this.still = !this.#queue.length
    if (this.still) this.#arrive()
  }

  /** Nothing waits any more. Where it is this player's turn again, what the others did is said once. */
  #arrive(): void {
    if (!this.own?.legal.length) return
    this.paused = false
    const last = this.log.findLast(({ action }) => action != null)?.number ?? 0
    if (this.round && last !== this.#summed) this.said = this.round
    this.#summed = last
  }

  /** Puts an event on the screen. */
  #take(event: EventMessage): void {
    if (this.ahead || (event.kind === 'rematched' && this.shown && !this.#goesOn(event.table!))) {
      this.ahead = event.table ?? this.ahead
      this.said = event.kind === 'rematched' ? say('rematch.ahead') : ''
      return this.#saw(event.number)
    }
    if (event.kind === 'rematched') {
      this.shown = this.own = this.clock = this.hands = null
      this.log = []
      this.#positions.clear()
      this.past = null
    }
    if (event.table) this.table = event.table
    if (event.shown) {
      this.shown = event.shown
      this.own = event.own ?? null
      this.clock = event.clock ?? null
    }
    this.log = [...this.log, event]
    this.latest = event
    // Whoever leaves by oneself still waits for the answer to that.
    if (
      event.kind === 'left' &&
      this.people.includes(event.person ?? -1) &&
      event.lines?.some(({ key }) => key === 'log.asked_to_go')
    ) {
      this.dismissed = true
      this.lookAs(null)
    }
    // A player hears what the others did when it is the own turn again; whoever watches, step by step.
    const later = event.action != null && !!this.own && event.seat !== this.own.seat && this.shown?.phase !== OVER
    const muted = settings.mute && isChat(event)
    if (!later && !muted)
      this.said =
        eventInWords(event, this.players, this.names, this.own?.seat) ||
        (event.kind === 'arranged' ? say('gather.changed') : '')
    this.#saw(event.number)
  }
}
