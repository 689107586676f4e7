import { expect, test } from 'vitest'

import {
  broughtTo,
  forgetNumbers,
  keepNumbers,
  newNumber,
  noteBrought,
  pendingNumbers,
  promisedNumber,
  promiseFor,
  sealed,
} from '../../src/device/numbers'
import { sha256 } from '../../src/wire/sha256'

const NUMBERS = Array.from({ length: 5 }, (_, n) => sha256(String(n)))

test('numbers are new and have 256 bits', () => {
  const made = Array.from({ length: 50 }, newNumber)
  expect(new Set(made).size).toBe(50)
  for (const number of made) expect(number).toMatch(/^[0-9a-f]{64}$/)
})

test('a number is sealed as documented: by the hash of key, table and place, and opened by the same', () => {
  for (const [at, number] of NUMBERS.entries()) {
    const closed = sealed(number, 'key', 'F7KQXM', at)
    expect(closed).toHaveLength(64)
    expect(BigInt(`0x${closed}`)).toBe(BigInt(`0x${number}`) ^ BigInt(`0x${sha256(`key F7KQXM ${at}`)}`))
    expect(sealed(closed, 'key', 'F7KQXM', at)).toBe(number)
    expect(sealed(closed, 'key', 'F7KQXM', at + 1)).not.toBe(number)
  }
})

test('a promise is the hash of a number that the device keeps', () => {
  const promise = promiseFor('AAAAAA')
  const number = promisedNumber('AAAAAA', promise)!
  expect(sha256(number)).toBe(promise)
  expect(promisedNumber('BBBBBB', promise)).toBeUndefined()
})

test('a number is pending until it was brought, and is then found by its game', () => {
  keepNumbers('CCCCCC', NUMBERS[0]!, NUMBERS[1]!, NUMBERS[0]!)
  keepNumbers('CCCCCC', NUMBERS[1]!)
  expect(pendingNumbers('CCCCCC')).toContain(NUMBERS[0])
  noteBrought('CCCCCC', NUMBERS[0]!, 3)
  expect(broughtTo('CCCCCC', 3)).toBe(NUMBERS[0])
  expect(pendingNumbers('CCCCCC')).toEqual([NUMBERS[1]])
  forgetNumbers('CCCCCC')
  expect(pendingNumbers('CCCCCC')).toEqual([])
})

test('of one table twenty numbers are kept, the latest', () => {
  const many = Array.from({ length: 25 }, newNumber)
  for (const number of many) keepNumbers('DDDDDD', number)
  expect(pendingNumbers('DDDDDD')).toEqual(many.slice(-20))
})
