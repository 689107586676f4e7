// Who says how likely every seat is to win, compiled from the same source as `baghdad.analysis.moments` and `.ledgers`.
// It is told whole positions: for finished games alone.
import { sha256 } from '../wire/sha256'
import type { Engine, Read } from './engine'
import { type At, ORACLE, SIZES, STEP } from './exports'
import { learnOracle } from './network'

/** Cards that came, what a seat decided between two draws, or an end without a move. */
export type Step = Read<typeof STEP>

/** What they see that say who wins, and the one that plays. */
export type Networks = Readonly<Record<(typeof ORACLE)[number], ArrayBuffer>>

/** Seats and nobody. */
const OUTCOMES = 5

export class Oracle {
  readonly #engine: Engine
  readonly #oracle: At<'Oracle'>
  readonly #states: readonly [At<'State'>, At<'State'>]
  readonly #rng: At<'Rng'>
  readonly #told: At<'Told'>

  constructor(engine: Engine) {
    this.#engine = engine
    this.#oracle = engine.allocate('Oracle')
    this.#states = [engine.allocate('State'), engine.allocate('State')]
    this.#rng = engine.allocate('Rng')
    this.#told = engine.allocate('Told')
  }

  /** Takes all networks in. Throws where a file has none for this module. */
  learn(files: Networks): void {
    for (const [kind, name] of ORACLE.entries()) learnOracle(this.#engine, this.#oracle, kind, files[name])
  }

  /** Who wins from a position: by seat and nobody with all hands open, and each seat's chance as it sees it. */
  lookAt(state: Uint8Array): { open: number[]; eyes: number[] } {
    this.#put(state)
    this.#engine.call.look_at(this.#oracle, this.#states[0], this.#rng, this.#told)
    const told = this.#numbers()
    return { open: told.slice(0, OUTCOMES), eyes: told.slice(OUTCOMES, -1) }
  }

  /** What a position was worth before cards came, by seat and nobody, and after: looked at from where they are used. */
  draw(before: Uint8Array, came: Uint8Array): { before: number[]; after: number[] } {
    const { call } = this.#engine
    this.#put(before, came)
    call.begin_draw(this.#oracle, ...this.#states, this.#rng)
    while (call.advance_draw(this.#oracle));
    call.draw_worth(this.#oracle, this.#told)
    const told = this.#numbers()
    return { before: told.slice(0, OUTCOMES), after: told.slice(OUTCOMES) }
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

  /** Positions, and the chance that follows from the first: always the same. */
  #put(...states: readonly Uint8Array[]): void {
    for (const [place, state] of states.entries()) this.#engine.bytes('State', this.#states[place]!).set(state)
    this.#engine.seed(this.#rng, `luck ${sha256(states[0]!)}`)
  }

  #numbers(): number[] {
    return [...new Float64Array(this.#engine.call.memory.buffer, this.#told, 2 * OUTCOMES)]
  }
}
