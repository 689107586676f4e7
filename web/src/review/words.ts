// A review in words.
import type { TurnReview } from '../analysis/analyst'
import { spoken, tell } from '../i18n/say.svelte'
import type { ReplayPosition } from '../replay/replay.svelte'
import { lineInWords } from '../state/log'

/** Points, with one digit after the point. */
export function points(value: number): string {
  const digits = { minimumFractionDigits: 1, maximumFractionDigits: 1 }
  return new Intl.NumberFormat(spoken(), digits).format(value)
}

/** Which turn it was. */
export function moment({ number }: TurnReview): string {
  return number ? tell('analysis.turn', { number }) : tell('analysis.placing')
}

/** What was given up, with its interval. */
export function givenUp({ givenUp, low, high }: TurnReview): string {
  return tell('analysis.points', { points: points(givenUp), low: points(low), high: points(high) })
}

/** What a seat does in some steps, an action a line: as "you" for whoever looks at the own seat. */
export function turnInWords(steps: readonly ReplayPosition[], own: number | null): string[] {
  const done = steps.filter(({ step }) => step.action != null)
  return done.flatMap(({ step }) => (step.lines ?? []).map((line) => lineInWords(line, [], own)))
}
