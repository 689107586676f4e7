import { describe, expect, test } from 'vitest'

import { evenLevel, gamesWithLevels, propose, ratingAfter, winChance, type Level } from '../../src/device/rating'
import type { MyGame } from '../../src/device/tables.svelte'
import { BEGINNER, LEVELS, RATINGS, type Summary } from '../../src/wire/messages'

const FIRST = LEVELS[0]

/** A finished game of person 1, who sits here in seat 0, against bots. */
function finished(levels: readonly string[], won: boolean, change: Partial<Summary> = {}): MyGame {
  const summary: Summary = {
    code: 'F7KQXM',
    state: 'over',
    at: 100,
    games: 1,
    people: [1],
    players: [
      { colour: 0, person: 1, name: 'Ann', level: null },
      ...levels.map((level, seat) => ({ colour: seat + 1, person: null, name: null, level })),
    ],
    needed: 6,
    winner: won ? 0 : 1,
    ...change,
  }
  return { code: 'F7KQXM', at: 1, summary }
}

const results = (level: Level, won: number, games: number) =>
  Array.from({ length: games }, (_, number) => finished([level], number < won))

describe('which games count', () => {
  test('finished ones of one person here against bots of our levels', () => {
    expect(gamesWithLevels([finished(['kasim', 'ali'], true)])).toEqual([{ levels: ['kasim', 'ali'], won: true }])
    expect(gamesWithLevels([finished(['kasim'], false)])).toEqual([{ levels: ['kasim'], won: false }])
  })

  test('not those that began in the middle of a game, or with hints', () => {
    expect(gamesWithLevels([{ ...finished(['kasim'], true), uncounted: true }])).toEqual([])
  })

  test('not those that go on, that nobody has won, where people play or strange bots, or that are only watched', () => {
    const others = { colour: 1, person: 2, name: 'Bo', level: null }
    const me = { colour: 0, person: 1, name: 'Ann', level: null }
    const left = [
      finished(['kasim'], true, { state: 'playing' }),
      finished(['kasim'], true, { winner: null }),
      finished(['kasim'], true, { players: [me, others] }),
      finished(['kasim'], true, { people: [] }),
      finished(['lesson'], true),
      finished(['eager'], true),
      { code: 'OLD', at: 1, over: true },
    ]
    expect(gamesWithLevels(left)).toEqual([])
  })
})

test('a difference of 191 points wins three games of four, and less is decided where more play', () => {
  expect(winChance(RATINGS.kasim + 191, ['kasim'])).toBeCloseTo(0.75, 3)
  expect(winChance(RATINGS.kasim, ['kasim', 'kasim'])).toBeCloseTo(1 / 3, 9)
  const three = winChance(RATINGS.kasim + 400, ['kasim', 'kasim'])
  expect(three).toBeGreaterThan(1 / 3)
  expect(three).toBeLessThan(10 / 12)
})

test('without games somebody is a beginner, and many games say what they say', () => {
  expect(ratingAfter([])).toBe(BEGINNER[0])
  const even = Array.from({ length: 200 }, (_, n) => ({ levels: ['ali'] as const, won: n % 2 > 0 }))
  expect(Math.abs(ratingAfter(even) - RATINGS.ali)).toBeLessThan(20)
})

describe('whom to play next', () => {
  test('the first of all, with nothing that speaks for it', () => {
    expect(propose([])).toEqual({ level: FIRST })
  })

  test('one step up where one level is beaten more often than not', () => {
    const kasim = LEVELS.indexOf('kasim')
    expect(propose(results('kasim', 3, 4))).toEqual({
      level: LEVELS[kasim + 1],
      because: { level: 'kasim', won: 3, games: 4 },
    })
  })

  test('nobody is sent further up than one above the strongest that was beaten', () => {
    for (const level of LEVELS) {
      const next = evenLevel(gamesWithLevels(results(level, 20, 20)))
      expect(LEVELS.indexOf(next)).toBe(Math.min(LEVELS.indexOf(level) + 1, LEVELS.length - 1))
    }
  })

  test('the same one after as many games won as lost, a lower one after games lost', () => {
    const even = propose(results('ali', 10, 20))
    expect(even).toEqual({ level: 'ali', because: { level: 'ali', won: 10, games: 20 } })
    const lost = propose([...results('kasim', 3, 4), ...results('scheherazade', 0, 9)])
    expect(RATINGS[lost.level]).toBeLessThan(RATINGS.morgiana)
  })

  test('whoever has only lost is sent to the first', () => {
    expect(propose(results('zubaida', 0, 3))).toMatchObject({ because: { level: 'zubaida', won: 0, games: 3 } })
    expect(propose(results('zubaida', 0, 3)).level).toBe(FIRST)
  })
})
