// An opponent that thinks, compiled from the same source as the server's. It is told what its seat sees, and nothing else.
import { fromHex, type Engine } from './engine'
import { ACCEPT_BELOW, type At, LEARNED, LEVELS } from './exports'
import { learn } from './network'

/** Where neither time nor simulations are limited. */
const UNLIMITED = -1

/** Whether a level plays by the network, which has to be there first. */
export const needsNetwork = (level: string): boolean => LEARNED.includes(level)

export class Mind {
  readonly #engine: Engine
  readonly #mind: At<'Mind'>
  readonly #view: At<'View'>
  readonly #level: At<'Level'>
  readonly #rng: At<'Rng'>
  readonly #actions: At<'Actions'>

  constructor(engine: Engine) {
    this.#engine = engine
    this.#mind = engine.allocate('Mind')
    this.#view = engine.allocate('View')
    this.#level = engine.allocate('Level')
    this.#rng = engine.allocate('Rng')
    this.#actions = engine.allocate('Actions')
  }

  /** Takes a network in, as its file has it. Throws where it is none for this module. */
  learn(file: ArrayBuffer): void {
    learn(this.#engine, this.#mind, file)
  }

  /** What a level plays, one action after another. `stream`: its chance, the same again for the same. */
  decide(level: string, view: Uint8Array, stream: string, seconds: number, simulations = UNLIMITED): number[] {
    const { call } = this.#engine
    this.#look(level, view, stream)
    call.begin_decision(this.#mind, this.#view, this.#level, seconds, simulations, this.#rng)
    this.#goOn()
    const count = call.decision(this.#mind, this.#actions)
    return [...new Int16Array(call.memory.buffer, this.#actions, count)]
  }

  /** Whether a level agrees to end the game without a winner (R28). */
  agrees(level: string, view: Uint8Array, stream: string): boolean {
    const { call } = this.#engine
    this.#look(level, view, stream)
    call.begin_chance(this.#mind, this.#view, this.#level, this.#rng)
    this.#goOn()
    return call.chance(this.#mind) < ACCEPT_BELOW
  }

  /** Slice by slice, with a look at the clock in between. */
  #goOn(): void {
    const { call } = this.#engine
    const began = performance.now()
    const now = () => (performance.now() - began) / 1000
    while (call.advance(this.#mind, this.#view, this.#level, now(), this.#rng));
  }

  #look(level: string, view: Uint8Array, stream: string): void {
    const numbers = LEVELS[level]
    if (numbers === undefined) throw new Error(`there is no level ${level}`)
    const engine = this.#engine
    engine.bytes('View', this.#view).set(view)
    engine.bytes('Level', this.#level).set(fromHex(numbers))
    engine.seed(this.#rng, stream)
  }
}
