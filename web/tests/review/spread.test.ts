import { expect, test } from 'vitest'

import { spread } from '../../src/review/spread'

test('signs stay where they belong while there is room', () => {
  expect(spread([10, 50, 90], 20, 0, 100)).toEqual([10, 50, 90])
})

test('signs that would cover each other move apart, in their order and within their bounds', () => {
  expect(spread([95, 95, 5, 95], 20, 0, 100)).toEqual([60, 80, 5, 100])
  expect(spread([0, 0, 0], 20, 0, 100)).toEqual([0, 20, 40])
})

test('with too little room they are as far apart as they can be', () => {
  expect(spread([1, 2, 3], 20, 0, 10)).toEqual([0, 5, 10])
})
