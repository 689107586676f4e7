// How a game ends that its moves don't end (R27, R28): as `rules/ending.py` keeps it.
import type { ShownTable } from '../../wire/messages'
import { MoveError } from './errors'

export type Termination = NonNullable<ShownTable['termination']>
export const TERMINATIONS: readonly Termination[] = ['resigned', 'agreed', 'abandoned', 'turn limit']
/** By seat that has given up: how many tokens were played before it did. */
export type Resigned = ReadonlyMap<number, number>

/** The number of tokens after which giving up has ended the game; null where it goes on. */
export function endsWith(players: number, resigned: Resigned): number | null {
  const numbers = [...resigned.values()]
  if (players === 2) return numbers.length ? Math.min(...numbers) : null
  return resigned.size === players ? Math.max(...numbers) : null
}

/** Why nothing can be played any more in a game that its moves have not ended. */
export function overBy(termination: Termination, winner: number | null): MoveError {
  if (winner !== null) return new MoveError('over_resigned', 'R28', { seat: 2 - winner })
  if (termination === 'turn limit') return new MoveError('over_turn_limit', 'R27')
  return new MoveError(termination === 'resigned' ? 'over_all_resigned' : `over_${termination}`, 'R28')
}

/** The headers of an ending; the seat that gave up first comes first. */
export function endingHeaders(termination: Termination | null, resigned: Resigned): [string, string][] {
  const told = [...resigned].sort(([a, m], [b, n]) => m - n || a - b)
  return [
    ...(termination ? [['Termination', termination] as [string, string]] : []),
    ...(told.length
      ? [['Resigned', told.map(([seat, number]) => `${seat + 1}@${number + 1}`).join(', ')] as [string, string]]
      : []),
  ]
}
