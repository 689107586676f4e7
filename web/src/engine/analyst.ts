// The analyst, compiled from the same source as `baghdad.analysis`: it is told what a seat knows, and nothing else.
import { sha256 } from '../wire/sha256'
import type { Engine, Read } from './engine'
import { type At, FACTS, JUDGEMENT, MARKS, MOST_REASONS, NUDGES, REASON, ROBBED_AT, SAMPLES, SIZES } from './exports'
import { learn } from './network'

/** How a turn is marked, by the points that it surely gave up; unclear where that can't be told. */
export type Mark = (typeof MARKS)[number]
export type FactKind = (typeof FACTS)[number]
/** What the first step of a hint draws attention to. */
export type Nudge = (typeof NUDGES)[number]

/** A mean over deals, and the bounds in which it lies 19 times in 20. */
export interface Estimate {
  mean: number
  low: number
  high: number
}

/** A turn beside another. Turns are actions by their numbers, with their ends. */
export interface Judgement {
  /** The turn that was asked about; where none was, the best one that was found. */
  asked: number[]
  /** The best of all others, or the same where there is no other. */
  rival: number[]
  /** Points that the rival wins more; a point is a hundredth of the chance to win. */
  gain: Estimate
  /** To win after each of them. */
  askedChance: Estimate
  rivalChance: Estimate
  /** Turns with different ends that were tried, and deals in which the two have met. */
  candidates: number
  deals: number
  /** Of the asked turn. */
  mark: Mark
  /** Whether the rival is better, as far as is known. */
  better: boolean
  /** Whether there was a choice. */
  real: boolean
}

/** A fact of a position on which an advice hangs: see `KINDS` of `analysis.engine.facts`. */
export interface Reason {
  kind: FactKind
  /** Of a palace and of a rival, from 0; null where it is not about one. */
  palace: number | null
  seat: number | null
  /** Thieves that are missing, cards that can still come, or cards in the hand. */
  n: number
  /** On the chest. */
  number: number
  /** Points by which the better turn is ahead, and how many of these are gone without the fact. */
  margin: number
  loses: number
}

/** How deep a turn is looked into: simulations, at most, and turns that the policy is asked for. */
export interface Depth {
  budget: number
  samples?: number
}

/** A chest that is taken: the palace, and the number on it. */
export type Robbery = readonly [palace: number, number: number] | null

export class Analyst {
  readonly #engine: Engine
  readonly #mind: At<'Mind'>
  readonly #view: At<'View'>
  readonly #turns: readonly [At<'Turn'>, At<'Turn'>]
  readonly #rng: At<'Rng'>
  readonly #judgement: At<'Judgement'>
  readonly #reasons: At<'Reason'>
  /** For a turn of any length: how long it may be, and what it robs. */
  #played: { room: number; turn: At<'Played'>; robs: At<'Robs'> } | null = null

  constructor(engine: Engine) {
    this.#engine = engine
    this.#mind = engine.allocate('Mind')
    this.#view = engine.allocate('View')
    this.#turns = [engine.allocate('Turn'), engine.allocate('Turn')]
    this.#rng = engine.allocate('Rng')
    this.#judgement = engine.allocate('Judgement')
    this.#reasons = engine.allocate('Reason', MOST_REASONS)
  }

  /** Takes the network in that judges. Throws where the file has none for this module. */
  learn(file: ArrayBuffer): void {
    learn(this.#engine, this.#mind, file)
  }

  /** Judges a whole turn, or looks for the best one where it is empty. `stream`: its chance. */
  judge(view: Uint8Array, turn: readonly number[], stream: string, { budget, samples = SAMPLES }: Depth): Judgement {
    const { call } = this.#engine
    this.#put(view, turn)
    this.#engine.seed(this.#rng, stream)
    call.begin_judgement(this.#mind, this.#view, this.#turns[0], samples, budget, this.#rng)
    this.#goOn()
    call.judgement(this.#mind, this.#judgement)
    const told = this.#engine.read(JUDGEMENT, this.#judgement)
    return {
      asked: turnOf(told.asked),
      rival: turnOf(told.rival),
      gain: estimateOf(told.gain),
      askedChance: estimateOf(told.asked_chance),
      rivalChance: estimateOf(told.rival_chance),
      candidates: told.candidates,
      deals: told.deals,
      mark: MARKS[told.mark]!,
      better: !!told.better,
      real: !!told.choice,
    }
  }

  /** What draws attention to the best turn without giving it away, after it was looked for. */
  nudge(view: Uint8Array, best: readonly number[]): Nudge {
    this.#put(view, best)
    return NUDGES[this.#engine.call.nudge(this.#mind, this.#turns[0])]!
  }

  /** Why one turn is better than another, or than doing no more where that is empty; the strongest reason first. */
  explain(view: Uint8Array, best: readonly number[], other: readonly number[], stream: string): Reason[] {
    const { call } = this.#engine
    this.#put(view, best, other)
    this.#engine.seed(this.#rng, stream)
    call.begin_explanation(this.#mind, this.#view, ...this.#turns, this.#rng)
    this.#goOn()
    const count = call.reasons(this.#mind, this.#reasons)
    return Array.from({ length: count }, (_, place) =>
      reasonOf(this.#engine.read(REASON, this.#reasons + place * SIZES.Reason)),
    )
  }

  /** What each action of a turn carries off. */
  robberies(view: Uint8Array, turn: readonly number[]): Robbery[] {
    const engine = this.#engine
    const count = turn.length
    if (!this.#played || this.#played.room < count)
      this.#played = { room: count, turn: engine.allocate('Played', count), robs: engine.allocate('Robs', count) }
    const { turn: played, robs } = this.#played
    engine.bytes('View', this.#view).set(view)
    new Int16Array(engine.call.memory.buffer, played, count).set(turn)
    engine.call.robberies(this.#mind, this.#view, played, count, robs)
    return [...new Int8Array(engine.call.memory.buffer, robs, count)].map((rob) =>
      rob < 0 ? null : [Math.floor(rob / ROBBED_AT), rob % ROBBED_AT],
    )
  }

  #put(view: Uint8Array, ...turns: readonly (readonly number[])[]): void {
    const engine = this.#engine
    engine.bytes('View', this.#view).set(view)
    for (const [place, turn] of turns.entries())
      new Int16Array(engine.call.memory.buffer, this.#turns[place], LONGEST_TURN).fill(-1).set(turn)
  }

  #goOn(): void {
    while (this.#engine.call.advance_analysis(this.#mind));
  }
}

/** Actions that a turn may have that is judged, its end included. */
export const LONGEST_TURN = SIZES.Turn / 2

/** By what a seat knows, as text: what is judged by it follows from it. */
export const knownBy = (view: Uint8Array): string => sha256(view)

const turnOf = (actions: readonly number[]) => actions.filter((action) => action >= 0)

const estimateOf = ([mean, low, high]: readonly number[]): Estimate => ({ mean: mean!, low: low!, high: high! })

function reasonOf({ kind, palace, seat, n, number, margin, loses }: Read<typeof REASON>): Reason {
  const about = (place: number) => (place < 0 ? null : place)
  return { kind: FACTS[kind]!, palace: about(palace), seat: about(seat), n, number, margin, loses }
}
