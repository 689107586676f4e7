// How likely each seat was to win, as far as it is known by now, and what was luck.
import type { chancesOfGame, Ledger, Moment } from '../analysis/chances'
import { cardsInWords } from '../i18n/cards'
import type { ReplayStore } from '../replay/replay.svelte'
import type { Seat } from '../wire/names'
import type { State } from './review.svelte'
import { robberiesInWords } from './words'
import { stepsOf, stretchesOf, turningPoints, type Stretch, type TurningPoint } from './stretches'

/** A number stays beside what it counts. */
const unbroken = (cards: string) => cards.replaceAll(' × ', '\u00a0×\u00a0')

export class ChancesStore {
  readonly replay: ReplayStore
  readonly #ask: typeof chancesOfGame
  /** By tokens played: the step of the replay. */
  readonly steps: readonly number[]
  readonly stretches: readonly Stretch[]
  #stop: () => void = () => {}
  state = $state<State>('idle')
  /** By the number of tokens before them. */
  moments = $state.raw<ReadonlyMap<number, Moment>>(new Map())
  ledger = $state.raw<Ledger | null>(null)
  /** Whose luck is looked at. */
  seat = $state<Seat>(0)
  /** Draws that were weighed, and all. */
  done = $state(0)
  all = $state(0)

  readonly sorted = $derived([...this.moments.values()].sort((one, other) => one.at - other.at))

  constructor(replay: ReplayStore, ask: typeof chancesOfGame) {
    this.replay = replay
    this.#ask = ask
    this.seat = replay.players.find(({ bot }) => !bot)?.seat ?? 0
    this.steps = stepsOf(replay.positions)
    this.stretches = stretchesOf(replay.positions, replay.game.termination)
  }

  /** Whether all moments are known. */
  get complete(): boolean {
    return this.moments.size === this.steps.length
  }

  /** Null before all is known: the order would change. */
  get points(): readonly TurningPoint[] | null {
    if (!this.complete) return null
    if (this.stretches.at(-1)?.kind !== 'end') return turningPoints(this.stretches, this.moments)
    const { at } = this.stretches.at(-1)!
    const end = this.ledger?.turns.find((part) => part.at === at && part.until === at)
    return end ? turningPoints(this.stretches, this.moments, end) : null
  }

  /** Tokens played until what is shown; in a detour, until the game was left. */
  get at(): number {
    const { steps } = this
    const after = steps.findIndex((each) => each > this.replay.place)
    return after < 0 ? steps.length - 1 : Math.max(0, after - 1)
  }

  start(): void {
    this.stop()
    let stopped = false
    const heard =
      <Told extends unknown[]>(note: (...told: Told) => void) =>
      (...told: Told) => {
        if (!stopped) note(...told)
      }
    this.state = 'running'
    this.done = this.all = 0
    const stop = this.#ask(this.replay.game.record, {
      moments: heard(
        (more) => (this.moments = new Map([...this.moments, ...more.map((each) => [each.at, each] as const)])),
      ),
      ledger: heard((ledger) => (this.ledger = ledger)),
      progress: heard((done, all) => ([this.done, this.all] = [done, all])),
      done: heard(() => (this.state = 'done')),
      failed: heard((why) => {
        console.warn('no chances', why)
        this.state = 'failed'
      }),
    })
    this.#stop = () => {
      stopped = true
      stop()
    }
  }

  stop(): void {
    this.#stop()
    this.#stop = () => {}
    if (this.state === 'running') this.state = 'stopped'
  }

  /** Shows the position after so many tokens. */
  go(tokens: number): void {
    const at = Math.max(0, Math.min(this.steps.length - 1, tokens))
    this.replay.rejoin()
    this.replay.pause()
    this.replay.jump(this.steps[at]!)
  }

  /** The moment that is known and lies nearest before so many tokens, or else after them. */
  near(tokens: number): Moment | undefined {
    return this.sorted.findLast(({ at }) => at <= tokens) ?? this.sorted[0]
  }

  /** What a turn or a draw brought, in words: chests, and cards where they may be seen. */
  causes({ at, until, kind, seat }: Stretch): string[] {
    const steps = this.replay.positions.slice(this.steps[at]! + 1, this.steps[until]! + 1).map(({ step }) => step)
    if (kind !== 'draw') return steps.flatMap(({ lines }) => robberiesInWords(lines ?? []))
    return steps.flatMap(({ cards }) => (cards && this.replay.open(seat) ? unbroken(cardsInWords(cards)) : []))
  }
}
