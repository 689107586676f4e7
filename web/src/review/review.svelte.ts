// What the analyst has told of a game so far, seat by seat, and which turn is looked at.
import type { TurnReview } from '../analysis/analyst'
import { reviewGame } from '../analysis/ask'
import { replayHere } from '../net/api'
import { positionsOf, stepAfter, type Detour, type ReplayStore } from '../replay/replay.svelte'
import { OVER } from '../wire/messages'
import type { Seat } from '../wire/names'
import { surely, wrong } from './marks'
import { recordOf } from './record'

export type State = 'idle' | 'running' | 'stopped' | 'done' | 'failed'
/** As they were played, or what gave up most first. */
export type Order = 'played' | 'most'

/** Turns that are asked about once more. */
const QUESTIONS = 3

interface Reviewed {
  state: State
  /** By the number of tokens before them. */
  turns: ReadonlyMap<number, TurnReview>
  /** Turns that were looked at closely, and all. */
  done: number
  all: number
}
const NOTHING: Reviewed = { state: 'idle', turns: new Map(), done: 0, all: 0 }

export class ReviewStore {
  readonly replay: ReplayStore
  readonly #ask: typeof reviewGame
  readonly #look: typeof replayHere
  readonly #courses = new Map<string, Promise<Detour>>()
  #reviewed = $state.raw<ReadonlyMap<Seat, Reviewed>>(new Map())
  #seat = $state<Seat>(0)
  #stop: () => void = () => {}
  /** Whoever looks has played there. */
  own = $state.raw<readonly number[]>([])
  order = $state<Order>('played')
  /** The turn that is looked at, by the tokens before it. */
  selected = $state<number | null>(null)

  readonly #now = $derived(this.#reviewed.get(this.#seat) ?? NOTHING)
  readonly state = $derived(this.#now.state)
  readonly done = $derived(this.#now.done)
  readonly all = $derived(this.#now.all)
  readonly turns = $derived([...this.#now.turns.values()].sort((one, other) => one.at - other.at))
  /** Those that count: with a real choice. */
  readonly choices = $derived(this.turns.filter(({ real }) => real))
  readonly listed = $derived(this.order === 'played' ? this.choices : worstFirst(this.choices))
  /** Points. */
  readonly givenUp = $derived(this.choices.reduce((sum, { mark, givenUp }) => sum + (surely(mark) ? givenUp : 0), 0))
  readonly mistakes = $derived(
    worstFirst(this.choices.filter(({ final, mark }) => final && wrong(mark))).slice(0, QUESTIONS),
  )

  constructor(replay: ReplayStore, ask = reviewGame, look = replayHere) {
    this.replay = replay
    this.#ask = ask
    this.#look = look
    this.#seat = replay.players.find(({ bot }) => !bot)?.seat ?? 0
  }

  /** Only a finished game: others may still play one that is not. */
  get possible(): boolean {
    return !this.replay.game.cut && this.replay.positions.at(-1)!.shown.phase === OVER
  }

  get seat(): Seat {
    return this.#seat
  }

  /** The seat where whoever looks has played, if it is the one that is reviewed. */
  get you(): number | null {
    return this.own.includes(this.#seat) ? this.#seat : null
  }

  /** Looks at the turns of another seat. */
  choose(seat: Seat): void {
    if (seat === this.#seat) return
    this.stop()
    this.selected = null
    this.#seat = seat
  }

  start(): void {
    this.stop()
    const seat = this.#seat
    // Turns are judged by what can be seen from there.
    this.replay.eyes = seat
    let stopped = false
    const note = (change: (was: Reviewed) => Partial<Reviewed>) => {
      if (stopped) return
      const was = this.#reviewed.get(seat) ?? NOTHING
      this.#reviewed = new Map([...this.#reviewed, [seat, { ...was, ...change(was) }]])
    }
    note(() => ({ state: 'running', done: 0, all: 0 }))
    const stop = this.#ask(this.replay.game.record, [seat], {
      // What is known for good stays, where all begins once more.
      turn: (turn) =>
        note(({ turns }) =>
          turns.get(turn.at)?.final && !turn.final ? {} : { turns: new Map([...turns, [turn.at, turn]]) },
        ),
      progress: (done, all) => note(() => ({ done, all })),
      done: () => note(() => ({ state: 'done' })),
      failed: (why) => {
        console.warn('no review', why)
        note(() => ({ state: 'failed' }))
      },
    })
    this.#stop = () => {
      note(({ state }) => (state === 'running' ? { state: 'stopped' } : {}))
      stopped = true
      stop()
    }
  }

  stop(): void {
    this.#stop()
    this.#stop = () => {}
  }

  /** Shows the position before a turn. */
  select({ at }: TurnReview): void {
    this.selected = at
    this.replay.rejoin()
    this.replay.pause()
    this.replay.jump(stepAfter(this.replay.positions, at))
  }

  unselect(): void {
    this.selected = null
  }

  /** The steps of a turn as it was played. */
  played({ at, played }: TurnReview) {
    const { positions } = this.replay
    return positions.slice(stepAfter(positions, at) + 1, stepAfter(positions, at + played.length) + 1)
  }

  /** The course of the game with these tokens in place of a turn. */
  course({ at }: TurnReview, tokens: readonly string[]): Promise<Detour> {
    const name = `${at} ${tokens.join(' ')}`
    const known = this.#courses.get(name)
    if (known) return known
    const before = this.replay.tokensBefore(at)
    const looking = this.#look(recordOf(this.replay.game.record, [...before, ...tokens])).then((game) => {
      const positions = positionsOf(game)
      return { before, positions: positions.slice(stepAfter(positions, at)) }
    })
    this.#courses.set(name, looking)
    looking.catch(() => this.#courses.delete(name))
    return looking
  }

  /** Plays the better turn on the board. */
  async show(turn: TurnReview): Promise<void> {
    const course = await this.course(turn, turn.best)
    this.select(turn)
    this.replay.leave(course)
  }
}

/** What surely gave up something comes first. */
function worstFirst(turns: readonly TurnReview[]): TurnReview[] {
  const rank = ({ mark, givenUp }: TurnReview) => (surely(mark) ? 1000 : 0) + givenUp
  return [...turns].sort((one, other) => rank(other) - rank(one) || one.at - other.at)
}
