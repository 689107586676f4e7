// A turn that is tried out: played, refused, compared. What the seat can't know makes no difference.
import { beforeAll, expect, test } from 'vitest'

import module from '../../../src/baghdad/wasm/baghdad.wasm?url&inline'
import { Engine } from '../../src/engine/engine'
import { attempted } from '../../src/local/attempt'
import { MoveError } from '../../src/local/play/errors'
import { Game } from '../../src/local/play/game'
import { rulesFrom } from '../../src/local/play/module'
import { readRecords } from '../../src/local/play/reading'
import { load } from '../../src/local/play/loading'
import type { Rules } from '../../src/local/play/rules'
import type { Position } from '../../src/wire/attempt'

const [TEXT] = Object.values(
  import.meta.glob<string>('../../../tests/data/2-standard-arrival-hidden-thieving.txt', {
    query: '?raw',
    import: 'default',
    eager: true,
  }),
)
let rules: Rules
/** Positions before whole turns of a game, and what was played in them. */
const turns: { position: Position; tokens: string[]; game: Game }[] = []
beforeAll(async () => {
  rules = rulesFrom(await Engine.load(await (await fetch(module)).arrayBuffer()))
  const { game } = load(rules, readRecords(TEXT!)[0]!)
  let now = Game.begin(rules, game.options)
  for (const token of game.tokens) {
    const { shown, toMove } = now
    if (toMove !== null && toMove < 4 && !now.placing) {
      if (!now.acted && shown.turn !== turns.at(-1)?.position.shown.turn)
        turns.push({ position: { shown, seat: toMove, hand: now.hand(toMove) }, tokens: [], game: now })
      turns.at(-1)!.tokens.push(token)
    }
    now = now.play(token)
  }
})

test('a turn can be played as it was, and then it is over', () => {
  expect(turns.length).toBeGreaterThan(10)
  for (const { position, tokens, game } of turns) {
    const { shown, own, over, steps } = attempted(rules, { position, tokens })
    expect(over).toBe(true)
    expect(own.legal).toEqual([])
    expect(steps.map(({ token }) => token)).toEqual(tokens)
    let played = game
    for (const token of tokens) played = played.play(token)
    expect(shown).toEqual(played.shown)
    expect(own.hand).toEqual(played.hand(position.seat))
  }
})

test('what can be done follows from what the seat knows', () => {
  for (const { position, game } of turns) {
    const { own, shown } = attempted(rules, { position, tokens: [] })
    expect(own).toEqual({ seat: position.seat, hand: position.hand, legal: game.legal, undo: false })
    expect(shown).toEqual(position.shown)
  }
})

test('another order is the same turn, another end is not', () => {
  const two = turns.find(({ tokens }) => tokens.length > 3 && new Set(tokens).size > 2)!
  const { position, tokens } = two
  const answers = [['-'], tokens]
  expect(attempted(rules, { position, tokens, answers }).same).toBe(1)
  expect(attempted(rules, { position, tokens: tokens.slice(0, -1), answers }).same).toBe(-1)
  expect(attempted(rules, { position, tokens: ['-'], answers }).same).toBe(0)
})

test('what is typed is understood, and what can’t be is refused with its rule', () => {
  const { position, tokens } = turns.find(({ tokens: [first] }) => first!.startsWith('+'))!
  const typed = attempted(rules, { position, tokens: [], wanted: tokens[0]!.toLowerCase() })
  expect(typed.tokens).toEqual(tokens.slice(0, 1))
  expect(typed.own.undo).toBe(true)
  expect(() => attempted(rules, { position, tokens: [], wanted: '.' })).toThrow(MoveError)
  expect(() => attempted(rules, { position, tokens: ['-'], wanted: '-' })).toThrow(MoveError)
})
