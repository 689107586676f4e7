// A request that is refused; nothing has changed.
import type { Reason } from './play/rules'

export class RefusedError extends Error {
  readonly reason: Reason

  constructor(key: string, rule: string | null = null, values: Reason['values'] = {}) {
    super(key)
    this.reason = { key: `server.${key}`, rule, values }
  }
}

/** The sender did not know the latest events. */
export class StaleError extends Error {}
