// Turns of finished games are judged as `baghdad review` judges them: the same turns and marks, all else but for rounding.
import { expect, inject, test } from 'vitest'

import type { TurnReview } from '../../src/analysis/analyst'
import { hinted, reviewed } from '../../src/analysis/judging'
import { turnsOf } from '../../src/analysis/turns'
import { Analyst } from '../../src/engine/analyst'
import { Engine } from '../../src/engine/engine'
import { load } from '../../src/local/play/loading'
import { rulesFrom } from '../../src/local/play/module'
import { readRecords } from '../../src/local/play/reading'
import { bytesOf } from './told'

/** As Python has it. */
interface Review {
  at: number
  number: number
  played: string[]
  best: string[]
  played_robs: string[]
  best_robs: string[]
  given_up: number
  low: number
  high: number
  mark: string
  real: boolean
  chance: number
  best_chance: number
  candidates: number
  deals: number
  reasons: { fact: object }[]
}

interface Hint {
  /** Tokens that were played before it. */
  at: number
  nudge: string
  turn: string[]
  robs: string[]
  chance: number
  reasons: { fact: object }[]
}

interface Told {
  record: string
  budget: number
  /** By seat. */
  reviews: Review[][]
  hints: Hint[]
}

/**
 * Sums of the network are rounded otherwise: of so many turns one may be judged by another turn that was tried. Where
 * guards are placed it may be another palace, as good as the first.
 */
const ONE_IN = 20
const [POINTS, CHANCES] = [1, 0.02]

const TOLD = inject('told') as Told[]
const engine = await Engine.load(bytesOf(inject('rules')))
const rules = rulesFrom(engine)
const analyst = new Analyst(engine)
analyst.learn(bytesOf(inject('weights')).buffer)

test.each(TOLD.map((told, number) => [number + 1, told] as const))(
  'game %i',
  (_, { record, budget, reviews, hints }) => {
    const { game } = load(rules, readRecords(record)[0]!)
    const turns = turnsOf(rules, game, [...reviews.keys()])
    const others: [TurnReview, Review][] = []
    for (const turn of turns) {
      const there = reviews[turn.seat]!.find(({ at }) => at === turn.at)!
      const here = reviewed(analyst, turn, { budget }, true)
      expect([here.number, here.played, here.playedRobs]).toEqual([there.number, there.played, there.played_robs])
      if (!isSame(here, there)) others.push([here, there])
    }
    expect(turns).toHaveLength(reviews.flat().length)
    expect(others.length, JSON.stringify(others)).toBeLessThanOrEqual(turns.length / ONE_IN)
    let equal = 0
    for (const { at, nudge, turn, robs, chance, reasons } of hints) {
      let now = game
      while (now.tokens.length > at) now = now.undo()
      const here = hinted(analyst, now.view(now.toMove!), { budget })
      const told = JSON.stringify([nudge, robs, factsOf(reasons)])
      equal += Number(
        (now.placing || here.turn.join() === turn.join()) &&
          JSON.stringify([here.nudge, here.robs, factsOf(here.reasons)]) === told &&
          Math.abs(here.chance - chance) < CHANCES,
      )
    }
    expect(hints.length - equal).toBeLessThanOrEqual(hints.length / ONE_IN)
  },
)

function isSame(here: TurnReview, there: Review): boolean {
  const told = ({ number, best, mark, real, candidates, deals, reasons }: TurnReview | Review) =>
    JSON.stringify([number ? best : null, mark, real, candidates, deals, factsOf(reasons)])
  const points: [number, number][] = [
    [here.givenUp, there.given_up],
    [here.low, there.low],
    [here.high, there.high],
  ]
  const chances: [number, number][] = [
    [here.chance, there.chance],
    [here.bestChance, there.best_chance],
  ]
  return (
    told(here) === told(there) &&
    here.bestRobs.join() === there.best_robs.join() &&
    points.every(([one, two]) => Math.abs(one - two) < POINTS) &&
    chances.every(([one, two]) => Math.abs(one - two) < CHANCES)
  )
}

const factsOf = (reasons: readonly { fact: object }[]) => reasons.map(({ fact }) => Object.entries(fact).sort())
