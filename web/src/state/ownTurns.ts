// The turns that a seat has finished in a game that goes on, each with what it knew: from the log of its own device.
import type { Position as Known } from '../wire/attempt'
import { ACTIONS } from '../wire/actions'
import { OVER, TURN, type EventMessage } from '../wire/messages'
import type { Position } from './table.svelte'

export interface OwnTurn {
  /** Of the event that began it. */
  at: number
  /** By which the table counts, from 1. */
  number: number
  seat: number
  seen: Known
  actions: number[]
}

/** `positions`: by the number of the event that they come after. */
export function ownTurnsOf(log: readonly EventMessage[], positions: ReadonlyMap<number, Position>): OwnTurn[] {
  const turns: OwnTurn[] = []
  let before: Position | undefined
  let running: OwnTurn | null = null
  for (const { number, kind, action, seat } of log) {
    const after = positions.get(number)
    const own = before?.own
    if (own && seat === own.seat && before!.shown.phase === TURN) {
      if (kind === 'undone') running?.actions.pop()
      else if (action != null) {
        const { shown } = before!
        if (!running?.actions.length)
          running = { at: number, number: shown.turn + 1, seat, seen: { shown, seat, hand: own.hand }, actions: [] }
        running.actions.push(action)
        if (ACTIONS[action]!.ends || after?.shown.phase === OVER) {
          turns.push(running)
          running = null
        }
      }
    }
    before = after ?? before
  }
  return turns
}
