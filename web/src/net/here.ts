// Tables on this device: whose they are, and who answers for them. What that is, is loaded when it is first needed.

import { HERE } from '../wire/here'

/** What is said of a request, as a server's status and body. */
export interface Answered {
  status: number
  body: unknown
}

/** As much of a WebSocket as a connection needs. */
export interface Socket {
  readonly readyState: number
  onopen: ((event: Event) => void) | null
  onmessage: ((event: MessageEvent<string>) => void) | null
  onclose: ((event: CloseEvent) => void) | null
  send(text: string): void
  close(): void
}

/** What answers in a server's place. */
export interface Here {
  /** The same requests as to a server, by their path below `/api/`. */
  ask(path: string, body: unknown, language: string): Promise<Answered>
  socket(code: string, query: URLSearchParams): Socket
}

let load: (() => Promise<Here>) | null = null
let loaded: Promise<Here> | null = null

/** Says where it comes from; the page does so once, at its start. */
export function provide(how: () => Promise<Here>): void {
  load = how
}

/** What answers for tables on this device. */
export function here(): Promise<Here> {
  if (!load) return Promise.reject(new Error('there are no tables on this device'))
  return (loaded ??= load().catch((error: unknown) => {
    loaded = null
    throw error
  }))
}

/** Loads it, for whoever will soon need it. */
export function getReady(): void {
  void here().catch(() => {})
}

/** The table that a request is about, where it is one on this device. */
export const isAboutHere = (path: string): boolean => path.startsWith(`tables/${HERE}`)

/** A socket to a table on this device. It opens as soon as that is loaded. */
export class HereSocket implements Socket {
  onopen: Socket['onopen'] = null
  onmessage: Socket['onmessage'] = null
  onclose: Socket['onclose'] = null
  #socket: Socket | null = null
  #closed = false

  constructor(code: string, query: URLSearchParams) {
    here().then(
      (host) => {
        if (this.#closed) return
        const socket = (this.#socket = host.socket(code, query))
        socket.onopen = (event) => this.onopen?.(event)
        // A connection listens to its own socket only.
        socket.onmessage = ({ data }) => this.onmessage?.({ target: this, data } as unknown as MessageEvent<string>)
        socket.onclose = (event) => this.onclose?.(event)
      },
      () => this.onclose?.({ code: 1006 } as CloseEvent),
    )
  }

  get readyState(): number {
    return this.#socket?.readyState ?? (this.#closed ? WebSocket.CLOSED : WebSocket.CONNECTING)
  }

  send(text: string): void {
    this.#socket?.send(text)
  }

  close(): void {
    this.#closed = true
    this.#socket?.close()
  }
}
