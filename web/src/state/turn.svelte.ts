// A person's turn: what was pointed at, what lights up, how it is paid, and why something can't be done.
import { tick, untrack } from 'svelte'

import { keyOf, type End, type Point, type Target, type Preview } from '../board/model'
import { foreignGuards, handOf, strandedBy } from '../board/position'
import { closest } from '../device/dom'
import { settings } from '../device/settings.svelte'
import { cardsInWords } from '../i18n/cards'
import { say, type Key } from '../i18n/say.svelte'
import { sentence } from '../i18n/sentence'
import { ACTIONS, type Action } from '../wire/actions'
import {
  CARDS_AFTER_ACTIONS,
  CARDS_AFTER_NONE,
  OVER,
  PLACING,
  type Answer,
  type Move,
  type Own,
  type Shown,
  type Undo,
} from '../wire/messages'
import type { CardKind, Palace, Seat } from '../wire/names'
import type { Player } from '../board/position'
import { actableIn, attempt, actionsWith, inGroups, ordered, pieceOf } from './acting'
import { Cooldown, Taps, TO_LIFT, TO_SEE } from './taps.svelte'

/** Milliseconds in which a turn that ends by itself can be held. */
const TO_HOLD = 2000
/** What is used while others' steps are shown, without showing them all at once. */
const UNHURRIED = 'header, aside, dialog, [data-unhurried]'

/** Ending a turn and placing a guard wait for this, and paying in one of several ways for that; on this device,
 * since the next turn may be that of somebody else who shares it. */
const turnWaits = new Cooldown()
const choiceWaits = new Cooldown()

/** What is asked of somebody who has chosen something. */
const WHERE: Readonly<Record<Point['kind'], Key>> = {
  stock: 'turn.where_thief',
  card: 'turn.where_card',
  thief: 'turn.where_along',
  guard: 'turn.where_guard',
  palace: 'turn.where_guard',
}

export interface Notice {
  text: string
  rule: string | null
}

/** Where somebody takes turns: a table, or a single position. */
export interface Sitting {
  readonly shown: Shown | null
  readonly own: Own | null
  readonly players: readonly Player[]
  /** Whether everything that is known is on the screen. */
  readonly still: boolean
  /** An earlier position that is looked at. */
  readonly past: object | null
  readonly send: (command: Move | Undo) => Promise<Answer>
  /** Shows at once all that waits to be seen; false where nothing does. */
  hurry(): boolean
}

export class Turn {
  readonly store: Sitting
  chosen = $state.raw<Point | null>(null)
  /** Several ways to do what was pointed at; the first is the usual one. */
  choice = $state.raw<{ palace: Palace; actions: readonly Action[] } | null>(null)
  /** The way that is looked at. */
  shown = $state.raw<Action | null>(null)
  notice = $state.raw<Notice | null>(null)
  /** Ways to end the turn that a person is asked about. */
  #asked = $state.raw<readonly End[] | null>(null)
  #warned = $state.raw<{ action: number | string; palace: Palace; whose: 'self' | 'all' } | null>(null)
  /** A command is on its way. */
  sending = $state(false)
  /** It has just become this person's turn: to be spoken once. */
  called = $state(false)
  /** A tap that shows others' steps at once does nothing else. */
  readonly taps = new Taps((tap) => !closest(tap, UNHURRIED) && this.store.hurry())
  #sent: Promise<boolean> = Promise.resolve(true)
  #arrived: string | null = null

  constructor(store: Sitting) {
    this.store = store
    $effect(() => {
      const now = this.#arrival
      if (!this.onTurn) this.called = false
      if (now === null || now === this.#arrived) return
      this.#arrived = now
      untrack(() => void this.#arrive())
    })
    $effect(() => {
      if (!this.endsItself) return
      const timer = setTimeout(() => this.finish(this.ends[0]!), TO_HOLD)
      return () => clearTimeout(timer)
    })
  }

  readonly seat = $derived.by(() => (this.store.own?.seat ?? null) as Seat | null)
  /** It is this person's turn, whether or not something can be done at this moment. */
  readonly onTurn = $derived.by(() => {
    const { shown } = this.store
    return this.seat !== null && shown?.seat === this.seat && shown.phase !== OVER
  })
  /** Another one for every turn that has come; null as long as it is not on the screen. */
  readonly #arrival = $derived.by(() => {
    const { shown, own, still } = this.store
    if (!this.onTurn || !still || !own?.legal.length) return null
    return `${shown!.turn} ${shown!.unplaced.flat().reduce((sum, n) => sum + n, 0)}`
  })
  readonly actions = $derived.by(() =>
    this.store.own && this.store.still && !this.store.past && !this.sending
      ? this.store.own.legal.map((number) => ACTIONS[number]!)
      : [],
  )
  readonly mine = $derived(this.actions.length > 0)
  /** What can't be taken back may be pressed. */
  readonly settled = $derived(this.mine && turnWaits.over)
  /** A way to pay may be chosen. */
  readonly payable = $derived(choiceWaits.over)
  readonly placing = $derived.by(() => this.store.shown?.phase === PLACING)
  readonly hand = $derived.by(() => handOf(this.store.own?.hand))
  readonly actable = $derived(this.seat === null ? new Set<string>() : actableIn(this.actions, this.seat))
  /** The actions that a palace would be the end of now. */
  readonly open = $derived(this.seat === null ? [] : actionsWith(this.actions, this.chosen, this.seat))
  readonly targets = $derived.by(() => {
    const found: Partial<Record<Palace, Target>> = {}
    if (!this.chosen && !this.placing) return found
    for (const action of ordered(this.open, this.hand)) {
      if (action.to) found[action.to] ??= { says: actionInWords(action), price: action.price }
    }
    return found
  })
  readonly lifted = $derived.by(() => {
    const counts: Partial<Record<CardKind, number>> = {}
    for (const card of this.shown?.price ?? []) counts[card] = (counts[card] ?? 0) + 1
    return counts
  })
  /** Of several ways the one that is looked at: where it begins and goes, and which pieces it moves. */
  readonly preview = $derived.by<Preview | null>(() => {
    const { shown, choice, seat } = this
    if (!shown || !choice || seat === null) return null
    const piece = pieceOf(shown, seat)
    const guard = shown.from && shown.thief ? [`guard ${shown.from} ${seat}`] : []
    return { from: shown.from, to: shown.to, pieces: new Set([...guard, ...(piece ? [keyOf(piece)] : [])]) }
  })
  readonly #endings = $derived.by<readonly End[]>(() => {
    const { shown } = this.store
    const there = shown ? shown.deck_size + shown.discard.reduce((sum, n) => sum + n, 0) : 0
    return this.actions
      .filter(({ ends }) => ends)
      .map(({ number, token, kind, takes }) => ({
        id: token,
        action: number,
        cards: Math.min(there, kind === 'end' || takes === '*' ? CARDS_AFTER_ACTIONS : CARDS_AFTER_NONE),
        dancer: takes === '*',
        named: takes === '*' ? null : takes,
      }))
  })
  /** Palaces of which a card can be asked for (R23). */
  readonly named = $derived(this.#endings.filter(({ named }) => named))
  /** Ways to end the turn; which palace is named comes afterwards. */
  readonly ends = $derived<readonly End[]>([
    ...this.#endings.filter(({ named }) => !named),
    ...this.named.slice(0, 1).map((end) => ({ ...end, id: 'name', action: null, named: null, naming: true })),
  ])

  /** Only the turn's end is left. */
  readonly nothing = $derived(this.mine && this.#endings.length === this.actions.length)
  /** Never where a person would have to choose how, and so not in a turn in which nothing was done. */
  readonly endsItself = $derived.by(
    () => settings.autoEnd && this.nothing && this.ends.length === 1 && !!this.store.shown?.acted,
  )
  /** What can be done now, in words. */
  readonly expects = $derived.by(() => {
    if (!this.mine) return ''
    if (this.placing) return say('turn.place')
    if (this.nothing)
      return say(this.endsItself ? 'turn.by_itself' : this.store.shown?.acted ? 'turn.no_more' : 'turn.nothing')
    if (!this.chosen) return say('turn.act')
    if (!this.open.length) return say('turn.nowhere')
    return say(WHERE[this.chosen.kind])
  })
  readonly asked = $derived(this.mine ? this.#asked : null)
  /** A last thief that would rob nothing (R27): the move, and for whom it would be the last. */
  readonly warned = $derived(this.mine ? this.#warned : null)

  /** A letter says the same, and is never pressed by a slip of the finger. */
  point = (point: Point, letter = false): void => {
    if (this.store.hurry()) return
    this.notice = this.#asked = this.#warned = null
    if (point.kind === 'palace') return this.#toPalace(point.palace, letter)
    this.choice = this.shown = null
    if (this.seat === null) return
    if (!this.mine) return this.#explainWaiting()
    if (
      (point.kind === 'guard' && point.owner !== 'n' && point.owner !== this.seat) ||
      (point.kind === 'thief' && point.seat !== this.seat)
    ) {
      this.chosen = null
      this.notice = { text: say('why.not_yours'), rule: 'R16' }
      return
    }
    if (this.placing) return point.kind === 'guard' ? this.#toPalace(point.palace, letter) : undefined
    const same = this.chosen && keyOf(this.chosen) === keyOf(point)
    this.chosen = same ? null : point
  }

  /** Forgets what was pointed at. */
  clear = (): void => {
    this.chosen = this.choice = this.shown = this.notice = this.#asked = this.#warned = null
  }

  /** Does what was asked about: one of several ways to pay. */
  confirm = (action: Action, letter = false): void => {
    if (!letter) {
      if (!this.payable) return
      choiceWaits.hold(TO_LIFT)
      this.taps.absorb()
    }
    this.do(action)
  }

  do = (action: Action): void => {
    if (this.placing) {
      if (!this.settled) return
      turnWaits.hold(TO_LIFT)
      this.taps.absorb()
    }
    if (action.kind === 'smuggle' && this.#warns(action.number, action.to!)) return
    void this.#act(action.number)
  }

  /** Does what was warned of. */
  insist = (): void => {
    if (!this.payable || !this.warned) return
    choiceWaits.hold(TO_LIFT)
    this.taps.absorb()
    void this.#act(this.warned.action)
  }

  /** A fast typist's next move waits for the one before, and is not tried when that is refused. */
  type = async (text: string): Promise<boolean> => {
    if (this.sending && !(await this.#sent)) return false
    const typed = text.toUpperCase()
    const smuggled = this.actions.find(({ kind, to }) => kind === 'smuggle' && typed.startsWith(`+${to}`))
    return (!!smuggled && this.#warns(text, smuggled.to!)) || this.#act(text)
  }

  /** Ends the turn, or asks in which way. */
  askEnd = (): void => {
    if (!this.settled) return
    const { ends } = this
    if (ends.length === 1) return this.end(ends[0]!, true)
    this.clear()
    this.#asked = ends
  }

  end = (end: End, letter = false): void => {
    if (!this.settled) return
    if (!end.naming && !this.#couldGoOn()) return this.finish(end)
    this.clear()
    this.#asked = end.naming ? this.named : [end]
    if (letter) return
    choiceWaits.hold(TO_SEE)
    this.taps.absorb()
  }

  finish = (end: End): void => {
    if (!this.settled || end.action === null) return
    turnWaits.hold(TO_LIFT)
    this.taps.absorb()
    void this.#act(end.action)
  }

  undo = async (): Promise<void> => {
    this.clear()
    this.#heard(await this.store.send({ type: 'undo' }))
  }

  /** Asks before a last thief goes in and robs nothing; true where it does. */
  #warns(action: number | string, palace: Palace): boolean {
    const whose = strandedBy(this.store.shown!, palace, this.seat!)
    if (!whose) return false
    this.clear()
    this.#warned = { action, palace, whose }
    choiceWaits.hold(TO_SEE)
    this.taps.absorb()
    return true
  }

  /** Something is left to do of which this person wants to be told. */
  #couldGoOn(): boolean {
    if (settings.confirm === 'never') return false
    return this.actions.some(({ thief, guard }) => thief || (guard && settings.confirm === 'anything'))
  }

  async #arrive(): Promise<void> {
    turnWaits.hold(TO_SEE)
    this.called = false
    await tick()
    this.called = this.onTurn
  }

  #toPalace(palace: Palace, letter = false): void {
    if (this.seat === null || !this.store.shown) return
    if (!this.mine) return this.#explainWaiting()
    if (this.placing && !this.settled) return
    if (this.choice?.palace === palace) return this.confirm(this.choice.actions[0]!, letter)
    const actions = inGroups(
      ordered(
        this.open.filter((action) => action.to === palace),
        this.hand,
      ),
    )
    this.choice = this.shown = null
    if (actions.length === 1) return this.do(actions[0]!)
    if (actions.length) {
      this.choice = { palace, actions }
      this.shown = actions[0]!
      if (letter) return
      choiceWaits.hold(TO_SEE)
      this.taps.absorb()
      return
    }
    const meant = attempt(this.chosen, palace, foreignGuards(this.store.shown, palace, this.seat), this.placing)
    if (meant) void this.#act(meant.number)
    else this.chosen = null
  }

  /** An action by its number, or as it was typed. */
  #act(action: number | string): Promise<boolean> {
    if (this.sending) return Promise.resolve(false)
    this.sending = true
    this.clear()
    this.#sent = this.store.send({ type: 'move', action }).then((answer) => {
      this.sending = false
      return this.#heard(answer)
    })
    return this.#sent
  }

  #heard(answer: Answer): boolean {
    if (answer.result === 'accepted') return true
    this.notice = { text: sentence(answer.reason ?? ''), rule: answer.rule ?? null }
    return false
  }

  #explainWaiting(): void {
    if (this.sending || this.onTurn || !this.store.own || this.store.past) return
    const on = this.store.players[this.store.shown?.seat ?? 0]
    this.notice = { text: say('why.wait', { name: on?.name ?? '' }), rule: 'R9' }
  }
}

/** What pointing there does, with its price. */
export function actionInWords(action: Action): string {
  const values = {
    palace: action.to ? say(`palace.${action.to}`) : '',
    from: action.from ? say(`palace.${action.from}`) : '',
  }
  const text = say(`action.${action.kind}` as Key, values)
  return action.price.length ? `${text}: ${cardsInWords(action.price.join(''))}` : text
}
