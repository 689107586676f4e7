// The page's side of the bots on this device: begins their worker, brings it what they need, and waits no longer than a
// server does. As `server/runtime/bot_pool.py`, for one process.
import { needsNetwork } from '../../engine/mind'
import { noteComing } from '../../net/coming.svelte'
import { part } from '../../net/parts'
import type { Question, Reply } from '../bots'
import type { FromThinker, ToThinker } from './messages'
import ThinkingWorker from './worker?worker'

/** For a decision, as a server gives them. */
const SECONDS = 1
/** Beyond that: a busy device is not a reason to replace a bot, but people wait. */
const SPARE_SECONDS = 4
/** To compile the engine and to read a network, on a slow device. */
const READY_SECONDS = 60
/** Milliseconds until what has not come is asked for again. */
const AGAIN = 3000

export class Thinker {
  readonly #engine: ArrayBuffer
  #network: Promise<ArrayBuffer> | null = null
  #worker: Worker | null = null
  #knows = false
  /** The end of all that waits: one thing is asked at a time. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(engine: ArrayBuffer) {
    this.#engine = engine
  }

  /** Null where the bot fails or is late; its worker is ended then. */
  async ask(question: Question): Promise<Reply> {
    // Nobody is replaced because a network is slow.
    const network = needsNetwork(question.level) ? await (this.#network ??= fetched()) : null
    const done = this.#last.then(() => this.#think(question, network))
    this.#last = done
    return done
  }

  async #think(question: Question, network: ArrayBuffer | null): Promise<Reply> {
    try {
      if (!this.#worker) {
        this.#worker = new ThinkingWorker()
        this.#knows = false
        await this.#exchange({ type: 'engine', bytes: this.#engine }, READY_SECONDS)
      }
      if (network && !this.#knows) {
        await this.#exchange({ type: 'network', bytes: network }, READY_SECONDS)
        this.#knows = true
      }
      const said = await this.#exchange({ type: 'think', seconds: SECONDS, ...question }, SECONDS + SPARE_SECONDS)
      return said.type === 'thought' ? said.reply : null
    } catch (error) {
      console.warn('a bot has no answer', question.level, error)
      this.#worker?.terminate()
      this.#worker = null
      return null
    }
  }

  #exchange(message: ToThinker, seconds: number): Promise<FromThinker> {
    const worker = this.#worker!
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error('it is late')), 1000 * seconds)
      worker.onmessage = ({ data }: MessageEvent<FromThinker>) => {
        clearTimeout(late)
        if (data.type === 'failed') reject(new Error(data.why))
        else resolve(data)
      }
      worker.onerror = (event) => {
        clearTimeout(late)
        reject(new Error(event.message))
      }
      worker.postMessage(message)
    })
  }
}

/** The network's weights, sooner or later; whoever waits for them sees how much has come. */
async function fetched(): Promise<ArrayBuffer> {
  for (;;)
    try {
      const tell = (share: number) => noteComing('network', share)
      tell(0)
      const bytes = await part('network', tell)
      noteComing('network', null)
      return bytes
    } catch {
      noteComing('network', 'away')
      await new Promise((done) => setTimeout(done, AGAIN))
    }
}
