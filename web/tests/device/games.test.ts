import { expect, test } from 'vitest'

import { inOrder, lastOf, standingOf, summarise } from '../../src/device/games'
import type { MyGame } from '../../src/device/tables.svelte'
import { DEALING, type Summary } from '../../src/wire/messages'
import { shown, table } from '../support/positions'

/** A game of Ann, person 1, who sits here, and Bo, person 2. */
function game(code: string, change: Partial<Summary> = {}, rest: Partial<MyGame> = {}): MyGame {
  const summary: Summary = {
    code,
    state: 'playing',
    at: 100,
    games: 1,
    people: [1],
    players: [
      { colour: 0, person: 1, name: 'Ann' },
      { colour: 1, person: 2, name: 'Bo' },
    ],
    needed: 6,
    turn: 0,
    ...change,
  }
  return { code, at: 1, summary, ...rest }
}

test('a game waits for me where it is the turn of somebody on this device', () => {
  expect(standingOf(game('A'))).toBe('yours')
  expect(standingOf(game('A', { turn: 1 }))).toBe('theirs')
  expect(standingOf(game('A', { turn: null }))).toBe('theirs')
})

test('where I have given up, a bot plays on and nothing waits for me', () => {
  expect(standingOf(game('A', { resigned: [0] }))).toBe('theirs')
})

test('tables that are gone, over or not begun are told apart, also without a summary', () => {
  expect(standingOf(game('A', {}, { gone: true }))).toBe('gone')
  expect(standingOf(game('A', { state: 'over' }))).toBe('over')
  expect(standingOf(game('A', { state: 'gathering' }))).toBe('gathering')
  expect(standingOf({ code: 'A', at: 1, over: true })).toBe('over')
  expect(standingOf({ code: 'A', at: 1 })).toBe('theirs')
})

test('games that wait for me come first, and of each kind the latest', () => {
  const games = [
    game('over', { state: 'over', at: 900 }),
    game('theirs', { turn: 1, at: 800 }),
    game('old', { at: 100 }),
    game('gone', {}, { gone: true }),
    game('new', { at: 200 }),
    game('gathering', { state: 'gathering', at: 700 }),
  ]
  expect(inOrder(games).map(({ code }) => code)).toEqual(['new', 'old', 'theirs', 'gathering', 'over', 'gone'])
  expect(lastOf({ code: 'A', at: 5 })).toBe(5)
})

test('a summary has the players by seat, with their chests', () => {
  const summary = summarise(table(), shown({ loot: [2, 3], seat: 1 }), [1])
  expect(summary.players).toEqual([
    { colour: 0, person: null, name: null, level: 'kasim', chests: 2 },
    { colour: 2, person: 1, name: 'Ann', level: null, chests: 3 },
  ])
  expect(summary).toMatchObject({ code: 'F7KQXM', state: 'playing', needed: 6, turn: 1, winner: null })
  expect(standingOf({ code: 'F7KQXM', at: 0, summary })).toBe('yours')
})

test('before the game chairs that are closed do not count, and nothing of the last game is left', () => {
  const chairs = [...table().chairs, { kind: 'open' as const, colour: 1 }, { kind: 'closed' as const, colour: 3 }]
  const summary = summarise(table({ state: 'gathering', chairs }), shown({ winner: 0 }), [1])
  expect(summary.players.map(({ chests }) => chests)).toEqual([null, null, null])
  expect(summary).toMatchObject({ needed: 5, turn: null, winner: null, resigned: [] })
})

test('while cards are dealt it is nobody’s turn', () => {
  expect(summarise(table(), shown({ phase: DEALING }), [1]).turn).toBeNull()
})
