// The page's side of the tables on this device: starts the worker, and asks it.
import { reasons } from 'virtual:texts'

import type { Answered, Here, Socket } from '../net/here'
import { noteKept } from '../net/kept.svelte'
import type { FromWorker, ToWorker } from './messages'
import { Thinker } from './thinking/thinker'
import LocalWorker from './worker?worker'

export class Client implements Here {
  readonly #worker = new LocalWorker()
  readonly #asked = new Map<number, (answered: Answered) => void>()
  readonly #sockets = new Map<number, WorkerSocket>()
  readonly #thinker: Thinker
  readonly #spoken = new Map<string, Promise<void>>()
  #next = 0
  #begun: () => void = () => {}
  #failed: () => void = () => {}
  /** Resolves once tables can be asked for, and rejects where they can't. */
  readonly ready = new Promise<void>((done, fail) => {
    this.#begun = done
    this.#failed = () => fail(new Error('there are no tables on this device'))
  })

  constructor(rules: ArrayBuffer) {
    this.#thinker = new Thinker(rules)
    this.#worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => this.#hear(data))
    this.#worker.addEventListener('error', () => this.#failed())
    this.#tell({ type: 'rules', bytes: rules })
  }

  async ask(path: string, body: unknown, language: string): Promise<Answered> {
    await this.speak(language)
    const id = this.#next++
    return new Promise((done) => {
      this.#asked.set(id, done)
      this.#tell({ type: 'ask', id, path, body, language })
    })
  }

  socket(code: string, query: URLSearchParams): Socket {
    const socket = this.#next++
    const number = (name: string) => (query.has(name) ? Number(query.get(name)) : null)
    const language = query.get('lang') ?? 'en'
    const made = new WorkerSocket(
      (text) => this.#tell({ type: 'say', socket, message: JSON.parse(text) as never }),
      () => {
        this.#sockets.delete(socket)
        this.#tell({ type: 'close', socket })
      },
    )
    this.#sockets.set(socket, made)
    void this.speak(language).then(() => {
      this.#tell({ type: 'open', socket, code, as: number('as'), after: number('after'), language })
    })
    return made
  }

  /** Reasons are told in words that the worker is given; those of another language where there is no network. */
  speak(language: string): Promise<void> {
    const known = this.#spoken.get(language)
    if (known) return known
    const speaking = reasons(language).then(
      (catalogue) => this.#tell({ type: 'words', language, catalogue }),
      () => void this.#spoken.delete(language),
    )
    this.#spoken.set(language, speaking)
    return speaking
  }

  #tell(message: ToWorker): void {
    this.#worker.postMessage(message)
  }

  #hear(message: FromWorker): void {
    switch (message.type) {
      case 'answer':
        this.#asked.get(message.id)?.(message)
        return void this.#asked.delete(message.id)
      case 'opened':
        return this.#sockets.get(message.socket)?.opened()
      case 'told':
        return this.#sockets.get(message.socket)?.told(message.message)
      case 'closed':
        this.#sockets.get(message.socket)?.closed(message.code)
        return void this.#sockets.delete(message.socket)
      case 'failed':
        return this.#failed()
      case 'think': {
        const { id } = message
        return void this.#thinker.ask(message.question).then((reply) => this.#tell({ type: 'thought', id, reply }))
      }
      case 'lasting':
        this.#begun()
        noteKept(message.lasting)
        // A game is worth keeping, even where room is short.
        if (message.lasting) void navigator.storage?.persist?.()
    }
  }
}

/** A connection to a table in the worker, as if it were a WebSocket. */
class WorkerSocket implements Socket {
  onopen: Socket['onopen'] = null
  onmessage: Socket['onmessage'] = null
  onclose: Socket['onclose'] = null
  readyState: number = WebSocket.CONNECTING

  constructor(
    readonly send: (text: string) => void,
    readonly shut: () => void,
  ) {}

  opened(): void {
    this.readyState = WebSocket.OPEN
    this.onopen?.(new Event('open'))
  }

  told(message: unknown): void {
    this.onmessage?.(new MessageEvent('message', { data: JSON.stringify(message) }))
  }

  closed(code: number): void {
    this.readyState = WebSocket.CLOSED
    this.onclose?.(new CloseEvent('close', { code }))
  }

  close(): void {
    if (this.readyState === WebSocket.CLOSED) return
    this.readyState = WebSocket.CLOSED
    this.shut()
  }
}
