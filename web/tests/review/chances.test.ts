// What is kept of the chances that come in, and how one goes through a game with them.
import { beforeAll, beforeEach, expect, test, vi } from 'vitest'

import module from '../../../src/baghdad/wasm/baghdad.wasm?url&inline'
import record from '../../../tests/data/2-standard-arrival-hidden-thieving.txt?raw'
import type { ChancesTold, Ledger, Moment } from '../../src/analysis/chances'
import { Engine } from '../../src/engine/engine'
import { rulesFrom } from '../../src/local/play/module'
import type { Rules } from '../../src/local/play/rules'
import { replayOfRecord } from '../../src/local/records'
import { wordsFrom } from '../../src/local/words'
import { ReplayStore } from '../../src/replay/replay.svelte'
import { ChancesStore } from '../../src/review/chances.svelte'

vi.stubGlobal('cancelAnimationFrame', () => {})
let rules: Rules
beforeAll(async () => {
  rules = rulesFrom(await Engine.load(await (await fetch(module)).arrayBuffer()))
})

let asked: { record: string; told: ChancesTold; stopped: boolean }[]
const ask = (record: string, told: ChancesTold) => {
  const request = { record, told, stopped: false }
  asked.push(request)
  return () => void (request.stopped = true)
}
const storeOf = (text: string) =>
  new ChancesStore(new ReplayStore(replayOfRecord(rules, text, 'en', wordsFrom(new Map()))), ask)
const moment = (at: number, first = 0.5): Moment => ({
  at,
  open: [first, 1 - first, 0, 0, 0],
  eyes: [first, 1 - first],
})
const NOTHING: Ledger = { start: [], draws: [], turns: [], result: [] }

let chances: ChancesStore
beforeEach(() => {
  asked = []
  chances = storeOf(record)
})

test('moments come bit by bit, and turning points when all are there', () => {
  expect(chances.state).toBe('idle')
  chances.start()
  expect(asked).toMatchObject([{ record }])
  const { told } = asked[0]!
  const all = chances.steps.map((_, at) => moment(at, at > 12 ? 0.75 : 0.5))
  told.moments(all.slice(0, 10))
  expect(chances).toMatchObject({ state: 'running', complete: false, points: null })
  expect(chances.sorted).toHaveLength(10)
  expect(chances.near(40)).toEqual(all[9])
  told.moments(all.slice(10))
  expect(chances).toMatchObject({ complete: true, ledger: null })
  expect(chances.points).toMatchObject([{ kind: 'turn', at: 10, number: 1, seat: 0, change: [0.25, -0.25, 0, 0] }])
  told.progress!(3, 7)
  told.ledger(NOTHING)
  told.done()
  expect(chances).toMatchObject({ state: 'done', done: 3, all: 7, ledger: NOTHING })
})

test('in a game that somebody gave up they wait for what that was worth', () => {
  chances = storeOf(
    '[Players "2"]\n[Variant "standard"]\n[Rob "arrival"]\n[Hands "hidden"]\n[Result "1"]\n' +
      '[Termination "resigned"]\n[Resigned "2@3"]\n\n@R @G\n',
  )
  chances.start()
  const { told } = asked[0]!
  told.moments([moment(0), moment(1), moment(2, 1)])
  expect(chances).toMatchObject({ complete: true, points: null })
  told.ledger({ ...NOTHING, turns: [{ at: 2, until: 2, seat: 1, worth: [0.5, -0.5, 0, 0, 0] }] })
  expect(chances.points).toMatchObject([{ kind: 'end', seat: 1, change: [0.5, -0.5, 0, 0] }])
})

test('whoever stops it keeps what was found, and hears nothing more', () => {
  chances.start()
  const { told } = asked[0]!
  told.moments([moment(0)])
  chances.stop()
  told.moments([moment(1)])
  told.done()
  expect(asked[0]!.stopped).toBe(true)
  expect(chances).toMatchObject({ state: 'stopped' })
  expect(chances.sorted).toHaveLength(1)
})

test('one goes to any moment, and it says which one is looked at', () => {
  expect(chances.at).toBe(0)
  for (const at of [1, 30, chances.steps.length - 1]) {
    chances.go(at)
    expect(chances.at).toBe(at)
  }
  expect(chances.replay.at).toBe(chances.replay.last)
  chances.go(-3)
  expect(chances.replay.at).toBe(0)
  chances.go(1e6)
  expect(chances.replay.at).toBe(chances.replay.last)
})

test('what a draw brought is told to those who may see it, and what a turn robbed to all', () => {
  const robbing = chances.stretches.find((stretch) => chances.causes(stretch).length && stretch.kind === 'turn')
  expect(chances.causes(robbing!).join()).toMatch(/log.rob/i)
  const draw = chances.stretches.find(({ kind, seat }) => kind === 'draw' && seat === 1)!
  expect(chances.causes(draw)).toHaveLength(1)
  chances.replay.eyes = 0
  expect(chances.causes(draw)).toEqual([])
  chances.replay.eyes = 1
  expect(chances.causes(draw)).toHaveLength(1)
})
