// A table on the screen: the position that is looked at, and what is said above it.
import { say } from '../i18n/say.svelte'
import { CARD_LETTERS } from '../wire/messages'
import type { CardKind, Seat } from '../wire/names'
import { endingOf, endInWords } from './ending'
import { saidBy } from './log'
import { discardedBy, lastPaid } from './news'
import type { TableStore } from './table.svelte'
import { View } from './view.svelte'

export class TableView extends View {
  readonly store: TableStore
  /** The result is above the table. */
  result = $state(false)
  readonly #seated: boolean
  #announced = false

  /** `seated`: with the eyes of whoever sits here; else as everybody may see it. */
  constructor(store: TableStore, seated = true) {
    super()
    this.store = store
    this.#seated = seated
    // Once: answers that come later leave it open, or closed.
    $effect(() => {
      const over = store.table?.state === 'over'
      if (!over) this.#announced = this.result = false
      // Whoever has left is on the way out.
      else if (store.still && !this.#announced && !store.leaving) this.#announced = this.result = true
    })
  }

  get shown() {
    return this.store.past?.position.shown ?? this.store.shown!
  }
  get seat() {
    return this.#seated ? ((this.store.own?.seat ?? null) as Seat | null) : null
  }
  get players() {
    return this.store.players
  }
  get present() {
    return this.store.present
  }
  get board() {
    return this.store.board
  }
  get shuffledBy() {
    return this.store.table?.promise ?? ''
  }

  /** What others changed, marked until one acts; an earlier position has no marks. */
  readonly news = $derived.by(() => (this.store.past || this.over ? {} : this.store.news))
  /** What others have paid with last. */
  readonly paid = $derived.by(() => (this.store.past ? [] : lastPaid(this.store.others)))
  /** The card that was put on the discard pile last, or any that lies there. */
  readonly discarded = $derived.by(() => {
    const last = this.store.log.findLast(({ action }) => action != null && discardedBy(action))
    return last
      ? discardedBy(last.action!)
      : (CARD_LETTERS[this.shown.discard.findIndex(Boolean)] as CardKind | undefined)
  })
  /** The colour of whose turn it is, if anybody's. */
  readonly turnColour = $derived.by(() =>
    this.over || this.store.awaited ? null : (this.colours[this.shown.seat] ?? null),
  )

  /** Whose turn it is, or how the game has ended. `own`: the seat of whoever is told of the end as "you". */
  title(mine: boolean, own: Seat | null = null): string {
    const { past, table, awaited } = this.store
    if (past) return say('past.title')
    if (this.over) return endInWords(endingOf(table!, this.shown), this.names, own)
    if (awaited) return say('deal.waits')
    return mine ? say('turn.yours') : say('turn.of', { name: this.names[this.shown.seat] ?? '' })
  }

  /** What a player says just now. */
  says(seat: Seat): ReturnType<typeof saidBy> {
    return saidBy(this.store.speech.get(this.store.players[seat]?.person ?? -1))
  }
}
