// The analyst thinks in a thread of its own: the page answers meanwhile, and one that is not wanted any more is ended.
import { Analyst } from '../engine/analyst'
import { Engine } from '../engine/engine'
import { load } from '../local/play/loading'
import { rulesFrom } from '../local/play/module'
import { readRecords } from '../local/play/reading'
import type { Rules } from '../local/play/rules'
import { hinted, reviewed } from './judging'
import type { FromAnalyst, ToAnalyst } from './messages'
import { turnsOf } from './turns'

/** There from the first message on. */
let analyst: Analyst
let rules: Rules

const tell = (message: FromAnalyst) => postMessage(message)

addEventListener('message', ({ data }: MessageEvent<ToAnalyst>) => {
  void answer(data).then(tell, (error: unknown) => tell({ type: 'failed', why: String(error) }))
})

async function answer(message: ToAnalyst): Promise<FromAnalyst> {
  switch (message.type) {
    case 'begin': {
      const engine = await Engine.load(message.engine)
      rules = rulesFrom(engine)
      analyst = new Analyst(engine)
      analyst.learn(message.network)
      return { type: 'begin' }
    }
    case 'turns': {
      const { game } = load(rules, readRecords(message.record)[0]!)
      // Nobody is to look into a game that others still play.
      if (!game.over) throw new Error('only a finished game is reviewed: this one still goes on')
      return { type: 'turns', turns: turnsOf(rules, game, message.seats) }
    }
    case 'review':
      return { type: 'review', review: reviewed(analyst, message.turn, message, message.final) }
    case 'hint':
      return { type: 'hint', hint: hinted(analyst, message.view, message) }
  }
}
