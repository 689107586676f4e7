import { expect, test } from 'vitest'

import {
  boardsOf,
  cardOrder,
  foreignGuards,
  handOf,
  laid,
  palacesOf,
  pilesOf,
  playersOf,
  steady,
  strandedBy,
} from '../../src/board/position'
import { OVER } from '../../src/wire/messages'
import { PALACES } from '../../src/wire/names'
import { shown, table } from '../support/positions'

const none = [0, 0, 0, 0, 0]

test('guards stand by seat, neutral ones last; chests from the top', () => {
  const [red, green] = palacesOf(
    shown({ guards: [[1, 2, 0, 0, 1], none, none, none, none, none], chests: [2, 0, 4, 4, 4, 4] }),
    0,
  )
  expect(red).toMatchObject({ palace: 'R', guards: [0, 1, 1, 'n'], chests: [6, 7] })
  expect(green).toMatchObject({ guards: [], chests: [] })
})

test('smuggling costs a card for each foreign guard, where an own one stands (R12)', () => {
  const price = (guards: number[], seat: 0 | 1 | null = 0) =>
    palacesOf(shown({ guards: [guards, none, none, none, none, none] }), seat)[0]!.price
  expect(price([1, 2, 0, 0, 1])).toBe(3)
  expect(price([1, 0, 0, 0, 0])).toBeNull()
  expect(price([0, 2, 0, 0, 1])).toBeNull()
  expect(price([1, 2, 0, 0, 1], 1)).toBe(2)
  expect(price([1, 2, 0, 0, 1], null)).toBeNull()
  expect(foreignGuards(shown({ guards: [[1, 2, 0, 0, 1], none, none, none, none, none] }), 'R', null)).toBe(4)
})

test('loose palaces lie in an order of the game: always the same, all there, another in another game', () => {
  expect(laid(PALACES, 'classic', 'F7KQXM 1')).toEqual(PALACES)
  const orders = Array.from({ length: 30 }, (_, game) => laid(PALACES, 'ring', `F7KQXM ${game}`))
  for (const [game, order] of orders.entries()) {
    expect([...order].sort()).toEqual([...PALACES].sort())
    expect(laid(PALACES, 'ring', `F7KQXM ${game}`)).toEqual(order)
  }
  expect(new Set(orders.map((order) => order.join(''))).size).toBeGreaterThan(20)
})

test('what is equal to what was there before is the same object', () => {
  const before = [{ n: 1 }, { n: 2 }]
  const now = steady(before, [{ n: 1 }, { n: 3 }, { n: 4 }])
  expect(now).toEqual([{ n: 1 }, { n: 3 }, { n: 4 }])
  expect(now[0]).toBe(before[0])
  expect(now[1]).not.toBe(before[1])
})

test('a last thief that robs nothing is the end of its player’s robbing, or of everybody’s (R27)', () => {
  const last = shown({ rob: 1, stock: [1, 3] })
  expect(strandedBy(last, 'R', 0)).toBe('self')
  expect(strandedBy({ ...last, stock: [1, 0] }, 'R', 0)).toBe('all')
  // The heaviest chest but three needs four thieves.
  const nearly = { ...last, thieves: [[3, 0, 0, 0], ...last.thieves.slice(1)] }
  expect(strandedBy(nearly, 'R', 0)).toBeNull()
  expect(strandedBy({ ...nearly, chests: [0, 4, 4, 4, 4, 4] }, 'R', 0)).toBe('self')
  expect(strandedBy({ ...last, stock: [2, 3] }, 'R', 0)).toBeNull()
  expect(strandedBy({ ...last, rob: 0 }, 'R', 0)).toBeNull()
})

test('the own cards lie by palace, by number or as the palaces do, dancers always last', () => {
  const hand = handOf([1, 0, 3, 0, 2, 0, 5])
  expect(hand).toEqual({ R: 1, G: 0, W: 3, P: 0, Y: 2, B: 0, '*': 5 })
  expect(handOf(undefined)['*']).toBe(0)
  const board = ['B', 'Y', 'P', 'W', 'G', 'R'] as const
  expect(cardOrder('palace', hand, board).join('')).toBe('RGWPYB*')
  expect(cardOrder('most', hand, board).join('')).toBe('WYRGPB*')
  expect(cardOrder('board', hand, board).join('')).toBe('BYPWGR*')
})

test('the piles are counted', () => {
  expect(pilesOf(shown({ deck_size: 9, discard: [1, 0, 2, 0, 0, 0], dancers: 4 }))).toEqual({
    stack: 9,
    discard: 3,
    dancers: 4,
  })
})

test('players sit in the order of play, each with name, colour and who decides', () => {
  const players = playersOf(table())
  expect(players.map(({ name, colour, person, bot }) => ({ name, colour, person, bot }))).toEqual([
    { name: 'Kasim', colour: 0, person: null, bot: 'kasim' },
    { name: 'Ann', colour: 2, person: 1, bot: null },
  ])
})

test('a stand-in plays for somebody absent, and for somebody who gave up', () => {
  const chairs = table().chairs.map((chair) => (chair.person ? { ...chair, stand_in: 'ali' } : chair))
  expect(playersOf(table({ chairs }))[1]).toMatchObject({ bot: 'ali', absent: true, resigned: false })
  expect(playersOf(table({ chairs, resigned: [1] }))[1]).toMatchObject({ bot: 'ali', absent: false, resigned: true })
})

test('a player’s board tells whose turn it is and who is away', () => {
  const players = playersOf(table())
  const boards = boardsOf(shown({ seat: 1, loot: [2, 3], hand_dancers: [1, 2] }), players, [])
  expect(boards[0]).toMatchObject({
    name: 'Kasim',
    chests: 2,
    needed: 6,
    cards: 6,
    dancers: 1,
    onTurn: false,
    away: false,
  })
  expect(boards[1]).toMatchObject({ name: 'Ann', chests: 3, stock: 7, onTurn: true, away: true })
  expect(boardsOf(shown({ seat: 1 }), players, [1])[1]!.away).toBe(false)
  expect(boardsOf(shown({ seat: 1, phase: OVER }), players, [1]).some(({ onTurn }) => onTurn)).toBe(false)
})
