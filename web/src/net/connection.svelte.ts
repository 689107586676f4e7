// The connection to a table. It comes back by itself, asks for what it has missed, and sends again what was
// not answered; a command has a name of its own, so it happens once however often it is sent.
import { spoken } from '../i18n/say.svelte'
import { isHere } from '../wire/here'
import type { Answer, AnyCommand, CommandMessage, EventMessage, Snapshot, ToClient } from '../wire/messages'
import { HereSocket, type Socket } from './here'
import { randomHex } from './random'
import { ALONE } from './server.svelte'

const FIRST_WAIT = 250
const LONGEST_WAIT = 8_000
/** The server says something at least every 15 s; a connection that is silent for longer is dead. */
const SILENCE = 25_000
const NO_TABLE = 4404
/** Why a table of this device answers nothing more: another tab has forgotten it. */
const FORGOTTEN = 'server.no_table'
const TOO_FAST = 4429

export type State = 'connecting' | 'open' | 'lost' | 'gone'

export interface Listener {
  snapshot(snapshot: Snapshot): void
  event(event: EventMessage): void
  present(people: readonly number[]): void
}

interface PendingCommand {
  message: CommandMessage
  resolve: (answer: Answer) => void
}

function serverSocket(code: string, query: URLSearchParams): Socket {
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws'
  return new WebSocket(`${scheme}://${location.host}/api/tables/${code}/socket?${query}`)
}

export class Connection {
  readonly code: string
  readonly listener: Listener
  /** Whose eyes to look with, where this device holds several seats. */
  readonly person: number | null
  state = $state<State>('connecting')
  /** The server has asked for patience: too much has come from this device, or its network. */
  patient = $state(false)
  /** The number of the last event that was received. */
  number = 0

  #socket: Socket | null = null
  #pending = new Map<string, PendingCommand>()
  #wait = FIRST_WAIT
  #timer: ReturnType<typeof setTimeout> | undefined
  #silence: ReturnType<typeof setTimeout> | undefined
  #closed = false

  constructor(code: string, listener: Listener, person: number | null = null) {
    this.code = code
    this.listener = listener
    this.person = person
    addEventListener('online', this.#hurry)
    if (!isHere(code)) addEventListener('offline', this.#drop)
    document.addEventListener('visibilitychange', this.#hurry)
    // Where there is no server, there is none of its tables.
    if (ALONE && !isHere(code)) this.#gone()
    else this.#open()
  }

  close(): void {
    this.#closed = true
    removeEventListener('online', this.#hurry)
    removeEventListener('offline', this.#drop)
    document.removeEventListener('visibilitychange', this.#hurry)
    clearTimeout(this.#timer)
    clearTimeout(this.#silence)
    this.#socket?.close()
  }

  /** Asks for something; answered once it has happened or was refused, however long the connection is down. */
  send = (command: AnyCommand, person = this.person): Promise<Answer> => {
    const message: CommandMessage = { id: randomHex(16), version: this.number, wish: command }
    if (person !== null) message.person = person
    return new Promise((resolve) => {
      this.#pending.set(message.id, { message, resolve })
      if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message))
    })
  }

  #open(): void {
    clearTimeout(this.#timer)
    const before = this.#socket
    this.#socket = null
    before?.close()
    const query = new URLSearchParams({ lang: spoken() })
    if (this.number) query.set('after', String(this.number))
    if (this.person !== null) query.set('as', String(this.person))
    const socket = isHere(this.code) ? new HereSocket(this.code, query) : serverSocket(this.code, query)
    this.#socket = socket
    socket.onopen = () => {
      this.state = 'open'
      this.#listen()
      for (const { message } of this.#pending.values()) socket.send(JSON.stringify(message))
    }
    socket.onmessage = this.#receive
    socket.onclose = ({ code }) => this.#lost(socket, code)
  }

  #receive = ({ target, data }: MessageEvent<string>): void => {
    if (target !== this.#socket) return
    this.#listen()
    this.#wait = FIRST_WAIT
    this.patient = false
    const message = JSON.parse(data) as ToClient
    switch (message.type) {
      case 'snapshot':
        this.number = message.number
        return this.listener.snapshot(message)
      case 'event':
        if (message.number <= this.number) return
        this.number = message.number
        return this.listener.event(message)
      case 'present':
        return this.listener.present(message.people)
      case 'answer':
        // One without a name is about something that could not be read, or came too fast.
        for (const id of message.id ? [message.id] : [...this.#pending.keys()]) {
          this.#pending.get(id)?.resolve(message)
          this.#pending.delete(id)
        }
        if (message.key === FORGOTTEN) this.#gone()
    }
  }

  #lost(socket: Socket, code: number): void {
    if (this.#closed || socket !== this.#socket) return
    clearTimeout(this.#silence)
    if (code === NO_TABLE) return this.#gone()
    this.state = 'lost'
    this.patient = code === TOO_FAST
    // Not all at once after a restart.
    this.#timer = setTimeout(() => this.#open(), this.#wait * (0.5 + Math.random()))
    this.#wait = Math.min(LONGEST_WAIT, this.#wait * 2)
  }

  #gone(): void {
    this.close()
    this.state = 'gone'
  }

  #listen(): void {
    clearTimeout(this.#silence)
    // What is on this device says nothing as long as nothing happens.
    if (isHere(this.code)) return
    this.#silence = setTimeout(this.#drop, SILENCE)
  }

  #drop = (): void => {
    const socket = this.#socket
    if (!socket || this.#closed) return
    socket.close()
    // A dead connection can take minutes to close; it is not waited for.
    if (this.state === 'open') {
      this.#lost(socket, 0)
      this.#socket = null
    }
  }

  #hurry = (): void => {
    if (document.hidden || this.#closed || this.state !== 'lost') return
    this.#wait = FIRST_WAIT
    this.#open()
  }
}
