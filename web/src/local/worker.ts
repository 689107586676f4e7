// The tables of this device, in a thread of their own: a move is answered while a bot thinks.
import { Engine } from '../engine/engine'
import { LEVELS } from '../wire/messages'
import { botsAsked, type Question, type Reply } from './bots'
import { chance } from './chance'
import { Host } from './host'
import { openStorage } from './kept'
import type { FromWorker, ToWorker } from './messages'
import { rulesFrom } from './play/module'
import { wordsFrom, type Catalogue } from './words'

/** As a server's socket is closed. */
const NO_TABLE = 4404
const FAILED = 1011
/** Tabs tell each other what they have written. */
const CHANNEL = 'baghdad-tables'

const catalogues = new Map<string, Catalogue>()
const open = new Map<number, { receive: (message: never) => void; close: () => void }>()
const thinking = new Map<number, (reply: Reply) => void>()
let thoughts = 0
let begin: (host: Host) => void
const host = new Promise<Host>((done) => (begin = done))

const tell = (message: FromWorker) => postMessage(message)

async function start(bytes: ArrayBuffer): Promise<void> {
  const tabs = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(CHANNEL)
  const storage = await openStorage((code) => tabs?.postMessage(code))
  const made = new Host(
    storage,
    rulesFrom(await Engine.load(bytes)),
    botsAsked(LEVELS, think),
    chance,
    wordsFrom(catalogues),
  )
  if (tabs) tabs.onmessage = ({ data }: MessageEvent<string>) => void made.changed(data)
  tell({ type: 'lasting', lasting: storage.lasting })
  begin(made)
}

/** Bots think in a worker of their own, which the page keeps: so this one always answers. */
function think(question: Question): Promise<Reply> {
  const id = thoughts++
  tell({ type: 'think', id, question })
  return new Promise((done) => thinking.set(id, done))
}

async function connect(message: Extract<ToWorker, { type: 'open' }>): Promise<void> {
  const { socket, code, as, after, language } = message
  const said: FromWorker[] = []
  let opened = false
  try {
    const session = await (
      await host
    ).connect(code, as, after, language, (told) => {
      const message: FromWorker = { type: 'told', socket, message: told }
      if (opened) tell(message)
      else said.push(message)
    })
    if (!session) return tell({ type: 'closed', socket, code: NO_TABLE })
    open.set(socket, session)
    tell({ type: 'opened', socket })
    opened = true
    said.forEach(tell)
  } catch (error) {
    console.error(error)
    tell({ type: 'closed', socket, code: FAILED })
  }
}

addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  switch (data.type) {
    case 'rules':
      return void start(data.bytes).catch((error: unknown) => {
        console.error(error)
        tell({ type: 'failed' })
      })
    case 'words':
      return void catalogues.set(data.language, data.catalogue)
    case 'ask':
      return void host
        .then((each) => each.ask(data.path, data.body, data.language))
        .then((answered) => tell({ type: 'answer', id: data.id, ...answered }))
    case 'thought':
      thinking.get(data.id)?.(data.reply)
      return void thinking.delete(data.id)
    case 'open':
      return void connect(data)
    case 'say':
      return open.get(data.socket)?.receive(data.message as never)
    case 'close':
      open.get(data.socket)?.close()
      open.delete(data.socket)
  }
})
