// The guided first game: a prepared deal and a script of good moves. Nothing is ever forbidden: whoever does something
// else can take it back, or plays on freely. Tips come when something happens for the first time after the script.
import { keyOf } from '../board/model'
import { palacesOf } from '../board/position'
import { save, saved } from '../device/storage'
import { say, type Key } from '../i18n/say.svelte'
import { pieceOf } from '../state/acting'
import type { TableStore } from '../state/table.svelte'
import type { Turn } from '../state/turn.svelte'
import type { Action } from '../wire/actions'
import { CHESTS_TO_WIN, GUARD_FIELDS, OVER, THIEF_ACTIONS, type EventMessage } from '../wire/messages'
import type { Palace } from '../wire/names'
import { progressOf, SCRIPT, type Step } from './lesson'

type Tip = 'robbed' | 'rival' | 'dark' | 'full' | 'empty' | 'poor' | 'alone' | 'close' | 'last'

/** What is said now: one idea, and the thing on the table that it is about. */
export interface Advice {
  name: string
  /** To be read; to be done; something else was done, and can be taken back or not; a tip; others play. */
  kind: 'read' | 'do' | 'other' | 'free' | 'tip' | 'wait'
  text: string
  /** Which of all steps of the script, from 1; 0 for what does not belong to it. */
  number: number
  /** What is to be done now. */
  action: Action | null
  /** Selector of what it is about. */
  about: string
}

const PLACE = 'baghdad-guide'
interface SavedProgress {
  code: string
  /** Steps of the script that were read. */
  read: number[]
  /** Tips that need no more telling. */
  told: string[]
  /** The script was left for good. */
  free: boolean
  off: boolean
}

/** Selectors of what the script's own words are about. */
const ABOUT: Readonly<Record<string, string>> = {
  chests: '[data-chests]',
  guards: '[data-piece$=" n"]',
  hand: ':has(> [data-home])',
  line: '[data-end]',
}

export class Guide {
  readonly store: TableStore
  readonly turn: Turn
  off = $state(false)
  #read = $state.raw<ReadonlySet<number>>(new Set())
  #told = $state.raw<ReadonlySet<string>>(new Set())
  #free = $state(false)
  #tips = $state.raw<readonly Tip[]>([])
  #heard = 0

  constructor(store: TableStore, turn: Turn) {
    this.store = store
    this.turn = turn
    const before = saved<Partial<SavedProgress>>(PLACE, {})
    if (before.code === store.code) {
      this.#read = new Set(before.read)
      this.#told = new Set(before.told)
      this.#free = before.free ?? false
      this.off = before.off ?? false
    }
    this.#heard = store.log.at(-1)?.number ?? 0
  }

  readonly #progress = $derived.by(() => progressOf(this.store.log))
  /** The script has something left to say. */
  readonly #guided = $derived.by(() => !!this.store.table?.lesson && !this.#free && this.#at < SCRIPT.length)
  /** Where in the script the game is: the first step that is neither done nor read. What comes before a move that has
   * been made needs no more reading. */
  readonly #at = $derived.by(() => {
    const last = Math.max(-1, ...this.#progress.done)
    const at = SCRIPT.findIndex((step, number) =>
      step.action ? !this.#progress.done.has(number) : number > last && !this.#read.has(number),
    )
    return at < 0 ? SCRIPT.length : at
  })
  /** What is to be done next: the first of this turn's moves that can be made. */
  readonly #next = $derived.by((): { action: Action; number: number } | null => {
    const { mine, actions } = this.turn
    for (const number of this.#progress.open) {
      const action = SCRIPT[number]!.action!
      // While a command is on its way nothing can be done, and the next word waits for its answer.
      if (!mine || actions.includes(action)) return { action, number }
    }
    return null
  })

  readonly advice = $derived.by((): Advice | null => {
    const { shown, past } = this.store
    if (this.off || past || !shown || shown.phase === OVER) return null
    if (this.#guided) return this.#scripted()
    const tip = this.#tips[0]
    if (!tip) return null
    return {
      name: tip,
      kind: 'tip',
      text: say(`tip.${tip}`, this.#values(tip)),
      number: 0,
      action: null,
      about: this.#aboutTip(tip),
    }
  })

  /** Where to point now: first at the piece, then at the palace, then at the payment. */
  readonly halo = $derived.by((): string => {
    const { advice, turn } = this
    if (!advice?.action || turn.seat === null) return turn.choice ? '' : (advice?.about ?? '')
    const { action } = advice
    if (turn.choice) return turn.choice.actions.includes(action) ? `[data-action="${action.token}"]` : ''
    if (!action.to) return `[data-end="${action.token}"]`
    const piece = pieceOf(action, turn.seat)
    if (!piece || (turn.chosen && keyOf(turn.chosen) === keyOf(piece))) return `[data-palace="${action.to}"]`
    return piece.kind === 'stock' ? '[data-home]' : `[data-piece="${keyOf(piece)}"]`
  })

  /** Learns from what has happened since; to be called whenever the log grows. */
  listen = (): void => {
    for (const event of this.store.log) if (event.number > this.#heard) this.#hear(event)
    this.#notice()
  }

  /** On to the next thing. */
  next = (): void => {
    const { advice } = this
    if (advice?.kind === 'tip') {
      this.#tips = this.#tips.slice(1)
      this.#told = new Set([...this.#told, advice.name])
    } else if (advice?.kind === 'read') this.#read = new Set([...this.#read, this.#at])
    else if (advice?.kind === 'other' || advice?.kind === 'free') this.#free = true
    this.#save()
  }

  stop = (): void => {
    this.off = true
    this.#save()
  }

  #scripted(): Advice {
    const { mine, onTurn } = this.turn
    const step = SCRIPT[this.#at]!
    if (this.#progress.left || (mine && step.action && !this.#next)) {
      const back = !!this.store.own?.undo || (onTurn && !mine)
      const kind = back ? 'other' : 'free'
      return { name: kind, kind, text: say(`learn.${kind}`), number: 0, action: null, about: back ? '.undo' : '' }
    }
    if (!step.action) return this.#step(step, this.#at, 'read', null, this.#about(step.at ?? ''))
    if (step.say && this.#next)
      return this.#step(SCRIPT[this.#next.number]!, this.#next.number, 'do', this.#next.action, '')
    const name = this.store.players[this.store.shown!.seat]?.name ?? ''
    return {
      name: 'watch',
      kind: 'wait',
      text: say('learn.watch', { name }),
      number: 0,
      action: null,
      about: `[data-player="${this.store.shown!.seat}"]`,
    }
  }

  #step(step: Step, at: number, kind: 'read' | 'do', action: Action | null, about: string): Advice {
    const number = SCRIPT.slice(0, at + 1).filter((each) => each.say).length
    const palace = action?.to ? say(`palace.${action.to}`) : ''
    return {
      name: step.say!,
      kind,
      text: say(`lesson.${step.say}` as Key, { ...this.#values(''), palace }),
      number,
      action,
      about,
    }
  }

  #about(what: string): string {
    return what === 'own' ? `[data-player="${this.turn.seat}"]` : (ABOUT[what] ?? '')
  }

  #aboutTip(tip: Tip): string {
    if (tip === 'full' || tip === 'empty' || tip === 'alone') return `[data-palace="${this.#palace(tip)}"]`
    if (tip === 'dark') return '.lanterns'
    if (tip === 'poor') return '[data-end]'
    return `[data-player="${tip === 'rival' || tip === 'close' ? 1 - this.turn.seat! : this.turn.seat}"]`
  }

  #values(name: string): Record<string, string | number> {
    const { shown, players } = this.store
    const palace = this.#palace(name)
    return {
      n: CHESTS_TO_WIN[shown!.players as 2],
      name: players[1 - (this.turn.seat ?? 0)]?.name ?? '',
      palace: palace ? say('field.name', { palace: say(`palace.${palace}`) }) : '',
    }
  }

  /** The palace that a tip is about. */
  #palace(tip: string): Palace | undefined {
    const { shown } = this.store
    const seat = this.turn.seat
    const found =
      shown &&
      palacesOf(shown, seat).find(({ guards, chests, price }) => {
        if (tip === 'full') return guards.length === GUARD_FIELDS
        if (tip === 'empty') return !chests.length
        return tip === 'alone' && price === null && guards.length > 0 && guards.every((owner) => owner === seat)
      })
    return found?.palace
  }

  #hear(event: EventMessage): void {
    this.#heard = event.number
    if (event.action == null || event.shown?.phase === OVER || this.#guided) return
    if (event.robbed?.length) this.#tell(event.seat === this.turn.seat ? 'robbed' : 'rival')
  }

  /** What is worth a word when it is seen for the first time, once the script is over. */
  #notice(): void {
    const { shown } = this.store
    const { mine, actions, seat } = this.turn
    if (!shown || seat === null || !mine || this.#guided) return
    const needed = CHESTS_TO_WIN[shown.players as 2]
    if (shown.thief_actions === THIEF_ACTIONS) this.#tell('dark')
    if (this.#palace('full')) this.#tell('full')
    if (this.#palace('empty')) this.#tell('empty')
    if (this.#palace('alone')) this.#tell('alone')
    if (!shown.acted && actions.every(({ ends }) => ends)) this.#tell('poor')
    if (shown.loot[1 - seat] === needed - 1) this.#tell('close')
    if (shown.loot[seat] === needed - 1) this.#tell('last')
  }

  #tell(tip: Tip): void {
    if (!this.#told.has(tip) && !this.#tips.includes(tip)) this.#tips = [...this.#tips, tip]
  }

  #save(): void {
    save(PLACE, {
      code: this.store.code,
      read: [...this.#read],
      told: [...this.#told],
      free: this.#free,
      off: this.off,
    } satisfies SavedProgress)
  }
}
