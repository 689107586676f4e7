// Opponents as the page asks them. That they decide as elsewhere is held in Python (tests/wasm) and in tests/same.
import { beforeAll, expect, test } from 'vitest'

import weights from '../../../src/baghdad/bots/neural/weights/neural.bin?url&inline'
import module from '../../../src/baghdad/wasm/baghdad.wasm?url&inline'
import { Engine } from '../../src/engine/engine'
import { Mind, needsNetwork } from '../../src/engine/mind'
import { Game } from '../../src/local/play/game'
import { dealt } from '../../src/local/play/fair'
import { rulesFrom } from '../../src/local/play/module'
import { optionsFor } from '../../src/local/play/options'
import type { Rules } from '../../src/local/play/rules'
import { LEVELS } from '../../src/wire/messages'

const bytesOf = async (file: string) => (await fetch(file)).arrayBuffer()
let engine: () => Promise<Engine>
let rules: Rules
let mind: Mind
beforeAll(async () => {
  const bytes = await bytesOf(module)
  engine = () => Engine.load(bytes)
  rules = rulesFrom(await engine())
  mind = new Mind(await engine())
  mind.learn(await bytesOf(weights))
})

const SIMULATIONS = 16

test('every opponent plays what is legal, and the same again with the same chance', () => {
  for (const level of LEVELS) {
    let game = dealt(Game.begin(rules, optionsFor({}, 3)), 'x').game
    while (!game.over && game.turns < 6) {
      const seat = game.toMove!
      const stream = `${level} ${game.tokens.length}`
      const decide = () => mind.decide(level, game.view(seat), stream, 60, SIMULATIONS)
      const actions = decide()
      expect(decide()).toEqual(actions)
      for (const action of actions) game = dealt(game.play(action, seat), 'x').game
    }
    expect([true, false]).toContain(mind.agrees(level, game.view(0), 'end'))
  }
}, 60_000)

test('whoever has learned needs the network, and nothing else is taken for one', async () => {
  expect(LEVELS.filter(needsNetwork)).toEqual(['jafar', 'dalila', 'duban', 'scheherazade'])
  const file = new Uint8Array(await bytesOf(weights))
  const other = new Mind(await engine())
  expect(() => other.learn(file.slice(0, -2).buffer)).toThrow()
  expect(() => other.learn(new TextEncoder().encode('{"versions":{},"arrays":{}}\n').buffer)).toThrow()
  expect(() => other.learn(new TextEncoder().encode('Welcome to our hotel!').buffer)).toThrow()
})

test('no time is a limit, too', () => {
  const { game } = dealt(Game.begin(rules, optionsFor({}, 4)), 'y')
  expect(mind.decide('scheherazade', game.view(0), 'a', 0).length).toBeGreaterThan(0)
})
