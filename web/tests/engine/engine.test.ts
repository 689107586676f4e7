// The compiled rules as the page has them. That they are the rules is held in Python (tests/wasm).
import { beforeAll, expect, test } from 'vitest'

import module from '../../../src/baghdad/wasm/baghdad.wasm?url&inline'
import { Engine } from '../../src/engine/engine'
import { type At, STATE, VIEW } from '../../src/engine/exports'
import { ACTIONS } from '../../src/wire/actions'
import { PLACING, TURN } from '../../src/wire/messages'

let engine: Engine
let state: At<'State'>
beforeAll(async () => {
  engine = await Engine.load(await (await fetch(module)).arrayBuffer())
})

function begin(players: number): void {
  const hands = engine.allocate('Hands')
  engine.bytes('Hands', hands).set([6, 7, 8, 9])
  state = engine.allocate('State')
  engine.call.new_game(state, players, 0, 0, 0, 0, hands)
}

function legal(): string[] {
  const [rows, ids] = [engine.allocate('Rows'), engine.allocate('Ids')]
  engine.call.legal_rows(state, rows)
  const count = engine.call.legal_ids(rows, ids)
  return [...new Int16Array(engine.call.memory.buffer, ids, count)].map((action) => ACTIONS[action]!.token)
}

const play = (token: string) => engine.call.play(state, ACTIONS.find((each) => each.token === token)!.number)

test('a game is laid out, and guards are placed', () => {
  begin(3)
  expect(engine.read(STATE, state)).toMatchObject({ players: 3, phase: PLACING, stock: [12, 12, 12, 0], winner: -1 })
  expect(legal()).toEqual(['@R', '@G', '@W', '@P', '@Y', '@B'])
  play('@R')
  expect(engine.read(STATE, state)).toMatchObject({ seat: 1, guards: { 0: [1, 0, 0, 0, 1] } })
})

test('cards are dealt by a generator, and a seat sees its own', () => {
  begin(2)
  for (const token of ['@R', '@G', '@R', '@G', '@W', '@P', '@W', '@P']) play(token)
  const [rng, words, view] = [engine.allocate('Rng'), engine.allocate('Words'), engine.allocate('View')]
  engine.bytes('Words', words).set([1, 2, 3, 4])
  engine.call.set_seed(rng, words)
  engine.call.deal_all(state, rng)
  engine.call.fill_view(state, 1, view)
  const seen = engine.read(VIEW, view)
  expect(seen).toMatchObject({ phase: TURN, seat: 0, viewer: 1, hand_sizes: [6, 7, 0, 0], deck_size: 102 - 13 })
  expect(seen.hand).toEqual(engine.read(STATE, state).hands[1])
  expect(legal()).toContain('-*')
})

test('a refusal names its rule, and what its words name', () => {
  begin(2)
  const answer = engine.allocate('Answer')
  const refused = (token: string) =>
    engine.refusal(engine.call.refusal(state, ACTIONS.find((each) => each.token === token)!.number, answer), answer)
  expect(refused('.')).toEqual({ key: 'place_first', rule: 'R6', values: {} })
  for (const token of ['@R', '@R', '@R']) play(token)
  expect(refused('@R')).toEqual({ key: 'full', rule: 'R6', values: { palace: 'R' } })
})

test('memory grows, and what was there stays', () => {
  begin(4)
  const before = engine.call.memory.buffer.byteLength
  engine.allocate('State', 10_000)
  expect(engine.call.memory.buffer.byteLength).toBeGreaterThan(before)
  expect(engine.read(STATE, state).players).toBe(4)
})
