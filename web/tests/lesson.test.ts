// How far a game has followed the script of the guided game.
import { expect, test } from 'vitest'

import { progressOf, SCRIPT } from '../src/guide/lesson'
import type { EventMessage } from '../src/wire/messages'

const played = (...actions: number[]): EventMessage[] =>
  actions.map((action, n) => ({ type: 'event', kind: 'moved', number: n + 1, at: 0, action }))
const moves = SCRIPT.flatMap(({ action }) => (action ? [action] : []))
const all = moves.map(({ number }) => number)

test('every step of the script is read, or is an action of the table', () => {
  expect(SCRIPT.every(({ say, action }) => say ?? action)).toBe(true)
  expect(moves[0]!.token).toBe('@R')
})

test('a game that follows the script is at its end when all is done', () => {
  expect(progressOf(played(...all))).toMatchObject({ open: [], left: false })
  expect(progressOf(played(...all)).done.size).toBe(all.length)
})

test('something else leaves the script, and taking it back returns to it', () => {
  const other = SCRIPT.findLast(({ action }) => action?.ends)!.action!.number
  const left = played(all[0]!, other)
  expect(progressOf(left).left).toBe(true)
  const back: EventMessage = { type: 'event', kind: 'undone', number: 3, at: 0 }
  expect(progressOf([...left, back])).toMatchObject({
    left: false,
    done: new Set([SCRIPT.indexOf(SCRIPT.find(({ action }) => action)!)]),
  })
})

test('a turn’s actions may come in any order, but its end comes last', () => {
  const end = moves.findIndex(({ token }) => token === '.')
  const before = all.slice(0, end - 2)
  const [one, two] = [all[end - 2]!, all[end - 1]!]
  expect(progressOf(played(...before, two, one, all[end]!)).left).toBe(false)
  expect(progressOf(played(...before, two, all[end]!)).left).toBe(true)
})
