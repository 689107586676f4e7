// A network's weights, from their file into the memory of whoever thinks with them.
import type { Engine } from './engine'
import { ARRAYS, type At } from './exports'

/** The first line of a file of weights, as far as it matters here. */
interface Head {
  versions: { observation: number }
  /** By name, in the order of the numbers: how many there are in each direction. */
  arrays: Record<string, readonly number[]>
}

const NEWLINE = 10
const BYTES_OF_A_HALF = 2

/** Gives a mind its network. Throws where the file has none for this module. */
export function learn(engine: Engine, mind: At<'Mind'>, file: ArrayBuffer): void {
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
  const [halves, places] = [engine.allocate('Halves', count), engine.allocate('Starts')]
  const fits = numbers.length === BYTES_OF_A_HALF * count && ARRAYS.every((name) => starts.has(name))
  if (fits) {
    engine.bytes('Halves', halves, count).set(numbers)
    new Int32Array(engine.call.memory.buffer, places, ARRAYS.length).set(ARRAYS.map((name) => starts.get(name)!))
  }
  if (!fits || !engine.call.set_network(mind, halves, count, places, head.versions.observation))
    throw new Error('this is no network for this module')
}
