// Chances and luck of whole games over the compiled module. That they are as elsewhere is held in Python
// (tests/analysis/test_same_ledgers.py).
import { beforeAll, expect, test } from 'vitest'

import weights from '../../../src/baghdad/bots/neural/weights/neural.bin?url&inline'
import eyes from '../../../src/baghdad/bots/value/weights/eyes.bin?url&inline'
import open from '../../../src/baghdad/bots/value/weights/open.bin?url&inline'
import module from '../../../src/baghdad/wasm/baghdad.wasm?url&inline'
import { count } from '../../src/analysis/counting'
import type { Ledger, Moment } from '../../src/analysis/moments'
import { Engine } from '../../src/engine/engine'
import { Mind } from '../../src/engine/mind'
import { Oracle } from '../../src/engine/oracle'
import { dealt } from '../../src/local/play/fair'
import { Game, isChance } from '../../src/local/play/game'
import { rulesFrom } from '../../src/local/play/module'
import { optionsFor } from '../../src/local/play/options'
import type { Rules } from '../../src/local/play/rules'

const bytesOf = async (file: string) => (await fetch(file)).arrayBuffer()
const networks = async () => ({
  open: await bytesOf(open),
  eyes: await bytesOf(eyes),
  network: await bytesOf(weights),
})
let rules: Rules
let oracle: Oracle
let mind: Mind

beforeAll(async () => {
  const bytes = await bytesOf(module)
  const engine = await Engine.load(bytes)
  rules = rulesFrom(engine)
  oracle = new Oracle(engine)
  oracle.learn(await networks())
  mind = new Mind(await Engine.load(bytes))
}, 60_000)

/** A game of weak bots, stopped after some turns. */
function played(players: number, turns = Infinity): Game {
  let now = dealt(Game.begin(rules, optionsFor({}, players)), 'counting').game
  while (!now.over && now.turns < turns) {
    const seat = now.toMove!
    for (const action of mind.decide('kasim', now.view(seat), `${now.tokens.length}`, 60, 8))
      now = dealt(now.play(action, seat), 'counting').game
  }
  return now
}

interface Counted {
  moments: Moment[]
  ledger: Ledger
  progress: [number, number][]
  order: string[]
}

function counted(game: Game): Counted {
  const found: Partial<Counted> & Omit<Counted, 'ledger'> = { moments: [], progress: [], order: [] }
  const hear = <Said>(what: string, take: (said: Said) => void) => {
    return (said: Said) => {
      if (found.order.at(-1) !== what) found.order.push(what)
      take(said)
    }
  }
  count(rules, oracle, game, {
    moments: hear('moments', (more: readonly Moment[]) => void found.moments.push(...more)),
    progress: (done, all) => hear('progress', () => void found.progress.push([done, all]))(null),
    ledger: hear('ledger', (ledger: Ledger) => void (found.ledger = ledger)),
    done: () => hear('done', () => {})(null),
  })
  return found as Counted
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0)

/** What is left of a seat's result after everything in its ledger. */
function left({ start, draws, turns, result }: Ledger, seat: number): number {
  return result[seat]! - start[seat]! - sum([...draws, ...turns].map(({ worth }) => worth[seat]!))
}

test.each([
  [2, Infinity],
  [3, 4],
  [4, 4],
])(
  'a game of %i: a moment for each token, and a ledger that adds up',
  (players, turns) => {
    const stopped = played(players, turns)
    const game = stopped.over ? stopped : stopped.end('abandoned')
    const { moments, ledger, progress, order } = counted(game)
    const { tokens } = game
    expect(order).toEqual(['moments', 'progress', 'ledger', 'done'])
    expect(moments.map(({ at }) => at)).toEqual([...tokens, ''].map((_, at) => at))
    for (const { open, eyes } of moments) {
      expect(sum(open)).toBeCloseTo(1, 9)
      expect([open.length, eyes.length]).toEqual([5, 4])
      expect([...open.slice(players, 4), ...eyes.slice(players)].every((chance) => chance === 0)).toBe(true)
    }
    const draws = tokens.flatMap((token, at) => (isChance(token) ? [at] : []))
    expect(ledger.draws.map(({ at }) => at)).toEqual(draws)
    expect(progress.at(-1)).toEqual([draws.length, draws.length])
    for (let seat = 0; seat < 5; seat++) expect(Math.abs(left(ledger, seat))).toBeLessThan(1e-9)
    for (const { worth } of ledger.draws) expect(Math.abs(sum(worth))).toBeLessThan(1e-9)
    expect(ledger.turns.every(({ at, until }) => tokens.slice(at, until).every((token) => !isChance(token)))).toBe(true)
    expect(sum(ledger.turns.map(({ at, until }) => until - at))).toBe(tokens.length - draws.length)
    expect(ledger.turns.at(-1)!.seat).toBe(game.termination === null ? game.winner : -1)
    expect(ledger.result).toEqual([0, 1, 2, 3, 4].map((seat) => Number(seat === (game.winner ?? 4))))
  },
  60_000,
)

test('who gives up ends the game at their own cost, and an end that all agree on is nobody’s turn', () => {
  const game = played(2, 3)
  const { moments, ledger } = counted(game.giveUp(0))
  const tokens = game.tokens.length
  expect(moments.at(-1)).toEqual({ at: tokens, open: [0, 1, 0, 0, 0], eyes: [0, 1, 0, 0] })
  expect(moments).toHaveLength(tokens + 1)
  const last = ledger.turns.at(-1)!
  expect([last.at, last.until, last.seat]).toEqual([tokens, tokens, 0])
  expect(last.worth[0]).toBeLessThan(0)
  for (let seat = 0; seat < 5; seat++) expect(Math.abs(left(ledger, seat))).toBeLessThan(1e-9)
  const agreed = counted(game.end('agreed'))
  expect(agreed.ledger.turns.at(-1)!.seat).toBe(-1)
  expect(agreed.ledger.result).toEqual([0, 0, 0, 0, 1])
})

test('a file that is no such network is refused', async () => {
  const [right, bytes] = await Promise.all([networks(), bytesOf(module)])
  const other = new Oracle(await Engine.load(bytes))
  for (const wrong of [
    { open: right.eyes },
    { eyes: right.network },
    { network: right.open },
    { open: right.open.slice(0, -2) },
  ])
    expect(() => other.learn({ ...right, ...wrong })).toThrow('no network')
})
