// What the rules are asked: all of it is answered by compiled Python, nothing of it by this page.
import type { Position } from '../../wire/attempt'
import type { Shown } from '../../wire/messages'

/** A whole position, hidden cards and all: bytes that only the rules read. */
export type State = Uint8Array

/** What is agreed on before a game begins. */
export interface Options {
  players: number
  variant: 'standard' | 'neutral'
  rob: 'arrival' | 'smuggle'
  hands: 'hidden' | 'seen'
  spare: 'stack' | 'chosen'
  /** Cards of the first hands, by seat (R7). */
  deal: readonly number[]
  rulebook: string | null
}

/** Why something is refused: a message of the catalogue, the rule behind it, and what it speaks of. */
export interface Reason {
  key: string
  rule: string | null
  values: Record<string, string | number>
}

export interface Rules {
  /** The position before the first guard is placed. */
  begin(options: Options): State
  /** The legal actions, ascending; none at a chance step and after the end. */
  legal(state: State): number[]
  /** The position after a legal action. */
  play(state: State, action: number): State
  /** The pending chance step with cards that are known; null where they can't come. */
  draw(state: State, cards: readonly number[]): State | null
  /** The pending chance step; `pick` chooses the place of a card in the sorted stack of so many. */
  deal(state: State, pick: (stack: number) => number): { state: State; cards: number[] }
  /** The game over without a move; a seat that has won, or none. */
  end(state: State, winner: number | null): State
  /** A position that fits what a seat knows; what it can't know lies there by chance, always the same. */
  fill(position: Position): State
  /** What everybody at the table sees. */
  shown(state: State): Shown
  /** A seat's own cards: nobody else may know them. */
  hand(state: State, seat: number): number[]
  /** What a bot on that seat is given. */
  view(state: State, seat: number): Uint8Array
  /** Why an action that is not legal is refused. */
  refusal(state: State, action: number): Reason
  /** Why these cards can't come now; `promised`: how many the end of the turn would bring from a full stack. */
  drawRefusal(state: State, cards: readonly number[], promised: number | null): Reason
}
