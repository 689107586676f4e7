import { beforeEach, expect, test } from 'vitest'

import { playersOf } from '../../src/board/position'
import { speak } from '../../src/i18n/say.svelte'
import { lastPaid, newsOf, roundInWords, stepsOfOthers } from '../../src/state/news'
import { happened, table } from '../support/positions'

beforeEach(() => speak('en'))

const tokensOf = (...given: Parameters<typeof stepsOfOthers>) =>
  stepsOfOthers(...given).map(({ action }) => action.token)

test('the steps of others since the own last action are told', () => {
  const log = [
    happened({ seat: 0, token: '+R(R)' }),
    happened({ seat: 1, token: '.' }),
    happened({ seat: 0, token: 'R>G(R)' }),
    happened({ kind: 'chatted', person: 1, text: 'hm' }),
    happened({ seat: 0, token: '.', drawn: [[0, 3]] }),
  ]
  expect(tokensOf(log, 1)).toEqual(['R>G(R)', '.'])
  expect(stepsOfOthers(log, 1).at(-1)).toMatchObject({ seat: 0, drawn: 3 })
  expect(tokensOf(log, 0)).toEqual([])
})

test('what was taken back has not happened; taking back oneself counts as an action', () => {
  const log = [
    happened({ seat: 1, token: '.' }),
    happened({ seat: 0, token: '+R(R)' }),
    happened({ seat: 0, token: '+G(G)' }),
    happened({ seat: 0, kind: 'undone' }),
  ]
  expect(tokensOf(log, 1)).toEqual(['+R(R)'])
  expect(tokensOf(log, 0)).toEqual([])
  expect(tokensOf([happened({ seat: 0, kind: 'undone' })], 1)).toEqual([])
})

test('somebody who only watches gets the turn that was played last', () => {
  const log = [
    happened({ seat: 1, token: '-' }),
    happened({ seat: 0, token: '+R(R)' }),
    happened({ seat: 0, token: '.' }),
  ]
  expect(tokensOf(log, null)).toEqual(['+R(R)', '.'])
})

test('the board marks who came and left, palace by palace', () => {
  const log = [
    happened({ seat: 0, token: '@R' }),
    happened({ seat: 0, token: 'nG>W(GW)' }),
    happened({ seat: 0, token: 'R>>P(R)' }),
    happened({ seat: 0, token: '+P(P)' }),
  ]
  expect(newsOf(stepsOfOthers(log, 1))).toEqual({
    R: { guards: { 0: 0 }, thieves: { 0: -1 }, robbed: [] },
    G: { guards: { n: -1 }, thieves: {}, robbed: [] },
    W: { guards: { n: 1 }, thieves: {}, robbed: [] },
    P: { guards: { 0: 1 }, thieves: { 0: 2 }, robbed: [] },
  })
})

test('thieves that have robbed are home again', () => {
  const log = [happened({ seat: 0, token: '+R(R)', robbed: [0] })]
  expect(newsOf(stepsOfOthers(log, 1))).toEqual({ R: { guards: {}, thieves: { 0: 0 }, robbed: [0] } })
})

test('the cards that were paid last are known', () => {
  const log = [
    happened({ seat: 0, token: '+R(R)' }),
    happened({ seat: 0, token: '+R(*)' }),
    happened({ seat: 0, token: '.' }),
  ]
  expect(lastPaid(stepsOfOthers(log, 1))).toEqual(['*'])
  expect(lastPaid([])).toEqual([])
})

test('a round is one sentence: what happened to each palace, or what was drawn', () => {
  const players = playersOf(table())
  const told = (...tokens: [string, object?][]) =>
    roundInWords(
      stepsOfOthers(
        tokens.map(([token, more]) => happened({ seat: 0, token, ...more })),
        1,
      ),
      players,
    )
  expect(told(['+R(R)'], ['+R(R)', { robbed: [0] }], ['.', { drawn: [[0, 3]] }])).toBe(
    'Kasim: 2 thieves into Red, Red robbed.',
  )
  expect(told(['-', { drawn: [[0, 4]] }])).toBe('Kasim: 4 cards drawn.')
  expect(told(['-*', { drawn: [[0, 3]] }])).toBe('Kasim: dancer and 3 cards.')
  expect(told(['-R', { drawn: [[0, 4]] }])).toBe('Kasim: asked for Red, drew 4 cards.')
  expect(told(['nG>W(GW)'], ['R>>P(R)'])).toBe('Kasim: 1 neutral guard to White, 1 guard with a thief to Purple.')
  expect(told()).toBe('')
})
