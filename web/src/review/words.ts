// A review in words.
import type { TurnReview } from '../analysis/analyst'
import type { Player } from '../board/position'
import { say, spoken, tell } from '../i18n/say.svelte'
import type { ReplayPosition } from '../replay/replay.svelte'
import { lineInWords } from '../state/log'
import type { LogLine } from '../wire/messages'
import type { Stretch } from './stretches'

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

/** Of what a step did, the chests that it took. */
export function robberiesInWords(lines: readonly LogLine[]): string[] {
  return lines.filter(({ key }) => key === 'log.rob').map((line) => lineInWords(line, []))
}

/** Whole points, with a true minus: a hyphen is hardly seen. */
export function whole(value: number, signDisplay: 'auto' | 'exceptZero' = 'auto'): string {
  const format = new Intl.NumberFormat(spoken(), { maximumFractionDigits: 0, signDisplay })
  return format.format(Math.round(value) || 0).replace('-', '−')
}

/** Whole points as they change, with their sign. */
export const signed = (value: number): string => whole(value, 'exceptZero')

/** A turn or a draw, and whose it was. */
export function stretchInWords({ kind, number, seat }: Stretch, players: readonly Player[]): string {
  const [ended, came, decided] = [
    seat < 0 ? 'over' : 'gives_up',
    number ? 'draw' : 'deal',
    number ? 'turn' : 'placing',
  ] as const
  const key = kind === 'end' ? ended : kind === 'draw' ? came : decided
  return say(`chances.${key}`, { number, name: players[seat]?.name ?? '' })
}
