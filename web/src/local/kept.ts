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
  try {
    const database = await openDB<Schema>(NAME, 1, {
      upgrade(made) {
        const events = made.createObjectStore('events', { keyPath: ['code', 'number'] })
        events.createIndex('command', ['code', 'command'], { unique: true })
      },
    })
    return new Kept(database, changed)
  } catch {
    return new Memory()
  }
}

class Kept implements Storage {
  readonly lasting = true
  readonly #database: IDBPDatabase<Schema>
  readonly #changed: (code: string) => void

  constructor(database: IDBPDatabase<Schema>, changed: (code: string) => void) {
    this.#database = database
    this.#changed = changed
  }

  async append(code: string, stored: StoredEvent): Promise<void> {
    const writing = this.#database.transaction('events', 'readwrite', { durability: 'strict' })
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
    return this.#database.getAll('events', IDBKeyRange.bound([code, after + 1], [code, Infinity]))
  }

  async forget(code: string): Promise<void> {
    await this.#database.delete('events', IDBKeyRange.bound([code], [code, Infinity]))
    this.#changed(code)
  }
}
