// The rules, compiled from the same source as the server's. Here is no rule: only where things lie in memory.
import { PALACE_LETTERS } from '../wire/messages'
import { sha256 } from '../wire/sha256'
import { type At, type Exports, type Field, REASONS, SIZES } from './exports'

/** What is kept in memory, by name. */
export type Kind = keyof typeof SIZES

/** The fields of a record, read into plain numbers and lists of them. */
export type Read<Fields extends Record<string, Field>> = {
  -readonly [Name in keyof Fields]: Fields[Name]['shape'] extends readonly []
    ? number
    : Fields[Name]['shape'] extends readonly [number]
      ? number[]
      : number[][]
}

/** Why a move is refused: the key of the words, and the values that they name. */
export interface Refusal {
  key: string
  rule: string
  values: Record<string, string | number>
}

const PAGE = 65536
const ALIGNED = 16

export class Engine {
  #free: number
  readonly #words: At<'Words'>

  constructor(readonly call: Exports) {
    this.#free = call.__heap_base.value
    this.#words = this.allocate('Words')
  }

  static async load(module: BufferSource): Promise<Engine> {
    const { instance } = await WebAssembly.instantiate(module)
    return new Engine(instance.exports as unknown as Exports)
  }

  /** Room for so many of a kind, all zeros, for as long as the engine is there. */
  allocate<Name extends Kind>(kind: Name, count = 1): At<Name> {
    const address = Math.ceil(this.#free / ALIGNED) * ALIGNED
    this.#free = address + SIZES[kind] * count
    const missing = this.#free - this.call.memory.buffer.byteLength
    if (missing > 0) this.call.memory.grow(Math.ceil(missing / PAGE))
    return address as At<Name>
  }

  /** The bytes of so many of a kind. They have to be asked for again after anything was allocated. */
  bytes<Name extends Kind>(kind: Name, address: At<Name>, count = 1): Uint8Array {
    return new Uint8Array(this.call.memory.buffer, address, SIZES[kind] * count)
  }

  /** The numbers of a record. */
  read<Fields extends Record<string, Field>>(fields: Fields, address: number): Read<Fields> {
    const view = new DataView(this.call.memory.buffer, address)
    const read = Object.entries(fields).map(([name, { offset, type, shape }]) => {
      const size = Number(type[1])
      const one = (place: number) => number(view, type, offset + place * size)
      const [rows = 1, columns = 1] = shape
      if (shape.length === 0) return [name, one(0)]
      const row = (from: number, length: number) => Array.from({ length }, (_, place) => one(from + place))
      if (shape.length === 1) return [name, row(0, rows)]
      return [name, Array.from({ length: rows }, (_, each) => row(each * columns, columns))]
    })
    return Object.fromEntries(read) as Read<Fields>
  }

  /** Sets a generator as `new_rng` makes it: always the same for a stream. */
  seed(rng: At<'Rng'>, stream: string): void {
    this.bytes('Words', this.#words).set(fromHex(sha256(`baghdad ${stream} 0`)).subarray(0, SIZES.Words))
    this.call.set_seed(rng, this.#words)
  }

  /** What the functions say that refuse: a reason's number, and what they have written into `answer`. */
  refusal(reason: number, answer: At<'Answer'>, given = 0): Refusal {
    const { key, rule, names } = REASONS[reason]!
    const [palace, number] = new Int32Array(this.call.memory.buffer, answer, 2)
    const values = names.map((name) => [
      name,
      name === 'palace' ? PALACE_LETTERS[palace!]! : name === 'given' ? given : number!,
    ])
    return { key, rule, values: Object.fromEntries(values) as Refusal['values'] }
  }
}

export const fromHex = (digits: string) => Uint8Array.from(digits.match(/../g)!, (byte) => parseInt(byte, 16))

type Value = number | readonly number[] | readonly (readonly number[])[]

/** The bytes of a record: the other way round. What is shorter than it might be goes on with zeros. */
export function packed<Fields extends Record<string, Field>>(
  fields: Fields,
  size: number,
  values: Readonly<Record<keyof Fields, Value>>,
): Uint8Array {
  const bytes = new Uint8Array(size)
  const view = new DataView(bytes.buffer)
  for (const [name, { offset, type, shape }] of Object.entries(fields)) {
    const value = values[name]!
    const rows = typeof value === 'number' ? [[value]] : shape.length === 2 ? value : [value]
    for (const [row, numbers] of (rows as readonly (readonly number[])[]).entries())
      for (const [column, each] of numbers.entries())
        put(view, type, offset + Number(type[1]) * (row * (shape[1] ?? 0) + column), each)
  }
  return bytes
}

function number(view: DataView, type: Field['type'], offset: number): number {
  switch (type) {
    case 'i1':
      return view.getInt8(offset)
    case 'i2':
      return view.getInt16(offset, true)
    case 'i4':
      return view.getInt32(offset, true)
    case 'i8':
      return Number(view.getBigInt64(offset, true))
    case 'f4':
      return view.getFloat32(offset, true)
    case 'f8':
      return view.getFloat64(offset, true)
  }
}

function put(view: DataView, type: Field['type'], offset: number, value: number): void {
  switch (type) {
    case 'i1':
      return view.setInt8(offset, value)
    case 'i2':
      return view.setInt16(offset, value, true)
    case 'i4':
      return view.setInt32(offset, value, true)
    case 'i8':
      return view.setBigInt64(offset, BigInt(value), true)
    case 'f4':
      return view.setFloat32(offset, value, true)
    case 'f8':
      return view.setFloat64(offset, value, true)
  }
}
