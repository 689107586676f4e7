// What is kept of puzzles on this device: the first outcome, and days in a row.
import { beforeEach, expect, test, vi } from 'vitest'

import type * as Solved from '../../src/device/solved.svelte'

const kept = new Map<string, string>()
let solved: typeof Solved
beforeEach(async () => {
  kept.clear()
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, text: string) => void kept.set(name, text),
  })
  vi.stubGlobal('addEventListener', () => {})
  vi.resetModules()
  solved = await import('../../src/device/solved.svelte')
})

test('a day is that of the calendar, by the clock of whoever looks', () => {
  const { dayOf } = solved
  expect(dayOf(new Date(2026, 10, 20, 23, 59))).toBe(dayOf(new Date(2026, 10, 20, 0, 0)))
  expect(dayOf(new Date(2026, 10, 21, 0, 0))).toBe(dayOf(new Date(2026, 10, 20)) + 1)
  expect(dayOf(new Date(2027, 2, 1))).toBe(dayOf(new Date(2027, 1, 28)) + 1)
})

test('days in a row are counted until one is missed', () => {
  const { noteOutcome, streak } = solved
  noteOutcome('a', 'solved', 100)
  noteOutcome('b', 'solved', 101)
  expect(streak(101)).toEqual({ days: 2, longest: 2 })
  // Today's waits still.
  expect(streak(102)).toEqual({ days: 2, longest: 2 })
  expect(streak(103)).toEqual({ days: 0, longest: 2 })
  noteOutcome('c', 'solved', 103)
  expect(streak(103)).toEqual({ days: 1, longest: 2 })
})

test('what was shown, or is of another day, makes no streak', () => {
  const { noteOutcome, outcomeOf, streak } = solved
  noteOutcome('a', 'shown', 100)
  noteOutcome('b', 'solved', null)
  expect(streak(100)).toEqual({ days: 0, longest: 0 })
  // The first time counts.
  noteOutcome('a', 'solved', 100)
  expect([outcomeOf('a'), outcomeOf('b'), outcomeOf('c')]).toEqual(['shown', 'solved', undefined])
  expect(streak(100).days).toBe(0)
})

test('it is there the next time', async () => {
  solved.noteOutcome('a', 'solved', 100)
  vi.resetModules()
  const again = await import('../../src/device/solved.svelte')
  expect(again.outcomeOf('a')).toBe('solved')
  expect(again.streak(101).days).toBe(1)
})
