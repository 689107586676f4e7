// What others did since one's own last action.
import { expect, test } from 'vitest'

import { lastPaid, newsOf, stepsOfOthers } from '../src/state/news'
import { ACTIONS } from '../src/wire/actions'
import type { EventMessage } from '../src/wire/messages'

let number = 0
const moved = (seat: number, token: string, more: Partial<EventMessage> = {}): EventMessage => ({
  type: 'event',
  kind: 'moved',
  number: ++number,
  at: 0,
  seat,
  action: ACTIONS.findIndex((action) => action.token === token),
  ...more,
})
const undone = (seat: number): EventMessage => ({ type: 'event', kind: 'undone', number: ++number, at: 0, seat })
const steps = (log: readonly EventMessage[], own: 0 | 1 | null) =>
  stepsOfOthers(log, own).map(({ seat, action }) => `${seat} ${action.token}`)

test('steps of others since the own last action, without what was taken back', () => {
  const log = [moved(1, '+R(R)'), moved(0, '.'), moved(1, 'R>G(R)'), undone(1), moved(1, '+G(*)'), moved(1, '.')]
  expect(steps(log, 0)).toEqual(['1 +G(*)', '1 .'])
  expect(steps(log, 1)).toEqual([])
})

test('whoever only watches gets the turn that was played last', () => {
  expect(steps([moved(0, '+R(R)'), moved(0, '.'), moved(1, '+G(G)'), moved(1, '.')], null)).toEqual(['1 +G(G)', '1 .'])
})

test('guards and thieves that came, left and robbed, palace by palace', () => {
  const log = [
    moved(1, '@B'),
    moved(1, 'R>>G(R)'),
    moved(1, 'nW>G(*G)'),
    moved(1, '+Y(Y)', { robbed: [4] }),
    moved(1, '.', { drawn: [[1, 3]] }),
  ]
  expect(newsOf(stepsOfOthers(log, 0))).toEqual({
    B: { guards: { 1: 1 }, thieves: {}, robbed: [] },
    R: { guards: { 1: -1 }, thieves: { 1: -1 }, robbed: [] },
    G: { guards: { 1: 1, n: 1 }, thieves: { 1: 1 }, robbed: [] },
    W: { guards: { n: -1 }, thieves: {}, robbed: [] },
    Y: { guards: {}, thieves: { 1: 0 }, robbed: [1] },
  })
  expect(lastPaid(stepsOfOthers(log, 0))).toEqual(['Y'])
  expect(stepsOfOthers(log, 0).at(-1)!.drawn).toBe(3)
})
