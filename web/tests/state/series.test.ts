import { beforeEach, expect, test } from 'vitest'

import { speak } from '../../src/i18n/say.svelte'
import { charactersIn, endOf, seatsOf, totalOf } from '../../src/state/series'
import { playedGame } from '../support/positions'

beforeEach(() => speak('en'))

test('bots have their figures, people their names', () => {
  expect(charactersIn(playedGame()).map(({ name }) => name)).toEqual(['Ann', 'Kasim'])
})

test('the seats of people are those where they have played', () => {
  const game = playedGame({ people: [1, null, 3] })
  expect(seatsOf(game, [3, 1, 7])).toEqual([0, 2])
  expect(seatsOf(game, [7])).toEqual([])
})

test('how each game ended is told in a sentence', () => {
  expect(endOf(playedGame())).toBe('Ann wins with 6 chests')
  expect(endOf(playedGame({ state: 'playing' }))).toBe('This game is being played')
  expect(endOf(playedGame({ winner: null, termination: 'agreed' }))).toBe('Ended by agreement: nobody has won')
})

test('nothing is counted before there are two games, nor at one that goes on', () => {
  const games = [playedGame(), playedGame({ number: 2, state: 'playing' })]
  expect(totalOf(games, 1)).toEqual([])
  expect(totalOf(games, 2)).toEqual([])
})

test('games are counted up to one of them, by who played it, whatever the seats', () => {
  const games = [
    playedGame(),
    playedGame({
      number: 2,
      names: ['kasim', 'Ann'],
      bots: ['kasim', null],
      people: [null, 1],
      colours: [1, 0],
      winner: 1,
    }),
    playedGame({ number: 3, winner: 1 }),
  ]
  expect(totalOf(games, 2)).toEqual([
    { name: 'Kasim', won: 0 },
    { name: 'Ann', won: 2 },
  ])
  expect(totalOf(games, 3)).toEqual([
    { name: 'Ann', won: 2 },
    { name: 'Kasim', won: 1 },
  ])
})

test('whoever gave up has won nothing, even if a bot won there', () => {
  const games = [playedGame({ resigned: [0] }), playedGame({ number: 2, winner: null })]
  expect(totalOf(games, 2).map(({ won }) => won)).toEqual([0, 0])
})

test('somebody who has changed the name is still the same person', () => {
  const games = [playedGame(), playedGame({ number: 2, names: ['Anna', 'kasim'] })]
  expect(totalOf(games, 2)[0]).toEqual({ name: 'Anna', won: 2 })
})
