// One turn that is played on the board and judged at its end: of a puzzle, or of a game that is looked at again.
import { tick } from 'svelte'

import { prepareAnimations } from '../board/animations'
import type { Player } from '../board/position'
import { boardFor, calm, settings } from '../device/settings.svelte'
import { play as sound } from '../device/sound'
import { attempt, RefusedError } from '../net/api'
import { lineInWords } from '../state/log'
import type { Sitting } from '../state/turn.svelte'
import { View } from '../state/view.svelte'
import type { Attempted, Position } from '../wire/attempt'
import type { Answer, Move, Step, Undo } from '../wire/messages'
import type { Seat } from '../wire/names'

/** Milliseconds from one step to the next, where a turn plays itself. */
const PACE = 900

export class AttemptStore extends View implements Sitting {
  readonly position: Position
  readonly players: readonly Player[]
  readonly present = []
  readonly shuffledBy: string
  /** Turns that it is compared with at its end. */
  readonly #answers: readonly (readonly string[])[]
  readonly #ask: typeof attempt
  #now = $state.raw<Attempted | null>(null)
  /** The turn on the board plays itself, or has. */
  #itself = $state(false)
  /** No turn plays itself just now. */
  still = $state(true)
  /** What is on the screen since just now, for whoever celebrates it. */
  latest = $state.raw<Step | null>(null)
  /** Nothing can be played here. */
  failed = $state(false)
  readonly past = null
  #run = 0

  constructor(
    position: Position,
    players: readonly Player[],
    answers: readonly (readonly string[])[],
    name: string,
    ask = attempt,
  ) {
    super()
    this.position = position
    this.players = players
    this.shuffledBy = name
    this.#answers = answers
    this.#ask = ask
    void this.again()
  }

  get seat() {
    return this.position.seat as Seat
  }
  get board() {
    return boardFor(null)
  }
  get shown() {
    return this.#now?.shown ?? this.position.shown
  }
  get own() {
    const { seat, hand } = this.position
    return this.#now?.own ?? { seat, hand, legal: [], undo: false }
  }
  readonly tokens = $derived.by(() => this.#now?.tokens ?? [])
  readonly steps = $derived.by(() => this.#now?.steps ?? [])
  /** The turn was played to its end, by somebody who was asked to. */
  readonly done = $derived.by(() => !!this.#now?.over && !this.#itself)
  /** A turn has played itself to its end. */
  readonly showed = $derived.by(() => this.#itself && this.still)
  /** Which of the answers leads to the same position; -1 for none. */
  readonly same = $derived.by(() => this.#now?.same ?? -1)

  /** From the beginning. */
  async again(): Promise<void> {
    this.#run++
    this.#itself = false
    this.still = true
    try {
      await this.#put([])
    } catch (error) {
      console.warn('no turn can be tried', error)
      this.failed = true
    }
  }

  send = async (command: Move | Undo): Promise<Answer> => {
    const tokens = command.type === 'undo' ? this.tokens.slice(0, -1) : this.tokens
    try {
      await this.#put(tokens, command.type === 'undo' ? null : command.action)
      return answered('accepted')
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error
      const { reason, rule } = error.problem
      return { ...answered('refused'), reason, rule: rule ?? null }
    }
  }

  hurry = (): boolean => false

  /** Plays a whole turn on the board, step by step. */
  async show(turn: readonly string[]): Promise<void> {
    await this.again()
    const run = this.#run
    this.still = false
    this.#itself = true
    for (const [n] of turn.entries()) {
      await new Promise((done) => setTimeout(done, calm.matches ? 0 : PACE))
      if (run !== this.#run) return
      await this.#put(turn.slice(0, n), turn[n])
    }
    this.still = true
  }

  /** What was done so far, an action a line. */
  get lines(): string[] {
    return this.steps.flatMap(({ lines }) => (lines ?? []).map((line) => lineInWords(line, this.players, this.seat)))
  }

  async #put(tokens: readonly string[], wanted: number | string | null = null): Promise<void> {
    const now = await this.#ask({ position: this.position, tokens, wanted, answers: this.#answers })
    const step = wanted === null ? undefined : now.steps.at(-1)
    const moving = step && settings.pieces !== 'none' && !calm.matches
    const launch = moving
      ? prepareAnimations(
          { seat: this.seat, action: step.action ?? null, robbed: step.robbed ?? [], drawn: [] },
          this.seat,
        )
      : null
    this.failed = false
    this.#now = now
    this.latest = step ?? null
    if (!step) return
    sound(step)
    await tick()
    launch?.()
  }
}

const answered = (result: Answer['result']): Answer => ({ type: 'answer', id: '', result, number: 0 })
