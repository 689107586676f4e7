// Where the events of tables on this device are kept, and what goes wrong there.
import type { StoredEvent } from './events'

/** Another tab has kept an event of that number, or of that command, already; or has forgotten the table. */
export class ConflictError extends Error {}

export interface Storage {
  /** Whether what is kept here is there after the page is closed. */
  readonly lasting: boolean
  /** Keeps an event after the one before it; nobody is told of it before. Throws a `ConflictError`. */
  append(code: string, stored: StoredEvent): Promise<void>
  /** The events of a table after a number, in order. */
  events(code: string, after: number): Promise<StoredEvent[]>
  forget(code: string): Promise<void>
}

/** For browsers that keep nothing: all is forgotten with the page. */
export class Memory implements Storage {
  readonly lasting = false
  readonly #tables = new Map<string, StoredEvent[]>()

  async append(code: string, stored: StoredEvent): Promise<void> {
    const events = this.#tables.get(code) ?? []
    if (events.length + 1 !== stored.number) throw new ConflictError()
    this.#tables.set(code, [...events, stored])
    return Promise.resolve()
  }

  async events(code: string, after: number): Promise<StoredEvent[]> {
    return Promise.resolve((this.#tables.get(code) ?? []).slice(after))
  }

  async forget(code: string): Promise<void> {
    this.#tables.delete(code)
    return Promise.resolve()
  }
}
