// How strong somebody is who has played against bots here, on the scale of the levels; and whom to play next.
// `arena/rating.py` does the same sums.
import { BEGINNER, LEVELS, RATINGS, SPREAD } from '../wire/messages'
import type { MyGame } from './tables.svelte'

export type Level = (typeof LEVELS)[number]

export interface GameWithLevels {
  /** Who sat there besides. */
  levels: readonly Level[]
  won: boolean
}

/** A level to play next, and what speaks for it: games against one, most often the one below. */
export interface Proposal {
  level: Level
  because?: { level: Level; won: number; games: number }
}

const ELO = 400 / Math.LN10

const known = (level: string | null | undefined): level is Level => level != null && level in RATINGS

/** The finished games on this device that one person has played here, all others being bots of our levels. */
export function gamesWithLevels(games: readonly MyGame[]): GameWithLevels[] {
  const found: GameWithLevels[] = []
  for (const { summary, uncounted } of games) {
    if (uncounted || summary?.state !== 'over' || summary.winner == null) continue
    const own = summary.players.findIndex(({ person }) => person != null && summary.people.includes(person))
    const levels = summary.players.filter((_, seat) => seat !== own).map(({ level }) => level)
    if (own >= 0 && levels.length > 0 && levels.every(known)) found.push({ levels, won: summary.winner === own })
  }
  return found
}

const spreadOf = (levels: readonly Level[]) => SPREAD[(levels.length + 1) as keyof typeof SPREAD]

/** How likely a person of some rating is to win against these, as Plackett and Luce have it. */
export function winChance(rating: number, levels: readonly Level[]): number {
  const spread = spreadOf(levels) / ELO
  return 1 / (1 + levels.reduce((sum, level) => sum + Math.exp((RATINGS[level] - rating) * spread), 0))
}

/** The most likely rating after these games: where one more point makes them no more likely, and no less. */
export function ratingAfter(games: readonly GameWithLevels[]): number {
  const [beginner, deviation] = BEGINNER
  const slope = (rating: number) =>
    games.reduce(
      (sum, { levels, won }) => sum + (spreadOf(levels) / ELO) * (Number(won) - winChance(rating, levels)),
      (beginner - rating) / deviation ** 2,
    )
  let [low, high] = [RATINGS[LEVELS[0]] - 1000, RATINGS[LEVELS.at(-1)!] + 1000]
  while (high - low > 0.1) {
    const middle = (low + high) / 2
    if (slope(middle) > 0) low = middle
    else high = middle
  }
  return Math.round(low)
}

/** Against whom the next game is nearest to even; never more than one above the strongest that was beaten. */
export function evenLevel(games: readonly GameWithLevels[]): Level {
  const beaten = games.flatMap(({ levels, won }) => (won ? levels.map((level) => LEVELS.indexOf(level)) : []))
  const within = LEVELS.slice(0, Math.max(-1, ...beaten) + 2)
  const rating = ratingAfter(games)
  const far = (level: Level) => Math.abs(RATINGS[level] - rating)
  return within.reduce((best, level) => (far(level) < far(best) ? level : best))
}

/** Whom to play next, and why; nothing speaks for the first one but that it is the first. */
export function propose(games: readonly MyGame[]): Proposal {
  const all = gamesWithLevels(games)
  const level = evenLevel(all)
  const met = LEVELS.filter((each) => all.some(({ levels }) => levels.includes(each)))
  // What was played at or right below it tells most.
  const nearest = met.findLast((each) => RATINGS[each] <= RATINGS[level]) ?? met[0]
  if (!nearest) return { level }
  const against = all.filter(({ levels }) => levels.includes(nearest))
  return { level, because: { level: nearest, won: against.filter(({ won }) => won).length, games: against.length } }
}
