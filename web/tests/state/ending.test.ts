import { beforeEach, expect, test } from 'vitest'

import { speak } from '../../src/i18n/say.svelte'
import { endingOf, endInWords, whyInWords, type Ending } from '../../src/state/ending'
import { shown } from '../support/positions'

beforeEach(() => speak('en'))

const NAMES = ['Ann', 'Bo']
const won: Ending = { winner: 0, loot: [6, 2] }

test('an ending is read from table and position', () => {
  expect(endingOf({}, shown({ winner: 1, loot: [1, 6] }))).toMatchObject({ winner: 1, loot: [1, 6], resigned: [] })
  expect(endingOf({ termination: 'agreed', resigned: [0] }, shown())).toMatchObject({
    winner: null,
    termination: 'agreed',
    resigned: [0],
  })
})

test('who has won is told to the winner and to others', () => {
  expect(endInWords(won, NAMES)).toBe('Ann wins with 6 chests')
  expect(endInWords(won, NAMES, 0)).toBe('You have won!')
  expect(endInWords(won, NAMES, 1)).toBe('Ann wins with 6 chests')
  expect(whyInWords(won, shown())).toBe('')
})

test('giving up is told to all three sides', () => {
  const gaveUp: Ending = { ...won, termination: 'resigned', resigned: [1] }
  expect(endInWords(gaveUp, NAMES)).toBe('Ann has won: Bo gave up')
  expect(endInWords(gaveUp, NAMES, 0)).toBe('You have won: Bo gave up')
  expect(endInWords(gaveUp, NAMES, 1)).toBe('You gave up: Ann has won')
  expect(whyInWords(gaveUp, shown())).toBe('Giving up counts as a loss.')
})

test('where a bot wins for somebody who gave up, nobody is called a winner', () => {
  const bot: Ending = { ...won, resigned: [0] }
  expect(endInWords(bot, NAMES)).toBe('A bot has won for Ann, who gave up')
  expect(endInWords(bot, NAMES, 0)).toBe('You gave up: a bot has won on your seat')
  expect(whyInWords(bot, shown())).toMatch(/has lost all the same/)
})

test.each([
  ['resigned', 'All have given up: nobody has won'],
  ['agreed', 'Ended by agreement: nobody has won'],
  ['abandoned', 'Abandoned: nobody has won'],
  ['turn limit', 'Stopped at the turn limit: nobody has won'],
  [null, 'Nobody has won'],
] as const)('no winner: %s', (termination, text) => {
  expect(endInWords({ winner: null, termination, loot: [0, 0] }, NAMES)).toBe(text)
})

test('a stalemate is explained: no thief is left where only smuggled ones rob, or nobody gained anything', () => {
  const nobody: Ending = { winner: null, loot: [0, 0] }
  expect(whyInWords(nobody, shown({ rob: 1, stock: [0, 0] }))).toMatch(/nobody has a thief left/)
  expect(whyInWords(nobody, shown({ rob: 0, stock: [0, 0] }))).toMatch(/for a whole round/)
  expect(whyInWords(nobody, shown({ rob: 1, stock: [0, 1] }))).toMatch(/for a whole round/)
})
