// Made by tools/wasm_types.py from the module's functions; not to be edited.
/** The address of a thing in the module's memory. */
export type At<Name extends keyof typeof SIZES> = number & { readonly at: Name }

/** Where a field of a record lies. */
export interface Field {
  readonly offset: number
  readonly type: 'i1' | 'i2' | 'i4' | 'i8' | 'f4' | 'f8'
  readonly shape: readonly number[]
}

/** By name: bytes of one, or of an element where the caller says how many. */
export const SIZES = {"Answer": 8, "Cards": 1, "Hands": 4, "Ids": 750, "Mask": 375, "Observation": 155, "Rng": 32, "Rows": 104, "State": 140, "View": 124, "Words": 16} as const

/** The fields of a state. */
export const STATE = {
  guards: {"offset": 0, "type": "i1", "shape": [6, 5]},
  thieves: {"offset": 30, "type": "i1", "shape": [6, 4]},
  chests: {"offset": 54, "type": "i1", "shape": [6]},
  hands: {"offset": 60, "type": "i1", "shape": [4, 7]},
  deck: {"offset": 88, "type": "i1", "shape": [6]},
  discard: {"offset": 94, "type": "i1", "shape": [6]},
  dancers: {"offset": 100, "type": "i1", "shape": []},
  stock: {"offset": 101, "type": "i1", "shape": [4]},
  loot: {"offset": 105, "type": "i1", "shape": [4]},
  unplaced: {"offset": 109, "type": "i1", "shape": [4, 2]},
  players: {"offset": 117, "type": "i1", "shape": []},
  variant: {"offset": 118, "type": "i1", "shape": []},
  rob: {"offset": 119, "type": "i1", "shape": []},
  seen: {"offset": 120, "type": "i1", "shape": []},
  spare: {"offset": 121, "type": "i1", "shape": []},
  first_hands: {"offset": 122, "type": "i1", "shape": [4]},
  phase: {"offset": 126, "type": "i1", "shape": []},
  seat: {"offset": 127, "type": "i1", "shape": []},
  acted: {"offset": 128, "type": "i1", "shape": []},
  thief_actions: {"offset": 129, "type": "i1", "shape": []},
  due: {"offset": 130, "type": "i1", "shape": []},
  named: {"offset": 131, "type": "i1", "shape": []},
  idle: {"offset": 132, "type": "i1", "shape": []},
  winner: {"offset": 133, "type": "i1", "shape": []},
  filling: {"offset": 134, "type": "i1", "shape": [2]},
  turn: {"offset": 136, "type": "i4", "shape": []},
} as const satisfies Record<string, Field>

/** The fields of a view. */
export const VIEW = {
  guards: {"offset": 0, "type": "i1", "shape": [6, 5]},
  thieves: {"offset": 30, "type": "i1", "shape": [6, 4]},
  chests: {"offset": 54, "type": "i1", "shape": [6]},
  discard: {"offset": 60, "type": "i1", "shape": [6]},
  dancers: {"offset": 66, "type": "i1", "shape": []},
  stock: {"offset": 67, "type": "i1", "shape": [4]},
  loot: {"offset": 71, "type": "i1", "shape": [4]},
  unplaced: {"offset": 75, "type": "i1", "shape": [4, 2]},
  players: {"offset": 83, "type": "i1", "shape": []},
  variant: {"offset": 84, "type": "i1", "shape": []},
  rob: {"offset": 85, "type": "i1", "shape": []},
  seen: {"offset": 86, "type": "i1", "shape": []},
  spare: {"offset": 87, "type": "i1", "shape": []},
  first_hands: {"offset": 88, "type": "i1", "shape": [4]},
  phase: {"offset": 92, "type": "i1", "shape": []},
  seat: {"offset": 93, "type": "i1", "shape": []},
  acted: {"offset": 94, "type": "i1", "shape": []},
  thief_actions: {"offset": 95, "type": "i1", "shape": []},
  due: {"offset": 96, "type": "i1", "shape": []},
  named: {"offset": 97, "type": "i1", "shape": []},
  idle: {"offset": 98, "type": "i1", "shape": []},
  winner: {"offset": 99, "type": "i1", "shape": []},
  turn: {"offset": 100, "type": "i4", "shape": []},
  viewer: {"offset": 104, "type": "i1", "shape": []},
  hand: {"offset": 105, "type": "i1", "shape": [7]},
  hand_sizes: {"offset": 112, "type": "i1", "shape": [4]},
  hand_dancers: {"offset": 116, "type": "i1", "shape": [4]},
  deck_size: {"offset": 120, "type": "i1", "shape": []},
} as const satisfies Record<string, Field>

/** Why moves are refused: the key of the words, the rule, and what they name. */
export const REASONS: readonly { key: string; rule: string; names: readonly string[] }[] = [
  {"key": "over_won", "rule": "R21", "names": ["seat"]},
  {"key": "over_dead", "rule": "R27", "names": []},
  {"key": "over_stalemate", "rule": "R27", "names": []},
  {"key": "no_draw_due", "rule": "R6", "names": []},
  {"key": "no_draw_due", "rule": "R9", "names": []},
  {"key": "deal_first", "rule": "R7", "names": ["seat"]},
  {"key": "draw_first", "rule": "R22", "names": []},
  {"key": "draw_first", "rule": "R23", "names": []},
  {"key": "place_first", "rule": "R6", "names": []},
  {"key": "all_placed", "rule": "R6", "names": []},
  {"key": "nothing_done", "rule": "R23", "names": []},
  {"key": "something_done", "rule": "R22", "names": []},
  {"key": "supply_empty", "rule": "R23", "names": []},
  {"key": "name_by_stack", "rule": "R23", "names": []},
  {"key": "name_with_dancers", "rule": "R23", "names": []},
  {"key": "nothing_to_name", "rule": "R23", "names": []},
  {"key": "standard_variant", "rule": "R8", "names": []},
  {"key": "no_neutral_left", "rule": "R8", "names": []},
  {"key": "no_own_left", "rule": "R8", "names": []},
  {"key": "full", "rule": "R6", "names": ["palace"]},
  {"key": "three_thief_actions", "rule": "R11", "names": []},
  {"key": "no_neutral_guard", "rule": "R15", "names": ["palace"]},
  {"key": "no_foreign_guard", "rule": "R12", "names": ["palace"]},
  {"key": "no_thief_at_home", "rule": "R12", "names": []},
  {"key": "smuggle_cost", "rule": "R12", "names": ["palace", "n"]},
  {"key": "no_own_thief", "rule": "R14", "names": ["palace"]},
  {"key": "too_few_dancers", "rule": "R17", "names": ["n"]},
  {"key": "no_own_guard", "rule": "R12", "names": ["palace"]},
  {"key": "no_own_guard", "rule": "R13", "names": ["palace"]},
  {"key": "no_own_guard", "rule": "R14", "names": ["palace"]},
  {"key": "full", "rule": "R13", "names": ["palace"]},
  {"key": "full", "rule": "R14", "names": ["palace"]},
  {"key": "full", "rule": "R15", "names": ["palace"]},
  {"key": "too_few_cards", "rule": "R12", "names": ["palace", "n"]},
  {"key": "too_few_cards", "rule": "R13", "names": ["palace", "n"]},
  {"key": "too_few_cards", "rule": "R14", "names": ["palace", "n"]},
  {"key": "too_few_cards", "rule": "R15", "names": ["palace", "n"]},
  {"key": "dancer_drawn", "rule": "R2", "names": []},
  {"key": "cards_due", "rule": "R7", "names": ["n", "given"]},
  {"key": "cards_due", "rule": "R25", "names": ["n", "given"]},
  {"key": "cards_due", "rule": "R22", "names": ["n", "given"]},
  {"key": "cards_due", "rule": "R23", "names": ["n", "given"]},
  {"key": "named_first", "rule": "R23", "names": ["palace"]},
  {"key": "not_in_stack", "rule": "R24", "names": ["palace"]},
]

/** What can be wrong with a position that somebody brings. */
export const PARTS: readonly string[] = ["hands", "dancers", "guards", "thieves", "unplaced", "chests", "loot", "winner", "to_move", "turn", "acted", "due", "named"]

/** The functions of the module. */
export interface Exports {
  readonly memory: WebAssembly.Memory
  /** Where memory begins that no function uses by itself. */
  readonly __heap_base: WebAssembly.Global<'i32'>
  /** Lay out a game, before any guard is placed. Whatever the state was is forgotten. The options are numbers, as the state keeps them; `first_hands` by seat. */
  new_game(state: At<"State">, players: number, variant: number, rob: number, seen: number, spare: number, first_hands: At<"Hands">): void
  /** Make the target the same game as the source. */
  copy_state(source: At<"State">, target: At<"State">): void
  /** Write the legal actions as bits, for the next five functions. */
  legal_rows(state: At<"State">, rows: At<"Rows">): void
  /** How many actions are legal. */
  count_legal(rows: At<"Rows">): number
  /** The legal action with `n` others before it; `n` must be under their count. */
  nth_legal(rows: At<"Rows">, n: number): number
  /** Whether an action of the table is legal. */
  is_legal(rows: At<"Rows">, action: number): number
  /** Write the legal actions in ascending order; returns how many. */
  legal_ids(rows: At<"Rows">, ids: At<"Ids">): number
  /** Write 1 for each action that is legal, 0 for the others. */
  legal_mask(rows: At<"Rows">, mask: At<"Mask">): void
  /** Carry out a legal action: nothing here asks whether it is. */
  play(state: At<"State">, action: number): void
  /** Why an action that is not legal is refused: the number of a reason. A palace and a number go into `answer`, -1 where there is none. */
  refusal(state: At<"State">, action: number, answer: At<"Answer">): number
  /** Why an action of a kind, or cards (-1), can't come now, whatever its details; else -1. A number goes into the second place of `answer`. */
  wrong_moment(state: At<"State">, kind: number, answer: At<"Answer">): number
  /** Whose turn it is in a position that is brought, or who is dealt to; -1 if nobody can be. */
  seat_in_turn(state: At<"State">): number
  /** Which part of a position that is brought is wrong, as a place in `PARTS`; -1 if none is. */
  wrong_part(state: At<"State">): number
  /** End a game without a move (R28). The winner is a seat, or -1. */
  end_game(state: At<"State">, winner: number): void
  /** Play random steps, again from `start` after each end; returns how many games ended. */
  random_steps(state: At<"State">, start: At<"State">, rng: At<"Rng">, rows: At<"Rows">, steps: number): number
  /** Set a generator to four numbers of 32 bits: the first 16 bytes of a SHA-256. */
  set_seed(rng: At<"Rng">, words: At<"Words">): void
  /** A random number from 0 to `bound` - 1. */
  below(rng: At<"Rng">, bound: number): number
  /** Whether cards come next, and nobody has a choice. */
  awaits_chance(state: At<"State">): number
  /** Carry out the pending chance step with random cards. */
  deal(state: At<"State">, rng: At<"Rng">): void
  /** Carry out all chance steps up to the next decision or the end, with random cards. */
  deal_all(state: At<"State">, rng: At<"Rng">): void
  /** Carry out the pending chance step with these cards; returns -1. Where they can't come, returns why not, as `refusal` does, and leaves the state in the middle of it. `promised` is how many cards a full stack would have brought, -1 where that is not known. */
  try_draw(state: At<"State">, cards: At<"Cards">, count: number, promised: number, answer: At<"Answer">): number
  /** Before the first card of a chance step: make the stack anew if it is empty (R24). Returns how many cards it has. */
  refill(state: At<"State">): number
  /** Let the named card come, or the one with `n` others before it in the sorted stack. Returns the card. */
  reveal_at(state: At<"State">, n: number): number
  /** Let a random card come; returns the card. */
  reveal_any(state: At<"State">, rng: At<"Rng">): number
  /** After the last card of a chance step: the next seat is dealt to, places, or has its turn. */
  settle(state: At<"State">): void
  /** Write what a seat may know, or a spectator (-1). */
  fill_view(state: At<"State">, viewer: number, view: At<"View">): void
  /** Write a state that the view can't tell from the true one; unseen cards are random. */
  determinize(view: At<"View">, rng: At<"Rng">, state: At<"State">): void
  /** Write what a seat may know as a row of small numbers, for a network. */
  observe(state: At<"State">, observer: number, row: At<"Observation">): void
  /** Write what a seat may do now; nothing where it is not its turn. */
  write_mask(state: At<"State">, observer: number, rows: At<"Rows">, mask: At<"Mask">): void
}
