// One's own turns in a game that goes on, from the log of one's own device: the same as from the whole record.
import { beforeAll, expect, test } from 'vitest'

import module from '../../../src/baghdad/wasm/baghdad.wasm?url&inline'
import { turnsOf } from '../../src/analysis/turns'
import { Engine } from '../../src/engine/engine'
import { Game, isChance } from '../../src/local/play/game'
import { load } from '../../src/local/play/loading'
import { rulesFrom, viewOf } from '../../src/local/play/module'
import { readRecords } from '../../src/local/play/reading'
import type { Rules } from '../../src/local/play/rules'
import { ACTION_OF } from '../../src/local/play/tokens'
import { ownTurnsOf } from '../../src/state/ownTurns'
import type { Position } from '../../src/state/table.svelte'
import type { EventMessage } from '../../src/wire/messages'

const RECORDS = import.meta.glob<string>('../../../tests/data/3-*thieving.txt', {
  query: '?raw',
  import: 'default',
  eager: true,
})
let rules: Rules
beforeAll(async () => {
  rules = rulesFrom(await Engine.load(await (await fetch(module)).arrayBuffer()))
})

/** What a seat's device is told of a game; every first action of a turn is taken back and done again. */
function heard(game: Game, seat: number, undoing: boolean) {
  const log: EventMessage[] = []
  const positions = new Map<number, Position>()
  let now = Game.begin(rules, game.options)
  const tell = (change: { kind?: EventMessage['kind']; seat?: number; action?: number | null }) => {
    const number = log.length + 1
    log.push({ type: 'event', number, at: 0, kind: 'moved', ...change })
    const legal = now.toMove === seat ? now.legal : []
    positions.set(number, { shown: now.shown, own: { seat, hand: now.hand(seat), legal, undo: false } })
  }
  const { tokens } = game
  // Where hands are seen they are dealt first.
  for (const token of tokens.slice(
    0,
    tokens.findIndex((each) => !isChance(each)),
  ))
    now = now.play(token)
  tell({ kind: 'started' })
  for (const [at, token] of tokens.entries()) {
    if (isChance(token)) continue
    const mover = now.toMove!
    const first = !now.acted && !now.placing
    const action = ACTION_OF.get(token) ?? null
    const play = () => {
      now = now.play(token)
      for (const next of tokens.slice(at + 1)) {
        if (!isChance(next)) break
        now = now.play(next)
      }
      tell({ seat: mover, action })
    }
    const before = now
    play()
    if (!undoing || !first || now.toMove !== mover) continue
    now = before
    tell({ kind: 'undone', seat: mover })
    play()
  }
  return { log, positions }
}

test.each([false, true])('they are those of the record, taken back or not (%s)', (undoing) => {
  for (const text of Object.values(RECORDS)) {
    const { game } = load(rules, readRecords(text)[0]!)
    for (const seat of [0, 2]) {
      const { log, positions } = heard(game, seat, undoing)
      const own = ownTurnsOf(log, positions)
      const known = turnsOf(rules, game, [seat]).filter(({ number }) => number > 0)
      expect(own.length).toBe(known.length)
      expect(own.map(({ actions }) => actions)).toEqual(known.map(({ actions }) => actions))
      expect(own.map(({ number }) => number)).toEqual(known.map(({ number }) => number))
      expect(own.map(({ seen }) => [...viewOf(seen)])).toEqual(known.map(({ view }) => [...view]))
    }
  }
})
