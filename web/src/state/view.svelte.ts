// A position as it lies on the table, for whoever looks at it: a player, all around one screen, a phone, a replay.
import type { PalaceState, PlayerState } from '../board/model'
import { boardsOf, laid, palacesOf, pilesOf, steady, type Player } from '../board/position'
import type { Board } from '../device/settings.svelte'
import { OVER, THIEF_ACTIONS, type Shown } from '../wire/messages'
import type { Seat } from '../wire/names'

export abstract class View {
  abstract readonly shown: Shown
  /** Whose eyes it is seen with; null for somebody who watches. */
  abstract readonly seat: Seat | null
  abstract readonly players: readonly Player[]
  /** People who are connected. */
  abstract readonly present: readonly number[]
  /** How the palaces lie on this device. */
  abstract readonly board: Board
  /** What the order of loose palaces follows from: another for every game. */
  abstract readonly shuffledBy: string

  /** What a step leaves as it was stays the very same object. */
  #palacesBefore: PalaceState[] = []
  #boardsBefore: PlayerState[] = []

  readonly over = $derived.by(() => this.shown.phase === OVER)
  readonly names = $derived.by(() => this.players.map(({ name }) => name))
  readonly colours = $derived.by(() => this.players.map(({ colour }) => colour))
  readonly ring = $derived.by(() => this.board === 'ring')
  /** In the order of their letters. */
  readonly palaces = $derived.by(
    () => (this.#palacesBefore = steady(this.#palacesBefore, palacesOf(this.shown, this.seat))),
  )
  /** As they lie. */
  readonly laid = $derived.by(() => laid(this.palaces, this.board, this.shuffledBy))
  readonly boards = $derived.by(
    () => (this.#boardsBefore = steady(this.#boardsBefore, boardsOf(this.shown, this.players, this.present))),
  )
  readonly piles = $derived.by(() => pilesOf(this.shown))
  /** Lit for every action with a thief that is left in this turn. */
  readonly lanterns = $derived.by(() => THIEF_ACTIONS - this.shown.thief_actions)
}
