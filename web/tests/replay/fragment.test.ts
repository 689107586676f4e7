import { expect, test } from 'vitest'

import { pack, unpack } from '../../src/replay/fragment'

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
