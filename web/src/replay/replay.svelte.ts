// A game that is looked at again: all its positions, and which of them is on the screen.
import { tick, type Snippet } from 'svelte'

import { prepareAnimations } from '../board/animations'
import type { Player } from '../board/position'
import { boardFor, calm, settings } from '../device/settings.svelte'
import { play as sound } from '../device/sound'
import { cardsInWords } from '../i18n/cards'
import { say } from '../i18n/say.svelte'
import { lineInWords } from '../state/log'
import { discardedBy } from '../state/news'
import { View } from '../state/view.svelte'
import { charactersOf } from '../wire/characters'
import { CARD_LETTERS, LEVELS, type Replay, type Shown, type Step } from '../wire/messages'
import type { CardKind, Seat } from '../wire/names'

/** Steps a second; the last is one for every frame of the screen. */
export const SPEEDS = [1, 2, 5, 0] as const
export type Speed = (typeof SPEEDS)[number]
/** Beyond this many steps a second nothing travels any more: it would never arrive. */
const ANIMATED = 2

export interface ReplayPosition {
  step: Step
  shown: Shown
  /** By seat. */
  hands: readonly (readonly number[])[]
  /** The palace card that was discarded last. */
  discarded: CardKind | undefined
}

/** Another course than the one that the game took. */
export interface Detour {
  /** Tokens that were played before it. */
  before: readonly string[]
  /** From where it leaves the game. */
  positions: readonly ReplayPosition[]
}

export class ReplayStore extends View {
  readonly game: Replay
  readonly positions: readonly ReplayPosition[]
  readonly present = []
  readonly #rulebook: string | undefined
  at = $state(0)
  /** What is shown in place of the game, and the step of the game that one comes back to. */
  detour = $state.raw<(Detour & { back: number }) | null>(null)
  playing = $state(false)
  /** Another table that has the whole screen: a turn is played there. */
  instead = $state.raw<Snippet | null>(null)
  speed = $state<Speed>(1)
  /** Whose eyes it is seen with; null where all hands lie open. */
  eyes = $state<Seat | null>(null)

  /** The step that was just gone to, for whoever celebrates it. */
  latest = $state.raw<Step | null>(null)
  /** A step for every frame: too fast to read, to travel or to celebrate. */
  readonly rushing = $derived(this.playing && !this.speed)
  /** What is gone through: the game, or a detour from it. */
  readonly course = $derived.by(() => this.detour?.positions ?? this.positions)
  readonly last = $derived(this.course.length - 1)
  readonly now = $derived.by(() => this.course[this.at]!)
  /** Where in the game one is, or has left it. */
  readonly place = $derived(this.detour?.back ?? this.at)
  readonly players = $derived.by<readonly Player[]>(() => {
    const characters = charactersOf(this.game.colours.map((colour, seat) => ({ colour, ...this.#named(seat) })))
    return this.game.colours.map((colour, seat) => ({
      seat: seat as Seat,
      name: characters[seat]!.name,
      colour: colour as Seat,
      person: null,
      bot: characters[seat]!.level,
      absent: false,
      character: characters[seat]!,
    }))
  })

  #timer: ReturnType<typeof setTimeout> | undefined
  #frame = 0

  constructor(game: Replay) {
    super()
    this.game = game
    this.#rulebook = /^\[Rulebook "(.+)"\]$/m.exec(game.record)?.[1]
    this.positions = positionsOf(game)
  }

  get shown() {
    return this.now.shown
  }
  /** All that was played until what is shown. */
  get tokens(): readonly string[] {
    const { detour, positions, at } = this
    return detour
      ? [...detour.before, ...tokensOf(detour.positions.slice(1, at + 1))]
      : tokensOf(positions.slice(0, at + 1))
  }
  get seat() {
    return this.eyes
  }
  get board() {
    return boardFor(this.#rulebook)
  }
  /** By the promise of its seed, as at its table; a game without one by all that happened. */
  get shuffledBy() {
    return this.game.headers.Commitment ?? this.game.record
  }

  /** The first so many tokens of the game. */
  tokensBefore(count: number): readonly string[] {
    return tokensOf(this.positions).slice(0, count)
  }

  /** Shows a step at once. */
  jump(to: number): void {
    this.at = Math.max(0, Math.min(this.last, Math.round(to)))
    this.latest = null
    if (this.at === this.last) this.pause()
  }

  /** Goes on by one step, and lets the pieces travel where there is time for it. */
  async forward(): Promise<void> {
    const next = this.course[this.at + 1]
    if (!next) return
    const { seat, action, robbed, cards } = next.step
    const still = calm.matches || settings.pieces === 'none' || this.rushing || (this.playing && this.speed > ANIMATED)
    const drawn = cards && seat != null ? ([[seat, cards.length]] as const) : []
    const launch = still
      ? null
      : prepareAnimations({ seat: seat ?? null, action: action ?? null, robbed: robbed ?? [], drawn }, this.eyes)
    const { rushing } = this
    this.jump(this.at + 1)
    if (rushing) return
    this.latest = next.step
    sound(next.step)
    await tick()
    launch?.()
  }

  back(): void {
    this.pause()
    this.jump(this.at - 1)
  }

  /** The beginning of the next turn, or of the one before. */
  turn(way: 1 | -1): void {
    let to = this.at + way
    while (to > 0 && to < this.last && this.course[to]!.shown.turn === this.course[to - 1]!.shown.turn) to += way
    this.jump(to)
  }

  /** Shows another course from its beginning, step by step. */
  leave(detour: Detour): void {
    this.pause()
    this.detour = { ...detour, back: this.place }
    this.jump(0)
    this.play()
  }

  /** Back to the game, where it was left. */
  rejoin(): void {
    const { detour } = this
    if (!detour) return
    this.pause()
    this.detour = null
    this.jump(detour.back)
  }

  play(): void {
    if (this.playing) return
    if (this.at === this.last) this.at = 0
    this.playing = true
    this.#go()
  }

  pause(): void {
    this.playing = false
    clearTimeout(this.#timer)
    cancelAnimationFrame(this.#frame)
  }

  hurry(speed: Speed): void {
    this.speed = speed
    if (!this.playing) return
    this.pause()
    this.play()
  }

  /** Whether the cards of a seat may be seen. */
  open(seat: number | null | undefined): boolean {
    return this.eyes === null || this.eyes === seat
  }

  /** A step in words. Which cards came is told only to those who see them. */
  words(step: Step): string[] {
    return (step.lines ?? []).map((line) => {
      const text = lineInWords(line, this.players)
      const came = line.key === 'log.drawn' || line.key === 'log.dealt_to'
      return came && step.cards && this.open(step.seat) ? `${text}: ${cardsInWords(sorted(step.cards))}` : text
    })
  }

  #go(): void {
    const next = () => {
      if (!this.playing) return
      void this.forward()
      if (this.playing) this.#go()
    }
    if (this.speed) this.#timer = setTimeout(next, 1000 / this.speed)
    else this.#frame = requestAnimationFrame(next)
  }

  /** Records have the level where a bot played. */
  #named(seat: number): { name: string } | { level: string } {
    const name = this.game.names[seat]
    if (name === undefined) return { name: say('chair.guest', { n: seat + 1 }) }
    return LEVELS.some((level) => level === name) ? { level: name } : { name }
  }
}

function sorted(cards: string): string {
  return [...cards].sort((a, b) => CARD_LETTERS.indexOf(a) - CARD_LETTERS.indexOf(b)).join('')
}

/** The step after which so many tokens have been played. */
export function stepAfter(positions: readonly ReplayPosition[], tokens: number): number {
  let played = 0
  return positions.findIndex(({ step }) => (played += Number(step.token !== undefined)) === tokens)
}

function tokensOf(positions: readonly ReplayPosition[]): string[] {
  return positions.flatMap(({ step }) => step.token ?? [])
}

export function positionsOf(game: Replay): ReplayPosition[] {
  let [shown, hands] = [game.shown, game.hands]
  let discarded: CardKind | undefined
  return game.steps.map((step) => {
    if (step.changed) shown = { ...shown, ...(step.changed as Partial<Shown>) }
    if (step.hand) hands = hands.map((hand, seat) => (seat === step.seat ? step.hand! : hand))
    if (step.action != null) discarded = discardedBy(step.action) ?? discarded
    if (!shown.discard.some(Boolean)) discarded = undefined
    return { step, shown, hands, discarded }
  })
}
