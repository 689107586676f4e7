// What the browser keeps of tables on this device: their events, in IndexedDB. Nothing is shown before it is written.
import { openDB, type DBSchema, type IDBPDatabase } from 'idb'

import type { StoredEvent } from './events'
import { ConflictError, Memory, type Storage } from './storage'

const NAME = 'baghdad'

interface Schema extends DBSchema {
  events: { key: [code: string, number: number]; value: StoredEvent & { code: string }; indexes: { command: string[] } }
}

/** Where events are kept; in memory alone where the browser keeps nothing. `changed`: for other tabs. */
export async function openStorage(changed: (code: string) => void): Promise<Storage> {
  const kept = new Kept(changed)
  try {
    await kept.open()
    return kept
  } catch {
    return new Memory()
  }
}

class Kept implements Storage {
  readonly lasting = true
  readonly #changed: (code: string) => void
  #database: Promise<IDBPDatabase<Schema>> | null = null

  constructor(changed: (code: string) => void) {
    this.#changed = changed
  }

  /** The database, opened again where the browser has closed it: it does so when somebody clears what is kept. */
  open(): Promise<IDBPDatabase<Schema>> {
    const closed = () => (this.#database = null)
    this.#database ??= openDB<Schema>(NAME, 1, {
      upgrade(made) {
        const events = made.createObjectStore('events', { keyPath: ['code', 'number'] })
        events.createIndex('command', ['code', 'command'], { unique: true })
      },
      terminated: closed,
      // A tab with a later version of the page would have to wait until this one is closed.
      blocking(_, __, { target }) {
        closed()
        ;(target as IDBDatabase).close()
      },
    }).catch((error: unknown) => {
      closed()
      throw error
    })
    return this.#database
  }

  async append(code: string, stored: StoredEvent): Promise<void> {
    const writing = (await this.open()).transaction('events', 'readwrite', { durability: 'strict' })
    if (stored.number > 1 && !(await writing.store.getKey([code, stored.number - 1]))) {
      await writing.done
      throw new ConflictError()
    }
    try {
      await Promise.all([writing.store.add({ code, ...stored }), writing.done])
    } catch (error) {
      // Numbers and commands of a table are unique: another tab was faster.
      if (error instanceof DOMException && error.name === 'ConstraintError') throw new ConflictError()
      throw error
    }
    this.#changed(code)
  }

  async events(code: string, after: number): Promise<StoredEvent[]> {
    return (await this.open()).getAll('events', IDBKeyRange.bound([code, after + 1], [code, Infinity]))
  }

  async forget(code: string): Promise<void> {
    await (await this.open()).delete('events', IDBKeyRange.bound([code], [code, Infinity]))
    this.#changed(code)
  }
}
