// Why something is not done. Words are for others: here it is a message's key, and what it speaks of.
import type { Reason } from './rules'

/** A move that was not played; nothing has changed. */
export class MoveError extends Error {
  readonly reason: Reason

  constructor(key: string, rule: string | null = null, values: Reason['values'] = {}) {
    super(key)
    this.reason = { key: `refusal.${key}`, rule, values }
  }
}

export function refusedBy({ key, rule, values }: Reason): MoveError {
  return new MoveError(key, rule, values)
}

/** Longer texts are not moves, and are shown in part. */
const LONGEST_TOKEN = 40

export function shortened(token: string): string {
  return token.length <= LONGEST_TOKEN ? token : `${token.slice(0, LONGEST_TOKEN - 1)}…`
}
