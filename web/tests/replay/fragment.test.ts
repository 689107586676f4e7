import { expect, test, vi } from 'vitest'

import { pack, TooLongError, unpack } from '../../src/replay/fragment'
import { RECORD_LENGTH } from '../../src/wire/messages'

const RECORD = `[Players "2"]\n${'1. +R(R) +G(*) . '.repeat(200)}`

test.each(['', 'a', RECORD, 'čtyři zloději 🏺'])('a record comes back whole', async (text) => {
  expect(await unpack(await pack(text))).toBe(text)
})

test('it is short, and of letters that an address needs not escape', async () => {
  const packed = await pack(RECORD)
  expect(packed).toMatch(/^[\w-]+$/)
  expect(packed.length).toBeLessThan(RECORD.length / 10)
})

test('what was cut or changed is refused', async () => {
  const packed = await pack(RECORD)
  await expect(unpack(packed.slice(0, -8))).rejects.toThrow()
  await expect(unpack('not a record!')).rejects.toThrow()
})

test('what unpacks to more than any game is stopped on the way', async () => {
  const most = await pack('x'.repeat(RECORD_LENGTH))
  expect(await unpack(most)).toHaveLength(RECORD_LENGTH)
  await expect(unpack(await pack('x'.repeat(RECORD_LENGTH + 1)))).rejects.toThrow(TooLongError)

  const bomb = await pack('x'.repeat(50_000_000))
  expect(bomb.length).toBeLessThan(70_000)
  let unpacked = 0
  const Real = globalThis.DecompressionStream
  class Counting extends Real {
    constructor(format: CompressionFormat) {
      super(format)
      const count = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
        transform(chunk, controller) {
          unpacked += chunk.length
          controller.enqueue(chunk)
        },
      })
      const counted = this.readable.pipeThrough(count)
      Object.defineProperty(this, 'readable', { value: counted })
    }
  }
  vi.stubGlobal('DecompressionStream', Counting)
  await expect(unpack(bomb)).rejects.toThrow(TooLongError)
  vi.unstubAllGlobals()
  expect(unpacked).toBeLessThan(5_000_000)
})
