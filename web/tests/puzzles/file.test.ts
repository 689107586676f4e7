// The puzzles that ship: they are read, and each can be solved by its own turn, asked of the compiled rules.
import { beforeAll, expect, test } from 'vitest'

import module from '../../../src/baghdad/wasm/baghdad.wasm?url&inline'
import { Engine } from '../../src/engine/engine'
import { attempted } from '../../src/local/attempt'
import { rulesFrom } from '../../src/local/play/module'
import type { Rules } from '../../src/local/play/rules'
import { puzzleOf, puzzlesOf, type PuzzleFile } from '../../src/puzzles/file'

const [text = ''] = Object.values(
  import.meta.glob<string>('../../../src/baghdad/analysis/puzzles.json', {
    query: '?raw',
    import: 'default',
    eager: true,
  }),
)
const all = puzzlesOf(JSON.parse(text) as PuzzleFile)
let rules: Rules
beforeAll(async () => {
  rules = rulesFrom(await Engine.load(await (await fetch(module)).arrayBuffer()))
})

test('the file is small, and no puzzle is in it twice', () => {
  expect(text.length).toBeLessThan(300_000)
  expect(all.length).toBeGreaterThan(0)
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
  expect(all.map(({ id }) => id)).toEqual(all.map(({ id }) => id).sort())
})

test('every puzzle is solved by its turn, and not by the next best one', () => {
  for (const { id, position, turn, next } of all) {
    const answers = [turn, next]
    const [best, other] = answers.map((tokens) => attempted(rules, { position, tokens, answers }))
    expect([best!.over, best!.same, other!.over, other!.same], id).toEqual([true, 0, true, 1])
  }
})

test('what everybody sees is what the rules make of it', () => {
  for (const { position } of all) {
    const { shown, own } = attempted(rules, { position, tokens: [] })
    expect(shown).toEqual(position.shown)
    expect(own.hand).toEqual(position.hand)
    expect(own.legal.length).toBeGreaterThan(1)
  }
})

test('another puzzle for every day, in turn', () => {
  const days = all.map((_, day) => puzzleOf(all, 20_000 + day))
  expect(new Set(days).size).toBe(all.length)
  expect(puzzleOf(all, 20_000 + all.length)).toBe(puzzleOf(all, 20_000))
  expect(puzzleOf([], 20_000)).toBeUndefined()
})
