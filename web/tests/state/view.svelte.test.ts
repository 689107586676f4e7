// What is derived of a position, for whoever looks at it.
import { expect, test } from 'vitest'

import { View } from '../../src/state/view.svelte'
import { OVER } from '../../src/wire/messages'
import { PALACES, type Seat } from '../../src/wire/names'
import { shown } from '../support/positions'

const SHOWN = shown({
  guards: PALACES.map(() => [1, 1, 0, 0, 1]),
  discard: [1, 0, 2, 0, 0, 0],
  dancers: 5,
  seat: 1,
  thief_actions: 1,
  deck_size: 40,
})

class Fixed extends View {
  shown = $state.raw(SHOWN)
  seat: Seat | null = 0
  readonly present = [7]
  board = $state<'classic' | 'ring'>('classic')
  readonly shuffledBy = 'a game'
  readonly players = (['Ali', 'Bea'] as const).map((name, seat) => ({
    seat: seat as Seat,
    name,
    colour: (3 - seat) as Seat,
    person: 7 + seat,
    bot: null,
    absent: false,
    character: { name, level: null, nth: 0 },
  }))
}

test('names, colours, piles and lanterns follow from the position', () => {
  const view = new Fixed()
  expect(view.names).toEqual(['Ali', 'Bea'])
  expect(view.colours).toEqual([3, 2])
  expect(view.piles).toEqual({ stack: 40, discard: 3, dancers: 5 })
  expect(view.lanterns).toBe(2)
  expect(view.over).toBe(false)
  expect(view.boards.map(({ onTurn, away }) => [onTurn, away])).toEqual([
    [false, false],
    [true, true],
  ])
  view.shown = { ...SHOWN, phase: OVER }
  expect(view.over).toBe(true)
})

test('loose palaces lie in an order of their own, always the same in a game', () => {
  const view = new Fixed()
  const order = () => view.laid.map(({ palace }) => palace).join('')
  expect(order()).toBe('RGWPYB')
  view.board = 'ring'
  const loose = order()
  expect(loose).not.toBe('RGWPYB')
  expect([...loose].sort()).toEqual([...PALACES].sort())
  expect(new Fixed().laid).toHaveLength(6)
  view.shown = { ...SHOWN, deck_size: 39 }
  expect(order()).toBe(loose)
})

test('what a step leaves as it was stays the same object', () => {
  const view = new Fixed()
  const [palaces, boards] = [view.palaces, view.boards]
  view.shown = { ...SHOWN, chests: [3, 4, 4, 4, 4, 4], loot: [1, 0] }
  expect(view.palaces.map((palace, n) => palace === palaces[n])).toEqual([false, true, true, true, true, true])
  expect(view.boards.map((board, n) => board === boards[n])).toEqual([false, true])
})
