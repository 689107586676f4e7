// A branch as a link: short enough for any messenger, and with nothing in it that is still to come.
import { beforeAll, expect, test } from 'vitest'

import module from '../../../src/baghdad/wasm/baghdad.wasm?url&inline'
import { Engine } from '../../src/engine/engine'
import { rulesFrom } from '../../src/local/play/module'
import type { Rules } from '../../src/local/play/rules'
import { replayOfRecord } from '../../src/local/records'
import { branchIn, gameOf, linked, NAME } from '../../src/replay/branch'
import { pack, unpack } from '../../src/replay/fragment'
import { ReplayStore } from '../../src/replay/replay.svelte'

/** What a link may have, all in all. */
const MOST = 2048
const ADDRESS = 'https://a-server-with-a-rather-long-name.example.org/replay#'
const RECORDS = import.meta.glob<string>('../../../tests/data/4-*.txt', {
  query: '?raw',
  import: 'default',
  eager: true,
})
/** The longest first. */
const FOUR = Object.values(RECORDS).sort((a, b) => b.length - a.length)
const LONG = RECORDS['../../../tests/data/4-chosen-balanced.txt']
const hex = (n: number) =>
  Array.from({ length: 64 }, (_, at) => ((at * 7 + n * 11 + at * at) % 16).toString(16)).join('')
/** As a server's table has it, names of the greatest length included. */
const HEADERS = `[Seats "Amira von der Alten Stadt, Benedikt vom Grossen Basar, Cecilia aus dem Garten, Dirk van de Oude Haven"]
[Colours "1, 2, 3, 4"]
[Seed "${hex(1)}"]
[Commitment "${hex(2)}"]
[Promises "${[3, 4, 5, 6].map(hex).join(', ')}"]
[Numbers "${[7, 8, 9, 10].map(hex).join(', ')}"]
`
let rules: Rules
beforeAll(async () => {
  rules = rulesFrom(await Engine.load(await (await fetch(module)).arrayBuffer()))
})

const told = (record: string) => record.replace('\n\n', `\n${HEADERS}\n`)
const replayOf = (record: string) => new ReplayStore(replayOfRecord(rules, record, 'en', ({ key }) => key))

test('a long game of four with a branch fits into a link of 2 KB', async () => {
  const turns = replayOf(LONG!).positions.at(-1)!.shown.turn
  // Games of four between our opponents have 40 to 70.
  expect(turns).toBeGreaterThan(110)
  const link = ADDRESS + (await pack(linked(told(LONG!), 'x'.repeat(NAME), 100)))
  expect(link.length).toBeLessThan(MOST)
})

test('what comes out of it is the game with its branch', async () => {
  const [record] = FOUR
  const name = 'A "guard" \\ too late'
  const text = await unpack(await pack(linked(told(record!), name, 30)))
  expect(text).not.toMatch(/Seed|Commitment|Promises|Numbers/)
  const replay = replayOf(text)
  expect(replay.game.headers.Seats).toContain('Cecilia')
  expect(replay.tokensBefore(Infinity)).toEqual(replayOf(record!).tokensBefore(Infinity))
  const branch = branchIn(replay)!
  expect(branch.name).toBe(name)
  expect(replay.positions.slice(0, branch.step + 1).filter(({ step }) => step.token)).toHaveLength(30)
})

test('a branch of a branch is one branch, and a game that has left none has none', () => {
  const twice = linked(linked(told(FOUR[0]!), 'one', 20), 'two', 40)
  expect(twice.match(/\[Branch /g)).toHaveLength(1)
  expect(branchIn(replayOf(twice))!.name).toBe('two')
  expect(branchIn(replayOf(FOUR[0]!))).toBeNull()
  expect(branchIn(replayOf(linked(FOUR[0]!, 'far', 9999)))).toBeNull()
})

test('a game is known by its moves, whoever has played', () => {
  const [one, other] = [FOUR[0]!, FOUR[1]!].map((record) => gameOf(replayOf(record)))
  expect(gameOf(replayOf(told(FOUR[0]!)))).toBe(one)
  expect(other).not.toBe(one)
})
