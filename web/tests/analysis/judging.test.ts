// Turns found in games, judged and hinted at, over the compiled module. That it judges as elsewhere is held in Python
// (tests/wasm/test_same_analyst.py, tests/analysis/test_same_reviews.py).
import { beforeAll, expect, test } from 'vitest'

import weights from '../../../src/baghdad/bots/neural/weights/neural.bin?url&inline'
import module from '../../../src/baghdad/wasm/baghdad.wasm?url&inline'
import { viewOf } from '../../src/local/play/module'
import { hinted, reviewed } from '../../src/analysis/judging'
import { turnsOf } from '../../src/analysis/turns'
import { Analyst, LONGEST_TURN } from '../../src/engine/analyst'
import { Engine } from '../../src/engine/engine'
import { Mind } from '../../src/engine/mind'
import { robbed } from '../../src/local/log'
import { dealt } from '../../src/local/play/fair'
import { Game } from '../../src/local/play/game'
import { rulesFrom } from '../../src/local/play/module'
import { optionsFor } from '../../src/local/play/options'
import type { Rules } from '../../src/local/play/rules'
import { ACTION_OF } from '../../src/local/play/tokens'
import { HEAVIEST_CHEST, PALACE_LETTERS } from '../../src/wire/messages'

const bytesOf = async (file: string) => (await fetch(file)).arrayBuffer()
const SMALL = { budget: 60, samples: 8 }
let rules: Rules
let analyst: Analyst
let game: Game

beforeAll(async () => {
  const [bytes, network] = await Promise.all([bytesOf(module), bytesOf(weights)])
  const engine = await Engine.load(bytes)
  rules = rulesFrom(engine)
  analyst = new Analyst(engine)
  analyst.learn(network)
  game = played(new Mind(await Engine.load(bytes)), 3, 9)
}, 60_000)

/** A game of weak bots that is stopped after some turns. */
function played(mind: Mind, players: number, turns: number): Game {
  let now = dealt(Game.begin(rules, optionsFor({}, players)), 'judging').game
  while (!now.over && now.turns < turns) {
    const seat = now.toMove!
    for (const action of mind.decide('kasim', now.view(seat), `${now.tokens.length}`, 60, 8))
      now = dealt(now.play(action, seat), 'judging').game
  }
  return now
}

test('the turns of all seats are all that was decided, each from its own view', () => {
  const turns = turnsOf(rules, game, [0, 1, 2])
  expect(turns.map(({ actions }) => actions).flat()).toEqual(
    game.tokens.filter((token) => !token.startsWith('=')).map((token) => ACTION_OF.get(token)),
  )
  for (const { at, actions } of turns)
    expect(game.tokens.slice(at, at + actions.length).map((token) => ACTION_OF.get(token))).toEqual(actions)
  expect(turns.filter(({ number }) => number === 0)).toHaveLength(9)
  expect(turns.slice(9).map(({ number, seat }) => [number, seat])).toEqual(
    Array.from({ length: 9 }, (_, turn) => [turn + 1, turn % 3]),
  )
  expect(turnsOf(rules, game, [1])).toEqual(turns.filter(({ seat }) => seat === 1))
})

test('what a bot plays on for somebody is not among them', () => {
  const turns = turnsOf(rules, game, [0, 1, 2])
  const cut = turns.findLast(({ actions }) => actions.length > 1)!
  const left = game.knowing(new Map([[cut.seat, cut.at + 1]]))
  const played = turns.filter(({ seat, at }) => seat !== cut.seat || at < cut.at)
  expect(turnsOf(rules, left, [0, 1, 2])).toEqual(played)
})

test('a turn is judged the same again, and its robberies are those of the game', () => {
  for (const turn of turnsOf(rules, game, [0, 1, 2]).slice(-2)) {
    const found = reviewed(analyst, turn, SMALL, true)
    expect(reviewed(analyst, turn, SMALL, true)).toEqual(found)
    expect(found.low).toBeLessThanOrEqual(found.givenUp)
    expect(found.givenUp).toBeLessThanOrEqual(found.high)
    let state = Game.begin(rules, game.options)
    const robs: string[] = []
    for (const [at, token] of game.tokens.entries()) {
      const before = state.shown.chests
      state = state.play(token)
      if (at >= turn.at && robs.length < turn.actions.length) robs.push(robbery(before, state.shown.chests))
    }
    expect(found.playedRobs).toEqual(robs)
  }
}, 60_000)

const robbery = (before: readonly number[], after: readonly number[]) =>
  robbed(before, after)
    .map((palace) => `${PALACE_LETTERS[palace]}${HEAVIEST_CHEST + 1 - before[palace]!}`)
    .join()

test('a turn too long to be tried is not judged', () => {
  const [turn] = turnsOf(rules, game, [0])
  const found = reviewed(analyst, { ...turn!, actions: Array<number>(LONGEST_TURN + 1).fill(0) }, SMALL, true)
  expect([found.mark, found.real, found.givenUp, found.deals]).toEqual(['unclear', false, 0, 0])
})

test('a hint is a whole turn that is legal, from what the page knows', () => {
  for (const { at } of turnsOf(rules, game, [0, 1, 2]).filter((_, number) => number % 6 === 0)) {
    let now = game
    while (now.tokens.length > at) now = now.undo()
    const seat = now.toMove!
    const seen = { shown: now.shown, seat, hand: now.hand(seat) }
    expect(viewOf(seen)).toEqual(now.view(seat))
    const { turn, chance, low, high, ahead, aheadLow, aheadHigh } = hinted(analyst, viewOf(seen), SMALL)
    for (const token of turn) now = now.play(token, seat)
    expect(now.over || now.toMove !== seat).toBe(true)
    expect(low <= chance && chance <= high).toBe(true)
    expect(aheadLow <= ahead && ahead <= aheadHigh).toBe(true)
  }
}, 60_000)
