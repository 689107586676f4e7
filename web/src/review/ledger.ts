// The bookkeeping of a game's luck, summed up for people.
import type { Draw, Ledger } from '../analysis/chances'

/** What became of a seat's chance, in whole points: all but the result and what is left without luck add up to it. */
export interface Account {
  start: number
  /** All cards, those of others and the first hands included. */
  cards: number
  own: number
  others: number
  result: number
  /** The result less what the cards were worth. */
  adjusted: number
}

const POINTS = 100
/** The largest draws that are told. */
const MOST = 5

export function accountOf({ start, draws, turns, result }: Ledger, seat: number): Account {
  const worth = (all: readonly { worth: readonly number[] }[]) =>
    all.reduce((sum, { worth }) => sum + (worth[seat] ?? 0) * POINTS, 0)
  const own = turns.filter((turn) => turn.seat === seat)
  const others = turns.filter((turn) => turn.seat !== seat)
  const end = Math.round((result[seat] ?? 0) * POINTS)
  const parts = rounded([(start[seat] ?? 0) * POINTS, worth(draws), worth(own), worth(others)], end)
  const [before, cards, mine, theirs] = parts as [number, number, number, number]
  return { start: before, cards, own: mine, others: theirs, result: end, adjusted: end - cards }
}

/** Whole numbers that still add up: those go up whose fraction is largest (the method of largest remainders). */
export function rounded(values: readonly number[], total: number): number[] {
  const whole = values.map(Math.floor)
  let missing = total - whole.reduce((sum, each) => sum + each, 0)
  const order = values.map((value, place) => [value - Math.floor(value), place] as const).sort(([a], [b]) => b - a)
  for (const [, place] of order) if (missing-- > 0) whole[place]!++
  return whole.map((each) => each || 0)
}

/** The draws that were worth most to a seat, for good or ill, whoever got the cards. */
export function largestDraws({ draws }: Ledger, seat: number): Draw[] {
  const size = ({ worth }: Draw) => Math.abs(worth[seat] ?? 0)
  return draws
    .filter((draw) => Math.round(size(draw) * POINTS) > 0)
    .sort((one, other) => size(other) - size(one) || one.at - other.at)
    .slice(0, MOST)
}
