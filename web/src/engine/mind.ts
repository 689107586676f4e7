// An opponent that thinks, compiled from the same source as the server's. It is told what its seat sees, and nothing else.
import { sha256 } from '../wire/sha256'
import type { Engine } from './engine'
import { ACCEPT_BELOW, ARRAYS, type At, LEARNED, LEVELS, SIZES } from './exports'

/** The first line of a file of weights, as far as it matters here. */
interface Head {
  versions: { observation: number }
  /** By name, in the order of the numbers: how many there are in each direction. */
  arrays: Record<string, readonly number[]>
}

/** Where neither time nor simulations are limited. */
const UNLIMITED = -1
const NEWLINE = 10
const BYTES_OF_A_HALF = 2

/** Whether a level plays by the network, which has to be there first. */
export const needsNetwork = (level: string): boolean => LEARNED.includes(level)

export class Mind {
  readonly #engine: Engine
  readonly #mind: At<'Mind'>
  readonly #view: At<'View'>
  readonly #level: At<'Level'>
  readonly #rng: At<'Rng'>
  readonly #actions: At<'Actions'>
  readonly #words: At<'Words'>

  constructor(engine: Engine) {
    this.#engine = engine
    this.#mind = engine.allocate('Mind')
    this.#view = engine.allocate('View')
    this.#level = engine.allocate('Level')
    this.#rng = engine.allocate('Rng')
    this.#actions = engine.allocate('Actions')
    this.#words = engine.allocate('Words')
  }

  /** Takes a network in, as its file has it. Throws where it is none for this module. */
  learn(file: ArrayBuffer): void {
    const bytes = new Uint8Array(file)
    const line = bytes.indexOf(NEWLINE)
    const head = JSON.parse(new TextDecoder().decode(bytes.subarray(0, line))) as Head
    const starts = new Map<string, number>()
    let count = 0
    for (const [name, shape] of Object.entries(head.arrays)) {
      starts.set(name, count)
      count += shape.reduce((product, length) => product * length, 1)
    }
    const numbers = bytes.subarray(line + 1)
    const engine = this.#engine
    const [halves, places] = [engine.allocate('Halves', count), engine.allocate('Starts')]
    const fits = numbers.length === BYTES_OF_A_HALF * count && ARRAYS.every((name) => starts.has(name))
    if (fits) {
      engine.bytes('Halves', halves, count).set(numbers)
      new Int32Array(engine.call.memory.buffer, places, ARRAYS.length).set(ARRAYS.map((name) => starts.get(name)!))
    }
    if (!fits || !engine.call.set_network(this.#mind, halves, count, places, head.versions.observation))
      throw new Error('this is no network for this module')
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
    // As `new_rng` makes a generator.
    engine.bytes('Words', this.#words).set(fromHex(sha256(`baghdad ${stream} 0`)).subarray(0, SIZES.Words))
    engine.call.set_seed(this.#rng, this.#words)
  }
}

const fromHex = (digits: string) => Uint8Array.from(digits.match(/../g)!, (byte) => parseInt(byte, 16))
