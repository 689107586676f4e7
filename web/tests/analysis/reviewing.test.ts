// The order of reviews: a rough look at all turns, then full ones by what seems to have been given up.
import { expect, test } from 'vitest'

import type { TurnReview } from '../../src/analysis/analyst'
import type { Ask, ToAnalyst } from '../../src/analysis/messages'
import { reviewAll, ROUGH } from '../../src/analysis/reviewing'
import type { Turn } from '../../src/analysis/turns'

const turn = (at: number): Turn => ({ at, number: at, seat: 0, view: new Uint8Array([at]), actions: [12] })
const TURNS = [turn(1), turn(2), turn(3), turn(4), turn(5)]
/** Points that each seems to give up, by where it is. */
const ROUGHLY: Record<number, number> = { 1: 0, 2: 7, 3: 1, 4: 30, 5: 7 }

/** Workers that answer as soon as they are let. */
function thinkers(count: number) {
  const asked: ToAnalyst[] = []
  const open: (() => void)[] = []
  let most = 0
  const ask = (question: ToAnalyst) => {
    if (question.type !== 'review') throw new Error('only reviews are asked for')
    const { turn, final } = question
    asked.push(question)
    const review = { at: turn.at, final, givenUp: ROUGHLY[turn.at] } as TurnReview
    return new Promise((done) => {
      open.push(() => done({ type: 'review', review }))
      most = Math.max(most, open.length)
    })
  }
  return {
    asked,
    asks: Array.from({ length: count }, () => Promise.resolve(ask as Ask)),
    /** Lets what is open be answered, the last question first, until nothing is asked any more. */
    async answer() {
      for (let quiet = 0; quiet < 20; quiet++) {
        await Promise.resolve()
        const next = open.pop()
        if (next) quiet = 0
        next?.()
      }
    },
    most: () => most,
  }
}

test.each([1, 2, 3])('%i workers: all roughly, then the worst first, each once', async (count) => {
  const those = thinkers(count)
  const { asked, asks } = those
  const told: TurnReview[] = []
  const progress: [number, number][] = []
  const done = reviewAll(
    TURNS,
    asks,
    { budget: 99 },
    {
      turn: (review) => told.push(review),
      progress: (...now) => progress.push(now),
    },
  )
  await those.answer()
  await done
  const questions = asked.map((question) => (question.type === 'review' ? question : null)!)
  expect(questions.slice(0, 5).map(({ turn, final, budget }) => [turn.at, final, budget])).toEqual(
    [1, 2, 3, 4, 5].map((at) => [at, false, ROUGH.budget]),
  )
  expect(questions.slice(5).map(({ turn, final, budget }) => [turn.at, final, budget])).toEqual(
    [4, 2, 5, 3, 1].map((at) => [at, true, 99]),
  )
  expect(told.filter(({ final }) => final)).toHaveLength(5)
  expect(told.slice(0, 5).every(({ final }) => !final)).toBe(true)
  expect(progress).toEqual([0, 1, 2, 3, 4, 5].map((each) => [each, 5]))
  expect(those.most()).toBe(count)
})

test('a worker that fails is an error, and a game without turns is done at once', async () => {
  const told = { turn: () => {}, progress: () => {} }
  const failing = (() => Promise.reject(new Error('no memory'))) as Ask
  await expect(reviewAll(TURNS, [Promise.resolve(failing)], { budget: 9 }, told)).rejects.toThrow('no memory')
  await reviewAll([], [Promise.resolve(failing)], { budget: 9 }, told)
})
