// A game that has left another one: which, where, and what it is called. As a record it holds both, up to there and on.
import { sha256 } from '../wire/sha256'
import { stepAfter, type ReplayStore } from './replay.svelte'

/** Letters that the name of a branch may have. */
export const NAME = 40
const HEADER = 'Branch'
/** What proves a deal is most of what can't be packed, and tells cards that are still to come. */
const UNTOLD = ['Seed', 'Commitment', 'Promises', 'Numbers']

/** What a game is known by: its moves. */
export function gameOf(replay: ReplayStore): string {
  return sha256(replay.tokensBefore(Infinity).join(' '))
}

/** A branch's record for a link: after so many tokens it has left its game. */
export function linked(record: string, name: string, at: number): string {
  const [head = '', moves = ''] = record.split(/\n\n(.*)/s)
  const kept = head.split('\n').filter((line) => {
    const header = /^\[(\w+) /.exec(line)?.[1] ?? ''
    return header !== HEADER && !UNTOLD.includes(header)
  })
  const written = name.slice(0, NAME).replace(/(["\\])/g, '\\$1')
  return `${[...kept, `[${HEADER} "${at} ${written}"]`].join('\n')}\n\n${moves}`
}

/** Where a game that is looked at has left another one, if it has. */
export function branchIn(replay: ReplayStore): { step: number; name: string } | null {
  const found = /^(\d{1,5}) (.{1,40})$/.exec(replay.game.headers[HEADER] ?? '')
  const step = found ? stepAfter(replay.positions, Number(found[1])) : -1
  return step < 0 ? null : { step, name: found![2]! }
}
