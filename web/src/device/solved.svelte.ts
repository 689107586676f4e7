// Which puzzles were solved on this device, and on how many days in a row the one of the day was.
import { save, saved } from './storage'

/** `shown`: somebody has had the solution shown first. */
export type Outcome = 'solved' | 'shown'

interface Streak {
  /** The last day whose puzzle was solved on that day. */
  day: number
  days: number
  longest: number
}

interface Kept {
  outcomes: Readonly<Record<string, Outcome>>
  streak: Streak
}

const PLACE = 'baghdad-puzzles'
const NOTHING: Kept = { outcomes: {}, streak: { day: 0, days: 0, longest: 0 } }
const MILLISECONDS = 86_400_000

const read = (): Kept => ({ ...NOTHING, ...saved<Partial<Kept>>(PLACE, {}) })
let kept = $state.raw(read())
// Another tab has solved one.
addEventListener('storage', ({ key }) => {
  if (key === PLACE) kept = read()
})

/** A day by the calendar of whoever asks: it changes at midnight there. */
export function dayOf(date: Date): number {
  return Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / MILLISECONDS
}

export const outcomeOf = (puzzle: string): Outcome | undefined => kept.outcomes[puzzle]

/** Days in a row until today, or until yesterday as long as today's puzzle waits; and the most there ever were. */
export function streak(today: number): { days: number; longest: number } {
  const { day, days, longest } = kept.streak
  return { days: day >= today - 1 ? days : 0, longest }
}

/** What has become of a puzzle: the first time counts. `day`: it is the one of that day. */
export function noteOutcome(puzzle: string, outcome: Outcome, day: number | null): void {
  const now = read()
  if (now.outcomes[puzzle]) return
  const counts = outcome === 'solved' && day !== null && day > now.streak.day
  kept = {
    outcomes: { ...now.outcomes, [puzzle]: outcome },
    streak: counts ? longer(now.streak, day) : now.streak,
  }
  save(PLACE, kept)
}

function longer({ day: before, days: until, longest }: Streak, day: number): Streak {
  const days = before === day - 1 ? until + 1 : 1
  return { day, days, longest: Math.max(longest, days) }
}
