// A game is looked through in a thread of its own: what is known already is told meanwhile.
import { Engine } from '../engine/engine'
import { Oracle } from '../engine/oracle'
import { load } from '../local/play/loading'
import { rulesFrom } from '../local/play/module'
import { readRecords } from '../local/play/reading'
import { count } from './counting'
import type { FromCounter, ToCounter } from './messages'

const tell = (message: FromCounter) => postMessage(message)

addEventListener('message', ({ data }: MessageEvent<ToCounter>) => {
  void look(data).catch((error: unknown) => tell({ type: 'failed', why: String(error) }))
})

async function look({ engine: module, networks, record }: ToCounter): Promise<void> {
  const engine = await Engine.load(module)
  const rules = rulesFrom(engine)
  const oracle = new Oracle(engine)
  oracle.learn(networks)
  const { game } = load(rules, readRecords(record)[0]!)
  // Nobody is to look into a game that others still play.
  if (!game.over) throw new Error('only a finished game is looked through: this one still goes on')
  count(rules, oracle, game, {
    moments: (moments) => tell({ type: 'moments', moments }),
    progress: (done, all) => tell({ type: 'progress', done, all }),
    ledger: (ledger) => tell({ type: 'ledger', ledger }),
    done: () => tell({ type: 'done' }),
  })
}
