// The rules, compiled from the same source as the server's. Here is no rule: only where things lie in memory.
import { PALACE_LETTERS } from '../wire/messages'
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

  constructor(readonly call: Exports) {
    this.#free = call.__heap_base.value
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
