// Who says how likely every seat is to win, compiled from the same source as `baghdad.analysis.moments` and `.ledgers`.
// It is told whole positions: for finished games alone.
import { sha256 } from '../wire/sha256'
import type { Engine, Read } from './engine'
import { type At, SEEN_BY, SIZES, STEP } from './exports'
import { learnValues } from './network'

/** Cards that came, what a seat decided between two draws, or an end without a move. */
export type Step = Read<typeof STEP>

/** Seats and nobody. */
const OUTCOMES = 5

export class Oracle {
  readonly #engine: Engine
  readonly #oracle: At<'Oracle'>
  readonly #state: At<'State'>
  readonly #rng: At<'Rng'>
  readonly #told: At<'Told'>

  constructor(engine: Engine) {
    this.#engine = engine
    this.#oracle = engine.allocate('Oracle')
    this.#state = engine.allocate('State')
    this.#rng = engine.allocate('Rng')
    this.#told = engine.allocate('Told')
  }

  /** Takes both networks in. Throws where a file has none for this module. */
  learn(files: Readonly<Record<(typeof SEEN_BY)[number], ArrayBuffer>>): void {
    for (const [kind, name] of SEEN_BY.entries()) learnValues(this.#engine, this.#oracle, kind, files[name])
  }

  /** Who wins from a position: by seat and nobody with all hands open, and each seat's chance as it sees it. */
  lookAt(state: Uint8Array): { open: number[]; eyes: number[] } {
    this.#put(state)
    this.#engine.call.look_at(this.#oracle, this.#state, this.#told)
    const told = this.#numbers(this.#told, 2 * OUTCOMES - 1)
    return { open: told.slice(0, OUTCOMES), eyes: told.slice(OUTCOMES) }
  }

  /** Whether cards come next in a position. */
  awaitsCards(state: Uint8Array): boolean {
    this.#put(state)
    return !!this.#engine.call.awaits_chance(this.#state)
  }

  /** The mean of what may come of a position in which cards come next. */
  mean(state: Uint8Array): number[] {
    const { call } = this.#engine
    this.#put(state)
    this.#engine.seed(this.#rng, `luck ${sha256(state)}`)
    call.begin_mean(this.#oracle, this.#state, this.#rng)
    while (call.advance_mean(this.#oracle));
    call.mean(this.#oracle, this.#told)
    return this.#numbers(this.#told, OUTCOMES)
  }

  /** What each step of a game was worth, by the value of each moment, and by token its kind and whose it is. */
  steps(values: readonly (readonly number[])[], kinds: readonly number[], seats: readonly number[]): Step[] {
    const engine = this.#engine
    const [count, numbers] = [kinds.length, values.length * OUTCOMES]
    const at = {
      values: engine.allocate('Values', numbers),
      kinds: engine.allocate('Kinds', count),
      seats: engine.allocate('Kinds', count),
      steps: engine.allocate('Step', count),
    }
    const { buffer } = engine.call.memory
    new Float64Array(buffer, at.values, numbers).set(values.flat())
    new Int8Array(buffer, at.kinds, count).set(kinds)
    new Int8Array(buffer, at.seats, count).set(seats)
    const found = engine.call.write_steps(at.values, numbers, at.kinds, at.seats, count, at.steps)
    return Array.from({ length: found }, (_, place) => engine.read(STEP, at.steps + place * SIZES.Step))
  }

  #put(state: Uint8Array): void {
    this.#engine.bytes('State', this.#state).set(state)
  }

  #numbers(address: number, count: number): number[] {
    return [...new Float64Array(this.#engine.call.memory.buffer, address, count)]
  }
}
