// The bookkeeping of luck in whole points.
import { expect, test } from 'vitest'

import type { Ledger } from '../../src/analysis/chances'
import { accountOf, largestDraws, rounded } from '../../src/review/ledger'

const worth = (first: number) => [first, -first, 0, 0, 0]
const LEDGER: Ledger = {
  start: [0.504, 0.496, 0, 0, 0],
  draws: [
    { at: 4, seat: 0, worth: worth(0.043) },
    { at: 8, seat: 1, worth: worth(0.102) },
    { at: 12, seat: 0, worth: worth(-0.055) },
    { at: 16, seat: 1, worth: worth(0.004) },
  ],
  turns: [
    { at: 5, until: 8, seat: 0, worth: worth(-0.144) },
    { at: 9, until: 12, seat: 1, worth: worth(0.246) },
    { at: 20, until: 20, seat: -1, worth: worth(0.3) },
  ],
  result: [1, 0, 0, 0, 0],
}

test('start, all cards, own turns and those of all others add up to the result, in whole points too', () => {
  expect(accountOf(LEDGER, 0)).toEqual({ start: 50, cards: 9, own: -14, others: 55, result: 100, adjusted: 91 })
  for (const seat of [0, 1]) {
    const { start, cards, own, others, result } = accountOf(LEDGER, seat)
    expect(start + cards + own + others).toBe(result)
  }
  expect(accountOf(LEDGER, 1)).toMatchObject({ own: -25, result: 0 })
})

test('rounded numbers keep their sum, and none is off by a whole one', () => {
  expect(rounded([33.4, 33.4, 33.2], 100)).toEqual([34, 33, 33])
  expect(rounded([-0.4, 0.2, 0.2], 0)).toEqual([0, 0, 0])
  expect(rounded([24.6, -3.5, -21.1], 0)).toEqual([25, -4, -21])
})

test('the draws that were worth most come first, whoever got the cards, but none that rounds to nothing', () => {
  expect(largestDraws(LEDGER, 0).map(({ at }) => at)).toEqual([8, 12, 4])
  expect(largestDraws(LEDGER, 2)).toEqual([])
})
