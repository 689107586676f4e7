import { expect, test } from 'vitest'

import lesson from '../../../src/baghdad/bots/lesson/lesson.json'
import { progressOf, SCRIPT, TOLD } from '../../src/guide/lesson'
import { happened } from '../support/positions'

/** The moves of the script, in order. */
const MOVES = SCRIPT.flatMap(({ action }, number) => (action ? [{ move: action.token, number }] : []))
const after = (...tokens: string[]) => progressOf(tokens.map((token) => happened({ seat: 0, token })))

test('every move of the script is one of the action table', () => {
  expect(MOVES.map(({ move }) => move)).toEqual(
    lesson.script.flatMap(({ move }: { move?: string }) => (move === undefined ? [] : [move])),
  )
  expect(TOLD).toBe(SCRIPT.filter(({ say }) => say).length)
})

test('before the first move its turn is open', () => {
  expect(after()).toEqual({ done: new Set(), open: [MOVES[0]!.number], left: false })
})

test('the whole script can be followed', () => {
  expect(after(...MOVES.map(({ move }) => move))).toEqual({
    done: new Set(MOVES.map(({ number }) => number)),
    open: [],
    left: false,
  })
})

/** The learner's first turn with several moves, and all that comes before. */
const first = MOVES.findIndex(({ move }) => move === '+R(R)')
const before = MOVES.slice(0, first).map(({ move }) => move)

test('the moves of a turn may be made in any order, its end comes last', () => {
  expect(after(...before, '+G(G)', '+R(R)', '+R(R)').left).toBe(false)
  expect(after(...before, '+G(G)', '+R(R)', '+R(R)', '.').left).toBe(false)
  expect(after(...before, '+R(R)', '.')).toMatchObject({ left: true })
})

test('whoever does something else has left the script, and is back after taking it back', () => {
  const log = [...before, '+B(B)'].map((token) => happened({ seat: 0, token }))
  expect(progressOf(log).left).toBe(true)
  expect(progressOf([...log, happened({ kind: 'undone', seat: 0 })])).toEqual(after(...before))
})
