// The rules, asked of the compiled module: a position goes into its memory, and comes out of it as bytes.
import { type Engine, packed } from '../../engine/engine'
import { SIZES, VIEW } from '../../engine/exports'
import { ACTIONS } from '../../wire/actions'
import type { Position } from '../../wire/attempt'
import type { Shown } from '../../wire/messages'
import type { Options, Reason, Rules, State } from './rules'

const SPECTATOR = -1
const UNKNOWN = -1
/** The stream of chance for what a seat can't know. */
const FITTING = 'fitting'
/** More than are ever due. */
const MOST_CARDS = 110

/** The view of a seat, as the module has it. */
export function viewOf({ shown, seat, hand }: Position): Uint8Array {
  return packed(VIEW, SIZES.View, { ...shown, viewer: seat, hand })
}

export function rulesFrom(engine: Engine): Rules {
  const { call } = engine
  const at = {
    state: engine.allocate('State'),
    view: engine.allocate('View'),
    rows: engine.allocate('Rows'),
    ids: engine.allocate('Ids'),
    hands: engine.allocate('Hands'),
    cards: engine.allocate('Cards', MOST_CARDS),
    answer: engine.allocate('Answer'),
    rng: engine.allocate('Rng'),
  }
  const put = (state: State) => engine.bytes('State', at.state).set(state)
  const taken = (): State => engine.bytes('State', at.state).slice()
  const refused = (reason: number, given = 0): Reason => engine.refusal(reason, at.answer, given)

  /** What a seat may know, or somebody who looks on, where the module has written it. */
  const look = (state: State, viewer: number) => {
    put(state)
    call.fill_view(at.state, viewer, at.view)
    return engine.read(VIEW, at.view)
  }

  const shown = (state: State): Shown => {
    const { viewer: _, hand: __, ...everybody } = look(state, SPECTATOR)
    const { players, hand_sizes, hand_dancers } = everybody
    return { ...everybody, hand_sizes: hand_sizes.slice(0, players), hand_dancers: hand_dancers.slice(0, players) }
  }

  /** Why these cards can't come; -1 where they have come. */
  const draw = (state: State, cards: readonly number[], promised: number): number => {
    put(state)
    const known = cards.slice(0, MOST_CARDS)
    engine.bytes('Cards', at.cards, MOST_CARDS).set(known)
    return call.try_draw(at.state, at.cards, known.length, promised, at.answer)
  }

  return {
    begin({ players, variant, rob, hands, spare, deal }: Options) {
      engine.bytes('Hands', at.hands).fill(0).set(deal)
      const [neutral, smuggle, seen, chosen] = [
        variant === 'neutral',
        rob === 'smuggle',
        hands === 'seen',
        spare === 'chosen',
      ].map(Number) as [number, number, number, number]
      call.new_game(at.state, players, neutral, smuggle, seen, chosen, at.hands)
      return taken()
    },
    legal(state) {
      put(state)
      call.legal_rows(at.state, at.rows)
      const count = call.legal_ids(at.rows, at.ids)
      return [...new Int16Array(call.memory.buffer, at.ids, ACTIONS.length).subarray(0, count)]
    },
    play(state, action) {
      put(state)
      call.play(at.state, action)
      return taken()
    },
    draw: (state, cards) => (draw(state, cards, UNKNOWN) < 0 ? taken() : null),
    deal(state, pick) {
      const { due } = look(state, SPECTATOR)
      const cards = Array.from({ length: due }, () => call.reveal_at(at.state, pick(call.refill(at.state))))
      call.settle(at.state)
      return { state: taken(), cards }
    },
    end(state, winner) {
      put(state)
      call.end_game(at.state, winner ?? -1)
      return taken()
    },
    fill(position) {
      engine.bytes('View', at.view).set(viewOf(position))
      engine.seed(at.rng, FITTING)
      call.determinize(at.view, at.rng, at.state)
      return taken()
    },
    shown,
    hand: (state, seat) => look(state, seat).hand,
    view(state, seat) {
      look(state, seat)
      return engine.bytes('View', at.view).slice()
    },
    refusal(state, action) {
      put(state)
      return refused(call.refusal(at.state, action, at.answer))
    },
    drawRefusal: (state, cards, promised) => refused(draw(state, cards, promised ?? UNKNOWN), cards.length),
  }
}
