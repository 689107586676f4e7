// A game that is played, taken back and written down, as `rules/game.py` keeps it. What may happen and what comes of it
// the rules say; here is the memory of it. A game is never changed: whatever happens makes the next one.
import { ACTIONS } from '../../wire/actions'
import {
  CARDS_AFTER_ACTIONS,
  CARDS_AFTER_NONE,
  CARD_LETTERS,
  OVER,
  PLACING,
  TURN,
  type Shown,
} from '../../wire/messages'
import { endsWith, endingHeaders, overBy, type Resigned, type Termination } from './ending'
import { MoveError, refusedBy } from './errors'
import { writeRecord } from './record'
import type { Options, Rules, State } from './rules'
import { kindOf, readToken, tokenOf } from './tokens'

/** Who moves when cards are dealt or drawn. */
export const CHANCE = 4
/** Why an action is refused whatever it is, because it is not the moment for it. */
const WRONG_MOMENT = /^over_|^(deal|draw|place)_first$|^all_placed$/

/** A move that was played, and the position before it. */
interface Past {
  token: string
  state: State
  before: Past | null
}

interface Kept {
  rules: Rules
  options: Options
  state: State
  past: Past | null
  /** Palace cards dealt and drawn so far. */
  revealed: number
  termination: Termination | null
  resigned: Resigned
}

export class Game {
  readonly #kept: Kept
  #shown: Shown | undefined
  #legal: readonly number[] | undefined

  private constructor(kept: Kept) {
    this.#kept = kept
  }

  static begin(rules: Rules, options: Options): Game {
    return Game.at(rules, options, rules.begin(options))
  }

  /** On from a position; what was before it is not known. */
  static at(rules: Rules, options: Options, state: State): Game {
    return new Game({ rules, options, state, past: null, revealed: 0, termination: null, resigned: new Map() })
  }

  #with(change: Partial<Kept>): Game {
    return new Game({ ...this.#kept, ...change })
  }

  // Looking

  get options(): Options {
    return this.#kept.options
  }

  get state(): State {
    return this.#kept.state
  }

  get termination(): Termination | null {
    return this.#kept.termination
  }

  get resigned(): Resigned {
    return this.#kept.resigned
  }

  get revealed(): number {
    return this.#kept.revealed
  }

  /** What everybody at the table sees. */
  get shown(): Shown {
    return (this.#shown ??= this.#kept.rules.shown(this.#kept.state))
  }

  /** The seat that decides, chance, or null when the game is over. */
  get toMove(): number | null {
    const { phase, seat } = this.shown
    if (phase === OVER) return null
    return phase === PLACING || phase === TURN ? seat : CHANCE
  }

  get over(): boolean {
    return this.shown.phase === OVER
  }

  get winner(): number | null {
    return this.shown.winner < 0 ? null : this.shown.winner
  }

  /** Turns that are finished. */
  get turns(): number {
    return this.shown.turn
  }

  /** By seat: chests taken. */
  get loot(): readonly number[] {
    return this.shown.loot.slice(0, this.options.players)
  }

  get acted(): boolean {
    return !!this.shown.acted
  }

  get placing(): boolean {
    return this.shown.phase === PLACING
  }

  get legal(): readonly number[] {
    return (this.#legal ??= this.#kept.rules.legal(this.#kept.state))
  }

  hand(seat: number): readonly number[] {
    return this.#kept.rules.hand(this.#kept.state, seat)
  }

  /** What a bot on that seat is given. */
  view(seat: number): Uint8Array {
    return this.#kept.rules.view(this.#kept.state, seat)
  }

  /** All that was played, decisions and chance. */
  get tokens(): readonly string[] {
    const tokens: string[] = []
    for (let past = this.#kept.past; past; past = past.before) tokens.push(past.token)
    return tokens.reverse()
  }

  // Playing

  /** A seat's action by its number, or what somebody has typed as a token. Throws a `MoveError`. */
  play(move: number | string, seat: number | null = null): Game {
    const { rules, state } = this.#kept
    const read = this.#read(move)
    this.#mustGoOn()
    if (typeof read !== 'number') {
      if (seat !== null) throw new MoveError('cards_by_chance', 'R24')
      return this.draw(read)
    }
    const toMove = this.toMove
    if (seat !== null && toMove !== seat && toMove !== CHANCE && toMove !== null)
      throw new MoveError('not_your_turn', 'R5', { seat: toMove + 1 })
    if (!this.legal.includes(read)) throw refusedBy(rules.refusal(state, read))
    const past = { token: ACTIONS[read]!.token, state, before: this.#kept.past }
    return this.#with({ state: rules.play(state, read), past })
  }

  /** These cards come at the pending chance step. */
  draw(cards: readonly number[]): Game {
    this.#mustGoOn()
    const { rules, state, past, revealed } = this.#kept
    const after = rules.draw(state, cards)
    if (!after) throw refusedBy(rules.drawRefusal(state, cards, promisedBy(past?.token)))
    return this.#with({
      state: after,
      past: { token: tokenOf(cards), state, before: past },
      revealed: revealed + cards.length,
    })
  }

  /** The pending chance step; `pick` chooses among so many cards of the stack, after so many others. */
  deal(pick: (revealed: number, stack: number) => number): { game: Game; token: string } {
    const { rules, state, past, revealed } = this.#kept
    let drawn = revealed
    const dealt = rules.deal(state, (stack) => pick(drawn++, stack))
    const token = tokenOf(dealt.cards)
    const game = this.#with({ state: dealt.state, past: { token, state, before: past }, revealed: drawn })
    return { game, token }
  }

  /** Without the last move. */
  undo(): Game {
    const { past, revealed, resigned } = this.#kept
    if (!past) throw new MoveError('nothing_to_undo')
    const left = this.tokens.length - 1
    return this.#with({
      state: past.state,
      past: past.before,
      revealed: revealed - (past.token.startsWith('=') ? past.token.length - 1 : 0),
      termination: null,
      resigned: new Map([...resigned].map(([seat, number]) => [seat, Math.min(number, left)])),
    })
  }

  /** A seat's player gives up (R28). With two players the other has won; with more the seat is played on. */
  giveUp(seat: number): Game {
    const { options, resigned } = this.#kept
    const after = this.#with({ resigned: new Map([...resigned, [seat, this.tokens.length]]) })
    return endsWith(options.players, after.resigned) === null ? after : after.end('resigned')
  }

  /** The same, where it is known already who will have given up, and when: for a game that is played once more. */
  knowing(resigned: Resigned): Game {
    return this.#with({ resigned })
  }

  /** Over without a move. */
  end(how: Termination): Game {
    const { rules, options, resigned, state } = this.#kept
    const loser = how === 'resigned' && options.players === 2 ? [...resigned.keys()][0]! : null
    return this.#with({ termination: how, state: rules.end(state, loser === null ? null : 1 - loser) })
  }

  // Writing down

  /** As in the record: a seat from 1, `-` where nobody has won, `*` unfinished. */
  get result(): string {
    if (this.winner !== null) return String(this.winner + 1)
    return this.over ? '-' : '*'
  }

  /** The game as text, complete with its chance. */
  record(headers: readonly (readonly [string, string])[]): string {
    const told = [...endingHeaders(this.termination, this.resigned), ...headers]
    return writeRecord(this.options, this.result, told, this.tokens)
  }

  // Inside

  #read(move: number | string): number | number[] {
    if (typeof move === 'string') {
      try {
        return readToken(move)
      } catch (error) {
        if (error instanceof MoveError && 'illegal' in error) throw this.#wrongMoment(kindOf(move)) ?? error
        throw error
      }
    }
    if (!Number.isInteger(move) || move < 0 || move >= ACTIONS.length)
      throw new MoveError('no_action', null, { number: move, last: ACTIONS.length - 1 })
    return move
  }

  /** Why an action of a kind can't come now, whatever its details: the first thing that the rules look at. */
  #wrongMoment(kind: string): MoveError | null {
    const any = ACTIONS.find((action) => action.kind === kind)!.number
    const reason = this.#kept.rules.refusal(this.#kept.state, any)
    return WRONG_MOMENT.test(reason.key) ? refusedBy(reason) : null
  }

  #mustGoOn(): void {
    if (this.termination !== null) throw overBy(this.termination, this.winner)
  }
}

/** Cards that the end of the turn would bring from a full stack (R22, R23). */
function promisedBy(token: string | undefined): number | null {
  const action = ACTIONS.find((each) => each.token === token)
  if (!action?.ends) return null
  if (action.kind === 'end') return CARDS_AFTER_ACTIONS
  return action.takes === '*' ? CARDS_AFTER_NONE - 1 : CARDS_AFTER_NONE
}

/** The letters of the cards of a token of chance, as places in the catalogue of cards. */
export const cardsOf = (token: string): number[] => [...token.slice(1)].map((letter) => CARD_LETTERS.indexOf(letter))

export const isChance = (token: string): boolean => token.startsWith('=')
