// The guided first game. Lessons wait for their moment and are learned by doing; tips come when something
// happens for the first time. Nothing is ever forbidden: whoever does something else has learned that instead.
import { PALACES, type Palace } from '../art/names'
import { keyOf } from '../board/table'
import { DEEDS, ordered, pieceOf, type Deed } from './acting'
import { palacesOf } from './position'
import { say } from './say.svelte'
import { keep, kept } from './settings.svelte'
import type { TableStore } from './table.svelte'
import { deedInWords, type Turn } from './turn.svelte'
import { CHESTS_TO_WIN, GUARD_FIELDS, OVER, PLACING, THIEF_ACTIONS, type Happened } from './wire'

const READ = ['goal', 'guards', 'hand', 'rob', 'lanterns', 'dancers', 'win'] as const
const DONE = ['place', 'smuggle', 'end', 'move', 'carry', 'nothing', 'neutral'] as const
const TIPS = ['robbed', 'rival', 'dark', 'full', 'empty', 'poor', 'alone', 'close', 'last'] as const
type Read = (typeof READ)[number]
type Done = (typeof DONE)[number]
type Tip = (typeof TIPS)[number]
type Lesson = Read | Done

/** In this order, as far as the cards allow. */
export const LESSONS: readonly Lesson[] = [
  'goal',
  'guards',
  'place',
  'hand',
  'smuggle',
  'rob',
  'lanterns',
  'end',
  'move',
  'carry',
  'nothing',
  'dancers',
  'neutral',
  'win',
]

/** What is said now: one idea, and the thing on the table that it is about. */
export interface Advice {
  name: string
  kind: 'read' | 'do' | 'tip' | 'wait'
  text: string
  /** What could be done now. */
  deed: Deed | null
  /** Selector of what it is about. */
  about: string
}

const PLACE = 'baghdad-guide'
interface Kept {
  code: string
  learned: string[]
  off: boolean
}

/** What a deed teaches. */
function taught(deed: Deed): Done {
  if (deed.kind === 'end') return deed.token === '.' ? 'end' : 'nothing'
  return deed.kind === 'move' && deed.neutral ? 'neutral' : deed.kind
}

function isDone(lesson: Lesson): lesson is Done {
  return (DONE as readonly string[]).includes(lesson)
}

export class Guide {
  readonly store: TableStore
  readonly turn: Turn
  /** Names of lessons and tips that need no more telling. */
  learned = $state.raw<ReadonlySet<string>>(new Set())
  off = $state(false)
  /** The last lesson was learned by doing. */
  praise = $state(false)
  #tips = $state.raw<readonly Tip[]>([])
  #heard = 0

  constructor(store: TableStore, turn: Turn) {
    this.store = store
    this.turn = turn
    const before = kept<Kept>(PLACE, { code: '', learned: [], off: false })
    if (before.code === store.code) {
      this.learned = new Set(before.learned)
      this.off = before.off
    }
    for (const event of store.log) this.#hear(event)
    this.#tips = []
    this.praise = false
  }

  /** Learns from what has happened since; to be called whenever the log grows. */
  listen = (): void => {
    for (const event of this.store.log) if (event.number > this.#heard) this.#hear(event)
    this.#notice()
  }

  next = (): void => {
    const advice = this.advice
    if (!advice || advice.kind === 'wait') return
    this.praise = false
    if (advice.kind === 'tip') this.#tips = this.#tips.slice(1)
    this.#learn(advice.name)
  }

  stop = (): void => {
    this.off = true
    this.#save()
  }

  readonly pending = $derived(LESSONS.filter((lesson) => !this.learned.has(lesson)))

  readonly advice = $derived.by((): Advice | null => {
    const { shown, past, players } = this.store
    if (this.off || past || !shown || shown.phase === OVER) return null
    const tip = this.#tips[0]
    if (tip) return { name: tip, kind: 'tip', text: say(`tip.${tip}`, this.#values(tip)), deed: null, about: this.#aboutTip(tip) }
    const lesson = this.pending.find((each) => this.#fits(each))
    if (lesson) return this.#lesson(lesson)
    if (!this.pending.length) return null
    const rest = this.pending.every((each) => each === 'win' || each === 'carry' || each === 'neutral')
    // The cards have not allowed it for so long that it is told without being done.
    if (this.turn.mine && rest && !shown.acted) return this.#lesson(this.pending[0]!)
    const name = this.turn.mine ? 'go_on' : 'watch'
    const on = players[shown.seat]
    return { name, kind: 'wait', text: say(`learn.${name}`, { name: on?.name ?? '' }), deed: null, about: this.turn.mine ? '[data-end]' : `[data-player="${shown.seat}"]` }
  })

  /** Where to point now: first at the piece, then at the palace. */
  readonly spot = $derived.by((): string => {
    const { advice, turn } = this
    if (!advice?.deed?.to || turn.seat === null) return advice?.about ?? ''
    const piece = pieceOf(advice.deed, turn.seat)
    if (!piece) return `[data-palace="${advice.deed.to}"]`
    if (turn.chosen && keyOf(turn.chosen) === keyOf(piece)) return `[data-palace="${advice.deed.to}"]`
    return piece.kind === 'stock' ? '[data-home]' : `[data-piece="${keyOf(piece)}"]`
  })

  #lesson(name: Lesson): Advice {
    const deed = isDone(name) ? this.#suggestion(name) : null
    const text = say(`learn.${name}`, this.#values(name))
    if (!isDone(name)) return { name, kind: 'read', text, deed, about: this.#about(name) }
    if (!this.#deeds(name).length) return { name, kind: 'read', text: `${text} ${say('learn.later')}`, deed, about: this.#about(name) }
    const words = deed?.to && deed.kind !== 'place' ? ` ${say('learn.try', { deed: deedInWords(deed) })}` : ''
    return { name, kind: 'do', text: text + words, deed, about: this.#about(name) }
  }

  #deeds(lesson: Done): Deed[] {
    return this.turn.deeds.filter((deed) => taught(deed) === lesson)
  }

  /** A good one of the deeds: near a chest, cheap, and without dancers. */
  #suggestion(lesson: Done): Deed | null {
    const { shown } = this.store
    const { seat, hand } = this.turn
    if (seat === null || !shown) return null
    const palaces = palacesOf(shown, seat)
    const at = (palace: Palace | null) => palaces[PALACES.indexOf(palace!)]!
    const missing = (deed: Deed) => (deed.to ? (at(deed.to).chests[0] ?? 9) - at(deed.to).thieves[seat]! : 0)
    const own = (deed: Deed) => (deed.to ? at(deed.to).guards.filter((owner) => owner === seat).length : 0)
    const cost = (deed: Deed) => (lesson === 'place' ? 3 * own(deed) + at(deed.to).guards.length : 2 * deed.price.length + missing(deed) + own(deed))
    const deeds = ordered(this.#deeds(lesson), hand)
    return deeds.reduce<Deed | null>((best, deed) => (best && cost(best) <= cost(deed) ? best : deed), null)
  }

  #fits(lesson: Lesson): boolean {
    const { shown } = this.store
    const { seat, mine } = this.turn
    if (!shown || seat === null) return false
    if (isDone(lesson)) return mine && this.#deeds(lesson).length > 0
    switch (lesson) {
      case 'hand':
        return shown.phase !== PLACING && mine
      case 'rob':
        return shown.thieves.some((there) => there[seat])
      case 'lanterns':
        return mine && shown.thief_actions > 0
      case 'dancers':
        return this.learned.has('nothing')
      case 'win':
        return this.pending.length === 1
      default:
        return true
    }
  }

  #about(lesson: Lesson): string {
    const seat = this.turn.seat
    switch (lesson) {
      case 'goal':
        return '[data-chests]'
      case 'guards':
      case 'neutral':
        return '[data-piece$=" n"]'
      case 'place':
        return '[data-palace]'
      case 'hand':
      case 'smuggle':
        return ':has(> [data-home])'
      case 'rob':
      case 'carry':
        return `[data-piece^="thief "][data-piece$=" ${seat}"]`
      case 'lanterns':
        return '.lanterns'
      case 'move':
        return `[data-piece^="guard "][data-piece$=" ${seat}"]`
      case 'dancers':
        return '[data-pile="dancers"]'
      case 'win':
        return `[data-player="${seat}"]`
      default:
        return '[data-end]'
    }
  }

  #aboutTip(tip: Tip): string {
    if (tip === 'full' || tip === 'empty' || tip === 'alone') return `[data-palace="${this.#palace(tip)}"]`
    if (tip === 'dark') return '.lanterns'
    if (tip === 'poor') return '[data-end]'
    return `[data-player="${tip === 'rival' || tip === 'close' ? 1 - this.turn.seat! : this.turn.seat}"]`
  }

  #values(name: string): Record<string, string | number> {
    const { shown, players } = this.store
    const seat = this.turn.seat ?? 0
    const palace = this.#palace(name)
    const waiting = shown!.thieves.findIndex((there) => there[seat])
    const counts: Record<string, number> = {
      place: shown!.unplaced[seat]?.reduce((sum, n) => sum + n, 0) ?? 0,
      rob: waiting < 0 ? 0 : (palacesOf(shown!, null)[waiting]!.chests[0] ?? 0),
    }
    return {
      n: counts[name] ?? CHESTS_TO_WIN[shown!.players as 2],
      name: players[1 - seat]?.name ?? '',
      palace: palace ? say('field.name', { palace: say(`palace.${palace}`) }) : '',
    }
  }

  /** The palace that a tip is about. */
  #palace(tip: string): Palace | undefined {
    const { shown } = this.store
    const seat = this.turn.seat
    const found = shown && palacesOf(shown, seat).find(({ guards, chests, price }) => {
      if (tip === 'full') return guards.length === GUARD_FIELDS
      if (tip === 'empty') return !chests.length
      return tip === 'alone' && price === null && guards.length > 0 && guards.every((owner) => owner === seat)
    })
    return found?.palace
  }

  #hear(event: Happened): void {
    this.#heard = event.number
    const seat = this.store.own?.seat ?? this.turn.seat
    if (event.action == null || event.shown?.phase === OVER) return
    if (event.robbed?.length) this.#tell(event.seat === seat ? 'robbed' : 'rival')
    if (event.seat !== seat) return
    const lesson = taught(DEEDS[event.action]!)
    if (event.robbed?.length) this.#learn('rob')
    // All own guards, not the first of them.
    if (lesson === 'place' && event.shown?.phase === PLACING && event.shown.unplaced[seat!]?.some(Boolean)) return
    if (lesson !== 'place') this.#learn('place')
    this.praise = !this.learned.has(lesson)
    this.#learn(lesson)
  }

  /** What is worth a word when it is seen for the first time, once the lessons are over. */
  #notice(): void {
    const { shown } = this.store
    const { mine, deeds, seat } = this.turn
    if (!shown || seat === null || !mine || this.pending.length) return
    const needed = CHESTS_TO_WIN[shown.players as 2]
    if (shown.thief_actions === THIEF_ACTIONS) this.#tell('dark')
    if (this.#palace('full')) this.#tell('full')
    if (this.#palace('empty')) this.#tell('empty')
    if (this.#palace('alone')) this.#tell('alone')
    if (!shown.acted && deeds.every(({ kind }) => kind === 'end')) this.#tell('poor')
    if (shown.loot[1 - seat] === needed - 1) this.#tell('close')
    if (shown.loot[seat] === needed - 1) this.#tell('last')
  }

  #tell(tip: Tip): void {
    if (!this.learned.has(tip) && !this.#tips.includes(tip)) this.#tips = [...this.#tips, tip]
  }

  #learn(name: string): void {
    if (this.learned.has(name)) return
    this.learned = new Set([...this.learned, name])
    this.#save()
  }

  #save(): void {
    keep(PLACE, { code: this.store.code, learned: [...this.learned], off: this.off } satisfies Kept)
  }
}
