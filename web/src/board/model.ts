// What the components of the table are given and what they report. They know no rule: whoever uses them
// says what can be acted on, what lights up and what it costs.
import type { Character } from '../wire/characters'
import type { CardKind, Owner, Palace, Seat } from '../wire/names'

export interface PalaceState {
  palace: Palace
  /** The numbers of the chests left, the top one first. */
  chests: readonly number[]
  /** Who stands on the guard fields, in order; at most four. */
  guards: readonly Owner[]
  /** Thieves in the courtyard, by seat. */
  thieves: readonly number[]
  /** Cards that smuggling one thief costs the viewer now; null where it can't be done. */
  price: number | null
}

export interface PlayerState {
  seat: Seat
  name: string
  /** What the pieces wear; a player may choose another than the seat's own. */
  colour: Seat
  /** Whose face it is. */
  character: Character
  chests: number
  needed: number
  /** Thieves in stock. */
  stock: number
  /** All cards in hand, dancers included. */
  cards: number
  dancers: number
  onTurn: boolean
  /** Not connected just now. */
  away?: boolean
  /** Has given up; a bot plays on. */
  resigned?: boolean
}

export interface PilesState {
  stack: number
  discard: number
  dancers: number
}

/** What a person pointed at. */
export type Point =
  | { kind: 'palace'; palace: Palace }
  | { kind: 'guard'; palace: Palace; owner: Owner }
  | { kind: 'thief'; palace: Palace; seat: Seat }
  | { kind: 'stock' }
  | { kind: 'card'; card: CardKind }

/** What is new in front of a palace: how many more stand there (or fewer, below 0), and who has robbed it. */
export interface PalaceNews {
  guards: Readonly<Partial<Record<Owner, number>>>
  thieves: Readonly<Partial<Record<Seat, number>>>
  robbed: readonly Seat[]
}

export type News = Readonly<Partial<Record<Palace, PalaceNews>>>

/** What an action would do that is only looked at. */
export interface Preview {
  from: Palace | null
  to: Palace | null
  /** Keys of the pieces that it moves. */
  pieces: ReadonlySet<string>
}

/** A palace that lights up: what pointing at it does, and the cards that it will cost. */
export interface Target {
  says: string
  price: readonly CardKind[]
}

export type Targets = Readonly<Partial<Record<Palace, Target>>>

/** A way to end the turn, and what it draws. */
export interface End {
  /** One of its own on the table. */
  id: string
  /** Its number in the action table; none where a palace has to be named first. */
  action: number | null
  cards: number
  dancer: boolean
  /** The palace of which a card is asked for; `naming` where it is still to be chosen. */
  named?: Palace | null
  naming?: boolean
}

/** One name for each thing that can be pointed at, for sets and comparisons. */
export function keyOf(point: Point): string {
  switch (point.kind) {
    case 'palace':
      return `palace ${point.palace}`
    case 'guard':
      return `guard ${point.palace} ${point.owner}`
    case 'thief':
      return `thief ${point.palace} ${point.seat}`
    case 'card':
      return `card ${point.card}`
    default:
      return point.kind
  }
}
