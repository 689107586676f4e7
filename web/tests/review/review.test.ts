// What a review keeps of what it is told, and how it goes through a game with it.
import { beforeAll, beforeEach, expect, test, vi } from 'vitest'

import module from '../../../src/baghdad/wasm/baghdad.wasm?url&inline'
import record from '../../../tests/data/2-standard-arrival-hidden-thieving.txt?raw'
import { Engine } from '../../src/engine/engine'
import type { ReviewTold, TurnReview } from '../../src/analysis/analyst'
import { rulesFrom } from '../../src/local/play/module'
import type { Rules } from '../../src/local/play/rules'
import { replayOfRecord } from '../../src/local/records'
import { wordsFrom } from '../../src/local/words'
import { ReplayStore } from '../../src/replay/replay.svelte'
import { answersTo } from '../../src/review/questions'
import { recordOf } from '../../src/review/record'
import { ReviewStore } from '../../src/review/review.svelte'

vi.stubGlobal('cancelAnimationFrame', () => {})
let rules: Rules
beforeAll(async () => {
  rules = rulesFrom(await Engine.load(await (await fetch(module)).arrayBuffer()))
})

const look = (text: string) =>
  new Promise<ReturnType<typeof replayOfRecord>>((done) =>
    done(replayOfRecord(rules, text, 'en', wordsFrom(new Map()))),
  )

/** The first whole turn of seat 0: it moves two guards, smuggles three thieves and ends. */
const AT = 10
const PLAYED = ['G>B(G)', 'nR>P(RP)', '+Y(Y)', '+Y(Y)', '+Y(Y)', '.']

function turn(change: Partial<TurnReview> = {}): TurnReview {
  return {
    at: AT,
    number: 1,
    seat: 0,
    played: PLAYED,
    best: ['+Y(Y)', '.'],
    playedRobs: [],
    bestRobs: [],
    givenUp: 6,
    low: 5,
    high: 7,
    mark: 'inaccuracy',
    real: true,
    chance: 0.4,
    bestChance: 0.46,
    candidates: 9,
    deals: 512,
    reasons: [],
    final: true,
    ...change,
  }
}

let asked: { record: string; seats: readonly number[]; told: ReviewTold; stopped: boolean }[]
const ask = (record: string, seats: readonly number[], told: ReviewTold) => {
  const request = { record, seats, told, stopped: false }
  asked.push(request)
  return () => void (request.stopped = true)
}
let review: ReviewStore
beforeEach(async () => {
  asked = []
  review = new ReviewStore(new ReplayStore(await look(record)), ask, look)
})

test('nothing is worked out before somebody asks, and then for one seat, seen with its eyes', () => {
  expect(review.state).toBe('idle')
  review.choose(1)
  expect(asked).toEqual([])
  review.start()
  expect(asked).toMatchObject([{ record, seats: [1] }])
  expect(review.replay.eyes).toBe(1)
})

test('what is told comes in the order of the game or with the largest first, with what all gave up', () => {
  review.start()
  const { told } = asked[0]!
  told.turn(turn({ at: 60, givenUp: 3, mark: 'fine' }))
  told.turn(turn({ at: 20, givenUp: 9, mark: 'unclear' }))
  told.turn(turn({ at: 30, givenUp: 0.5, mark: 'best' }))
  told.turn(turn({ at: 40, givenUp: 50, real: false }))
  told.turn(turn())
  told.progress(5, 7)
  expect(review).toMatchObject({ state: 'running', done: 5, all: 7, givenUp: 9 })
  expect(review.listed.map(({ at }) => at)).toEqual([AT, 20, 30, 60])
  review.order = 'most'
  expect(review.listed.map(({ at }) => at)).toEqual([AT, 60, 20, 30])
  told.done()
  expect(review.state).toBe('done')
})

test('a rough look gives way to a close one, and never the other way round', () => {
  review.start()
  const { told } = asked[0]!
  told.turn(turn({ final: false, givenUp: 12, mark: 'mistake' }))
  expect(review.mistakes).toEqual([])
  told.turn(turn())
  told.turn(turn({ final: false, givenUp: 12, mark: 'mistake' }))
  expect(review.mistakes.map(({ givenUp }) => givenUp)).toEqual([6])
})

test('the three that gave up most are asked about', () => {
  review.start()
  for (const [at, givenUp] of [6, 30, 8, 12].entries()) asked[0]!.told.turn(turn({ at, givenUp, mark: 'mistake' }))
  asked[0]!.told.turn(turn({ at: 9, givenUp: 4, mark: 'fine' }))
  expect(review.mistakes.map(({ givenUp }) => givenUp)).toEqual([30, 12, 8])
})

test('whoever stops it keeps what was found, and hears nothing more', () => {
  review.start()
  const { told } = asked[0]!
  told.turn(turn())
  review.stop()
  told.turn(turn({ at: 60 }))
  told.done()
  expect(asked[0]!.stopped).toBe(true)
  expect(review).toMatchObject({ state: 'stopped' })
  expect(review.turns).toHaveLength(1)
})

test('another seat has turns of its own, and what was found for the first is still there', () => {
  review.start()
  asked[0]!.told.turn(turn())
  asked[0]!.told.done()
  review.choose(1)
  expect(review).toMatchObject({ state: 'idle', turns: [] })
  review.choose(0)
  expect(review.state).toBe('done')
  expect(review.turns).toHaveLength(1)
})

test('one that fails says so', () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  review.start()
  asked[0]!.told.failed('no engine')
  expect(review.state).toBe('failed')
  warn.mockRestore()
})

test('a game that is not over is not reviewed', async () => {
  const { replay } = review
  expect(review.possible).toBe(true)
  const unfinished = await look(recordOf(record, replay.tokensBefore(20)))
  expect(new ReviewStore(new ReplayStore(unfinished), ask, look).possible).toBe(false)
  const cut = await look(record.replace(/\n.*\n*$/, '\n'))
  expect(cut.cut).toBeTruthy()
  expect(new ReviewStore(new ReplayStore(cut), ask, look).possible).toBe(false)
})

test('a turn that is selected is seen as it stood before it, and what was played is told', () => {
  review.select(turn())
  expect(review.replay.tokens).toEqual(review.replay.tokensBefore(AT))
  expect(review.played(turn()).map(({ step }) => step.token)).toEqual(PLAYED)
})

test('the better turn plays itself in place of the game, and one comes back to where one was', async () => {
  const { replay } = review
  await review.show(turn())
  replay.pause()
  expect(replay.last).toBe(2)
  expect(replay.tokens).toEqual(replay.tokensBefore(AT))
  replay.jump(1)
  expect(replay.now.step.token).toBe('+Y(Y)')
  expect(replay.shown.thieves[4]![0]).toBe(1)
  expect(replay.tokens).toEqual([...replay.tokensBefore(AT), '+Y(Y)'])
  replay.rejoin()
  expect(replay.course).toBe(replay.positions)
  expect(replay.tokens).toEqual(replay.tokensBefore(AT))
})

test('a question has the best turn, the played one and another, in some order', async () => {
  const answers = await answersTo(review, turn())
  expect(answers.map(({ kind }) => kind).sort()).toEqual(['best', 'other', 'played'])
  const tokens = answers.map(({ course }) => course.positions.slice(1).map(({ step }) => step.token))
  expect(tokens).toContainEqual(['-'])
  expect(tokens).toContainEqual(PLAYED)
})

test('a question about a guard has another palace that is allowed', async () => {
  const placed = turn({ at: 0, number: 0, played: ['@Y'], best: ['@G'] })
  const answers = await answersTo(review, placed)
  const other = answers.find(({ kind }) => kind === 'other')!
  expect(other.course.positions.at(-1)!.step.token).toMatch(/^@[RWPB]$/)
})
