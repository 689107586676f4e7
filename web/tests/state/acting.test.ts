// From legal actions to what can be pointed at, and back.
import { expect, test } from 'vitest'

import { actableIn, actionsWith, attempt, inGroups, ordered, pieceOf } from '../../src/state/acting'
import { ACTIONS } from '../../src/wire/actions'

const called = (...tokens: string[]) => tokens.map((token) => ACTIONS.find((action) => action.token === token)!)
const tokens = (actions: readonly { token: string }[]) => actions.map(({ token }) => token)
const NONE = { R: 0, G: 0, W: 0, P: 0, Y: 0, B: 0, '*': 0 }

test('an action begins with its piece: a guard, a thief, the stock', () => {
  const [placed, smuggled, moved, carried, neutral, end] = called('@R', '+R(R)', 'R>G(R)', 'R>>G(G)', 'nR>G(RG)', '.')
  expect(pieceOf(placed!, 1)).toBeNull()
  expect(pieceOf(smuggled!, 1)).toEqual({ kind: 'stock' })
  expect(pieceOf(moved!, 1)).toEqual({ kind: 'guard', palace: 'R', owner: 1 })
  expect(pieceOf(carried!, 1)).toEqual({ kind: 'thief', palace: 'R', seat: 1 })
  expect(pieceOf(neutral!, 1)).toEqual({ kind: 'guard', palace: 'R', owner: 'n' })
  expect(pieceOf(end!, 1)).toBeNull()
})

test('what can be pointed at first: pieces and the cards that pay', () => {
  expect([...actableIn(called('+R(R*)', 'nW>G(*G)', '.'), 0)].sort()).toEqual([
    'card *',
    'card G',
    'card R',
    'guard W n',
    'stock',
  ])
})

test('what was pointed at first leaves the actions that go with it', () => {
  const legal = called('+R(R)', '+R(*)', 'R>G(R)', 'R>>G(R)', 'W>G(*)', '.')
  expect(tokens(actionsWith(legal, null, 0))).toEqual(['+R(R)', '+R(*)'])
  expect(tokens(actionsWith(legal, { kind: 'stock' }, 0))).toEqual(['+R(R)', '+R(*)'])
  expect(tokens(actionsWith(legal, { kind: 'card', card: '*' }, 0))).toEqual(['+R(*)', 'W>G(*)'])
  expect(tokens(actionsWith(legal, { kind: 'guard', palace: 'R', owner: 0 }, 0))).toEqual(['R>G(R)'])
  expect(tokens(actionsWith(legal, { kind: 'thief', palace: 'R', seat: 0 }, 0))).toEqual(['R>>G(R)'])
  expect(tokens(actionsWith(called('@R', '@nG'), null, 0))).toEqual(['@R', '@nG'])
})

test('palace cards come before dancers, and cards of which there are more before others', () => {
  const ways = called('R>G(*)', 'R>G(R)', 'R>G(G)')
  expect(tokens(ordered(ways, { ...NONE, R: 1, G: 4, '*': 9 }))).toEqual(['R>G(G)', 'R>G(R)', 'R>G(*)'])
})

test('ways that do the same lie beside each other, in the order in which they are offered', () => {
  const ways = called('nR>G(RG)', 'W>G(G)', 'R>G(G)', 'W>>G(W)', '+G(G)', 'R>G(R)')
  expect(tokens(inGroups(ways))).toEqual(['+G(G)', 'W>>G(W)', 'R>G(G)', 'R>G(R)', 'W>G(G)', 'nR>G(RG)'])
})

test('pointing where nothing lights up means an action all the same, paid with palace cards', () => {
  const meant = (...given: Parameters<typeof attempt>) => attempt(...given)?.token ?? null
  expect(meant(null, 'R', 0, true)).toBe('@R')
  expect(meant(null, 'R', 0, false)).toBe('+R(R)')
  expect(meant({ kind: 'stock' }, 'R', 2, false)).toBe('+R(RR)')
  expect(meant({ kind: 'card', card: 'W' }, 'R', 4, false)).toBe('+R(RRR)')
  expect(meant({ kind: 'guard', palace: 'W', owner: 2 }, 'R', 1, false)).toBe('W>R(W)')
  expect(meant({ kind: 'guard', palace: 'W', owner: 'n' }, 'R', 1, false)).toBe('nW>R(WR)')
  expect(meant({ kind: 'thief', palace: 'W', seat: 2 }, 'R', 1, false)).toBe('W>>R(W)')
  expect(meant({ kind: 'thief', palace: 'R', seat: 2 }, 'R', 1, false)).toBeNull()
})
