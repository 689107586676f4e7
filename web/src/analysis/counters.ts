// One worker that looks through a game: begun, listened to, ended.
import { part } from '../net/parts'
import CountingWorker from './countingWorker?worker'
import type { FromCounter, ToCounter } from './messages'
import type { ChancesTold } from './moments'

/** Looks through a finished game. Returns what stops it. */
export function chancesOfGame(record: string, told: ChancesTold): () => void {
  let worker: Worker | null = null
  let stopped = false
  const stop = () => {
    stopped = true
    worker?.terminate()
  }
  const fail = (why: unknown) => {
    if (stopped) return
    stop()
    told.failed(why)
  }
  const heard = (message: FromCounter) => {
    if (stopped) return
    switch (message.type) {
      case 'moments':
        return told.moments(message.moments)
      case 'progress':
        return told.progress?.(message.done, message.all)
      case 'ledger':
        return told.ledger(message.ledger)
      case 'done':
        stop()
        return told.done()
      case 'failed':
        return fail(message.why)
    }
  }
  const begin = async () => {
    const parts = [part('engine'), part('network'), part('open'), part('eyes')] as const
    const [engine, network, open, eyes] = await Promise.all(parts)
    if (stopped) return
    worker = new CountingWorker()
    worker.onmessage = ({ data }: MessageEvent<FromCounter>) => heard(data)
    worker.onerror = (event) => fail(event.message)
    worker.postMessage({ engine, networks: { open, eyes, network }, record } satisfies ToCounter)
  }
  void begin().catch(fail)
  return stop
}
