// What the page is told of the chances in a game, and of its luck.

/** A moment of a game: the position after so many tokens. */
export interface Moment {
  /** Tokens of the record before it. */
  at: number
  /** With all hands open: a chance to win by seat, for four of them, and that nobody wins. */
  open: readonly number[]
  /** By seat: its chance as it saw it. */
  eyes: readonly number[]
}

/** Cards that came, dealt or drawn. */
export interface Draw {
  /** Tokens before them. */
  at: number
  /** Who got them. */
  seat: number
  /** What they were worth to each seat, and to nobody: how far the chances moved from what any cards bring. */
  worth: readonly number[]
}

/** What one seat decided between two draws. */
export interface Part {
  /** Tokens before the first decision. */
  at: number
  /** Tokens after the last one. */
  until: number
  seat: number
  worth: readonly number[]
}

/** Chances at the start, draws and turns add up to the result. */
export interface Ledger {
  start: readonly number[]
  draws: readonly Draw[]
  turns: readonly Part[]
  result: readonly number[]
}

export interface GameChances {
  moments: readonly Moment[]
  /** Comes after the moments. */
  ledger: Ledger | null
}

export interface ChancesTold {
  /** Some more moments, in their order. */
  moments(more: readonly Moment[]): void
  ledger(ledger: Ledger): void
  /** Draws that were weighed, of how many. */
  progress?(done: number, all: number): void
  done(): void
  failed(why: unknown): void
}
