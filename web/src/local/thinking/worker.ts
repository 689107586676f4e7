// Bots think in a thread of their own: tables answer meanwhile, and one that hangs is ended with its thread.
import { Engine } from '../../engine/engine'
import { Mind } from '../../engine/mind'
import type { FromThinker, ToThinker } from './messages'

/** There from the first message on. */
let mind: Mind | null = null

const tell = (message: FromThinker) => postMessage(message)

addEventListener('message', ({ data }: MessageEvent<ToThinker>) => {
  void answer(data).then(tell, (error: unknown) => tell({ type: 'failed', why: String(error) }))
})

async function answer(message: ToThinker): Promise<FromThinker> {
  if (message.type === 'engine') mind = new Mind(await Engine.load(message.bytes))
  else if (message.type === 'network') mind!.learn(message.bytes)
  else {
    const { level, view, stream, end, seconds } = message
    const reply = end ? [Number(mind!.agrees(level, view, stream))] : mind!.decide(level, view, stream, seconds)
    return { type: 'thought', reply }
  }
  return { type: 'ready' }
}
