// What a decision needs besides the table, and what it comes to.
import type { Game } from './play/game'
import type { Rules } from './play/rules'
import type { Event } from './events'

/** What is not the table's own: the rules, chance, and the bots that exist. */
export interface World {
  rules: Rules
  newSeed(): string
  /** A fair number below a bound, for the start player. */
  pick(bound: number): number
  levels: readonly string[]
  now(): number
}

/** The event, and the game after it where it was played already. */
export interface Outcome {
  event: Event
  game?: Game
}
