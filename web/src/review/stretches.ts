// What a game falls into: what a seat decides without cards in between, the cards, and an end without a move.
import type { Moment, Part } from '../analysis/chances'
import { stepAfter, type ReplayPosition } from '../replay/replay.svelte'
import { PLACING, type Replay } from '../wire/messages'

export interface Stretch {
  /** The end is one of its own where no move has ended the game (R28). */
  kind: 'turn' | 'draw' | 'end'
  /** Tokens of the record before it, and those up to its end. */
  at: number
  until: number
  /** Who decided, got the cards or gave up; -1 where nobody did alone. */
  seat: number
  /** By which the table counts: the turn, or the one that the cards end; 0 for first guards and first hands. */
  number: number
}

/** A turn or a draw that changed the chances much. */
export interface TurningPoint extends Stretch {
  /** By seat. */
  change: readonly number[]
}

/** The least change that counts, and how many there are at most. As `baghdad.analysis.engine.ledger`. */
const TURNS_AT = 0.1
const MOST = 5

export function stretchesOf(
  positions: readonly ReplayPosition[],
  termination: Replay['termination'] = null,
): Stretch[] {
  const stretches: Stretch[] = []
  let number = 0
  let going: Stretch | undefined
  let at = 0
  for (const [place, { step }] of positions.entries()) {
    const { token, seat } = step
    if (token === undefined || seat == null) continue
    const before = positions[place - 1]!.shown
    const kind = token.startsWith('=') ? 'draw' : 'turn'
    if (kind === 'turn') number = before.phase === PLACING ? 0 : before.turn + 1
    if (kind === 'draw' || going?.kind !== 'turn' || going.seat !== seat) {
      going = { kind, at, until: at, seat, number }
      stretches.push(going)
    }
    going.until = ++at
  }
  if (termination !== null) {
    const gaveUp = positions.findLast(({ step }) => step.lines?.some(({ key }) => key === 'log.resigned'))
    const seat = termination === 'resigned' ? (gaveUp?.step.seat ?? -1) : -1
    stretches.push({ kind: 'end', at, until: at, seat, number })
  }
  return stretches
}

/**
 * The largest changes of any seat's chance by one stretch, the largest first. `end`: what an end without a move was
 * worth; the last moment is the one after it, so that nobody knows without it what it was before.
 */
export function turningPoints(
  stretches: readonly Stretch[],
  moments: ReadonlyMap<number, Moment>,
  end?: Part,
): TurningPoint[] {
  const changes = stretches.flatMap((stretch) => {
    const before = moments.get(stretch.at)?.open
    let after = moments.get(stretch.until)?.open
    if (!before || !after) return []
    if (stretch.kind === 'end') return end ? [{ ...stretch, change: end.worth.slice(0, SEATS) }] : []
    if (stretch.until === end?.at) after = after.map((chance, seat) => chance - end.worth[seat]!)
    return [{ ...stretch, change: after.slice(0, SEATS).map((chance, seat) => chance - before[seat]!) }]
  })
  return changes
    .filter((each) => sizeOf(each) >= TURNS_AT)
    .sort((one, other) => sizeOf(other) - sizeOf(one) || one.at - other.at)
    .slice(0, MOST)
}

/** After them comes that nobody wins. */
const SEATS = 4

const sizeOf = ({ change }: TurningPoint) => Math.max(...change.map(Math.abs))

/** By tokens played: the step of a replay that shows it; at the end the one that tells the result. */
export function stepsOf(positions: readonly ReplayPosition[]): number[] {
  const tokens = positions.reduce((all, { step }) => all + Number(step.token !== undefined), 0)
  const steps = Array.from({ length: tokens }, (_, at) => stepAfter(positions, at))
  return [...steps, positions.length - 1]
}
