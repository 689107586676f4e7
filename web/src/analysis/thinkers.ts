// Workers of the analyst: begun, given what they need, asked, ended.
import { part } from '../net/parts'
import type { AnswerTo, Ask, FromAnalyst, ToAnalyst } from './messages'
import AnalystWorker from './worker?worker'

export class Thinkers {
  readonly #parts = Promise.all([part('engine'), part('network')])
  readonly #workers: Worker[] = []
  stopped = false

  /** One more, as soon as it can be asked. */
  async begin(): Promise<Ask> {
    const [engine, network] = await this.#parts
    const worker = new AnalystWorker()
    if (this.stopped) worker.terminate()
    this.#workers.push(worker)
    const ask: Ask = (question) => exchange(worker, question)
    await ask({ type: 'begin', engine, network })
    return ask
  }

  /** Ends them all; what was asked has no answer. */
  stop(): void {
    this.stopped = true
    for (const worker of this.#workers) worker.terminate()
  }
}

function exchange<Question extends ToAnalyst>(worker: Worker, question: Question): Promise<AnswerTo<Question>> {
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<FromAnalyst>) => {
      if (data.type === 'failed') reject(new Error(data.why))
      else resolve(data as AnswerTo<Question>)
    }
    worker.onerror = (event) => reject(new Error(event.message))
    worker.postMessage(question)
  })
}
