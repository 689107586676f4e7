// Finished games are looked through as `baghdad luck` does: the same moments and ledgers, but for rounding.
import { expect, inject, test } from 'vitest'

import { count } from '../../src/analysis/counting'
import type { Ledger, Moment } from '../../src/analysis/moments'
import { Engine } from '../../src/engine/engine'
import { Oracle } from '../../src/engine/oracle'
import { load } from '../../src/local/play/loading'
import { rulesFrom } from '../../src/local/play/module'
import { readRecords } from '../../src/local/play/reading'
import { bytesOf } from './told'

interface Told {
  record: string
  moments: Moment[]
  ledger: Ledger
}

/** A tenth of a percent, as shown. */
const SHOWN = 1e-3
/** Of so many draws one may be played on otherwise, where rounding turns a decision. */
const ONE_IN = 8

const TOLD = inject('told') as Told[]
const engine = await Engine.load(bytesOf(inject('rules')))
const rules = rulesFrom(engine)
const oracle = new Oracle(engine)
oracle.learn({
  network: bytesOf(inject('weights')).buffer,
  open: bytesOf(inject('open')).buffer,
  eyes: bytesOf(inject('eyes')).buffer,
})

const apart = (one: readonly number[], other: readonly number[]) =>
  Math.max(...one.map((each, place) => Math.abs(each - other[place]!)))

test.each(TOLD.map((told, number) => [number + 1, told] as const))('game %i', (_, { record, moments, ledger }) => {
  const { game } = load(rules, readRecords(record)[0]!)
  const found: Moment[] = []
  const ledgers: Ledger[] = []
  count(rules, oracle, game, {
    moments: (more) => void found.push(...more),
    ledger: (ledger) => void ledgers.push(ledger),
    progress: () => {},
    done: () => {},
  })
  expect(found.map(({ at }) => at)).toEqual(moments.map(({ at }) => at))
  for (const [place, { open, eyes }] of found.entries())
    expect(Math.max(apart(open, moments[place]!.open), apart(eyes, moments[place]!.eyes))).toBeLessThan(SHOWN)
  const { start, draws, turns, result } = ledgers[0]!
  expect(result).toEqual(ledger.result)
  expect(draws.map(({ at, seat }) => [at, seat])).toEqual(ledger.draws.map(({ at, seat }) => [at, seat]))
  const about = ({ at, until, seat }: Ledger['turns'][number]) => [at, until, seat]
  expect(turns.map(about)).toEqual(ledger.turns.map(about))
  expect(apart(start, ledger.start)).toBeLessThan(SHOWN)
  const off = draws.filter(({ worth }, place) => apart(worth, ledger.draws[place]!.worth) >= SHOWN)
  expect(off.length).toBeLessThanOrEqual(draws.length / ONE_IN)
})
