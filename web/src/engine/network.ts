// A network's weights, from their file into the memory of whoever thinks with them.
import type { Engine } from './engine'
import { ARRAYS, type At, ORACLE, VALUE_ARRAYS } from './exports'

/** The first line of a file of weights, as far as it matters here. */
interface Head {
  versions: { observation: number }
  /** By name, in the order of the numbers: how many there are in each direction. */
  arrays: Record<string, readonly number[]>
}

interface Given {
  halves: At<'Halves'>
  count: number
  starts: At<'Starts'>
  version: number
}

const NEWLINE = 10
const BYTES_OF_A_HALF = 2

/** Gives a mind its network. Throws where the file has none for this module. */
export function learn(engine: Engine, mind: At<'Mind'>, file: ArrayBuffer): void {
  const { halves, count, starts, version } = given(engine, file, ARRAYS)
  if (!engine.call.set_network(mind, halves, count, starts, version)) throw new UnknownNetworkError()
}

/** Gives an oracle one of its networks: see `ORACLE`. */
export function learnOracle(engine: Engine, oracle: At<'Oracle'>, kind: number, file: ArrayBuffer): void {
  const { halves, count, starts, version } = given(engine, file, ORACLE[kind] === 'network' ? ARRAYS : VALUE_ARRAYS)
  if (!engine.call.set_oracle_network(oracle, kind, halves, count, starts, version)) throw new UnknownNetworkError()
}

class UnknownNetworkError extends Error {
  override message = 'this is no network for this module'
}

/** A file's numbers in memory, and where each of these arrays begins among them. */
function given(engine: Engine, file: ArrayBuffer, arrays: readonly string[]): Given {
  const bytes = new Uint8Array(file)
  const line = bytes.indexOf(NEWLINE)
  const head = JSON.parse(new TextDecoder().decode(bytes.subarray(0, line))) as Head
  const places = new Map<string, number>()
  let count = 0
  for (const [name, shape] of Object.entries(head.arrays)) {
    places.set(name, count)
    count += shape.reduce((product, length) => product * length, 1)
  }
  const numbers = bytes.subarray(line + 1)
  if (numbers.length !== BYTES_OF_A_HALF * count || !arrays.every((name) => places.has(name)))
    throw new UnknownNetworkError()
  const [halves, starts] = [engine.allocate('Halves', count), engine.allocate('Starts')]
  engine.bytes('Halves', halves, count).set(numbers)
  new Int32Array(engine.call.memory.buffer, starts, ARRAYS.length).set(ARRAYS.map((name) => places.get(name) ?? 0))
  return { halves, count, starts, version: head.versions.observation }
}
