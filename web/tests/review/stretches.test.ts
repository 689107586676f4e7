// What a game falls into, and where it turned.
import { beforeAll, expect, test } from 'vitest'

import module from '../../../src/baghdad/wasm/baghdad.wasm?url&inline'
import record from '../../../tests/data/4-standard-arrival-hidden-thieving.txt?raw'
import type { Moment } from '../../src/analysis/chances'
import { Engine } from '../../src/engine/engine'
import { rulesFrom } from '../../src/local/play/module'
import type { Rules } from '../../src/local/play/rules'
import { replayOfRecord } from '../../src/local/records'
import { wordsFrom } from '../../src/local/words'
import { ReplayStore } from '../../src/replay/replay.svelte'
import { stepsOf, stretchesOf, turningPoints, type Stretch } from '../../src/review/stretches'

let rules: Rules
beforeAll(async () => {
  rules = rulesFrom(await Engine.load(await (await fetch(module)).arrayBuffer()))
})
const replayed = (text: string) => new ReplayStore(replayOfRecord(rules, text, 'en', wordsFrom(new Map())))

const GIVEN_UP = `[Players "2"]
[Variant "standard"]
[Rob "arrival"]
[Hands "hidden"]
[Result "1"]
[Termination "resigned"]
[Resigned "2@13"]

@R @G
@G @W
@W @P
@P @Y
=BWBWPW =PYRBPRY
-* =BYY
`

test('guards that are placed, first hands, turns and draws follow each other without a gap', () => {
  const { positions, game } = replayed(record)
  const stretches = stretchesOf(positions, game.termination)
  expect(stretches.slice(0, 14).map(({ kind, seat, number }) => [kind, seat, number])).toEqual([
    ...[0, 1, 2, 3, 0, 1, 2, 3].map((seat) => ['turn', seat, 0]),
    ...[0, 1, 2, 3].map((seat) => ['draw', seat, 0]),
    ['turn', 0, 1],
    ['draw', 0, 1],
  ])
  expect(stretches.map(({ at }) => at)).toEqual([0, ...stretches.map(({ until }) => until).slice(0, -1)])
  expect(stretches.at(-1)).toMatchObject({ kind: 'turn', seat: 2 })
  expect(stretches[12]).toMatchObject({ at: 12, until: 16 })
  const turns = stretches.filter(({ kind, number }) => kind === 'turn' && number)
  expect(turns.map(({ number }) => number)).toEqual(turns.map((_, n) => n + 1))
})

test('whoever gives up ends the game in a stretch without tokens', () => {
  const { positions, game } = replayed(GIVEN_UP)
  const stretches = stretchesOf(positions, game.termination)
  expect(stretches.slice(-3)).toEqual([
    { kind: 'turn', at: 10, until: 11, seat: 0, number: 1 },
    { kind: 'draw', at: 11, until: 12, seat: 0, number: 1 },
    { kind: 'end', at: 12, until: 12, seat: 1, number: 1 },
  ])
})

test('every moment is a step of the replay, the last one the step that tells the result', () => {
  const { positions } = replayed(GIVEN_UP)
  const steps = stepsOf(positions)
  expect(steps).toHaveLength(13)
  expect(steps[0]).toBe(0)
  expect(positions[steps[11]!]!.step.token).toBe('-*')
  expect(steps.at(-1)).toBe(positions.length - 1)
})

const stretch = (at: number, change: Partial<Stretch> = {}): Stretch => ({
  kind: 'turn',
  at,
  until: at + 1,
  seat: 0,
  number: at,
  ...change,
})
const momentsOf = (first: readonly number[]) =>
  new Map<number, Moment>(first.map((chance, at) => [at, { at, open: [chance, 1 - chance, 0, 0, 0], eyes: [] }]))

test('the largest changes of ten points and more come first, the earlier of equal ones, five at most', () => {
  const moments = momentsOf([0.5, 0.75, 0.625, 0.6875, 0.4375, 0.5625, 0.125, 0.25, 1])
  const stretches = Array.from({ length: 8 }, (_, at) => stretch(at))
  const points = turningPoints(stretches, moments)
  expect(points.map(({ at, change }) => [at, change[0]])).toEqual([
    [7, 0.75],
    [5, -0.4375],
    [0, 0.25],
    [3, -0.25],
    [1, -0.125],
  ])
  expect(points[0]!.change).toEqual([0.75, -0.75, 0, 0])
})

test('what an end without a move changed is not laid to the cards before it', () => {
  const moments = momentsOf([0.5, 0.625, 1])
  const stretches = [stretch(0), stretch(1, { kind: 'draw' }), stretch(2, { kind: 'end', until: 2, seat: 1 })]
  const end = { at: 2, until: 2, seat: 1, worth: [0.3125, -0.3125, 0, 0, 0] }
  expect(turningPoints(stretches, moments, end).map(({ kind, change }) => [kind, change[0]])).toEqual([
    ['end', 0.3125],
    ['turn', 0.125],
  ])
})
