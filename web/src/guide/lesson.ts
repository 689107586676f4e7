// The guided game as it was prepared, and how far a game has followed it.
import lesson from '../../../src/baghdad/bots/lesson/lesson.json'
import { ACTIONS, type Action } from '../wire/actions'
import type { EventMessage } from '../wire/messages'

/** One step: something to read, a move of the learner with words to it, or a move of the other seat. */
export interface Step {
  say?: string
  /** What on the table something to be read is about. */
  at?: string
  action?: Action | undefined
}

/** The file names its moves as a game record does. */
export const SCRIPT: readonly Step[] = lesson.script.map(({ move, ...step }: { move?: string }) => ({
  ...step,
  action: ACTIONS.find(({ token }) => token === move),
}))
/** Steps that the learner is told, for counting them. */
export const TOLD = SCRIPT.filter(({ say }) => say).length

/** Turns of the script: steps with a move, one seat's in a row. */
const TURNS: readonly (readonly number[])[] = (() => {
  const turns: number[][] = []
  SCRIPT.forEach((step, number) => {
    if (!step.action) return
    const last = turns.at(-1)
    if (last && !SCRIPT[last[0]!]!.say === !step.say) last.push(number)
    else turns.push([number])
  })
  return turns
})()

export interface Progress {
  /** Steps whose moves have been made. */
  done: ReadonlySet<number>
  /** Those of the turn that goes on, which may be made in any order. */
  open: readonly number[]
  /** Something else was done. */
  left: boolean
}

/** What of the script has happened in a game. Whoever takes something else back is where they were before. */
export function progressOf(log: readonly EventMessage[]): Progress {
  const played: Action[] = []
  for (const { kind, action } of log) {
    if (kind === 'undone') played.pop()
    else if (action != null) played.push(ACTIONS[action]!)
  }
  const done = new Set<number>()
  for (const turn of TURNS) {
    const open = [...turn]
    while (open.length && played.length) {
      const place = open.findIndex((number) => SCRIPT[number]!.action === played[0])
      // The end of a turn is its last move.
      if (place < 0 || (played[0]!.ends && open.length > 1)) return { done, open, left: true }
      done.add(open[place]!)
      open.splice(place, 1)
      played.shift()
    }
    if (open.length) return { done, open, left: false }
  }
  return { done, open: [], left: false }
}
