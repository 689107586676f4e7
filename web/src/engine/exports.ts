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
export const SIZES = {"Actions": 256, "Answer": 8, "Cards": 1, "Halves": 2, "Hands": 4, "Ids": 750, "Judgement": 200, "Kinds": 1, "Level": 720, "Mask": 375, "Mind": 3889320, "Observation": 155, "Oracle": 6219104, "Played": 2, "Points": 20, "Reason": 32, "Rng": 32, "Robs": 1, "Rows": 104, "Starts": 232, "State": 140, "Step": 56, "Told": 80, "Turn": 48, "Values": 8, "View": 124, "Words": 16} as const

/** The fields of a judgement. */
export const JUDGEMENT = {
  asked: {"offset": 0, "type": "i2", "shape": [24]},
  rival: {"offset": 48, "type": "i2", "shape": [24]},
  gain: {"offset": 96, "type": "f8", "shape": [3]},
  asked_chance: {"offset": 120, "type": "f8", "shape": [3]},
  rival_chance: {"offset": 144, "type": "f8", "shape": [3]},
  spread: {"offset": 168, "type": "f8", "shape": []},
  candidates: {"offset": 176, "type": "i4", "shape": []},
  deals: {"offset": 180, "type": "i4", "shape": []},
  simulations: {"offset": 184, "type": "i4", "shape": []},
  mark: {"offset": 188, "type": "i4", "shape": []},
  better: {"offset": 192, "type": "i4", "shape": []},
  choice: {"offset": 196, "type": "i4", "shape": []},
} as const satisfies Record<string, Field>

/** The fields of a level. */
export const LEVEL = {
  kind: {"offset": 0, "type": "i4", "shape": []},
  width: {"offset": 4, "type": "i4", "shape": []},
  patience: {"offset": 8, "type": "i4", "shape": []},
  most_actions: {"offset": 12, "type": "i4", "shape": []},
  forgets: {"offset": 16, "type": "i4", "shape": []},
  max_candidates: {"offset": 20, "type": "i4", "shape": []},
  rollout_width: {"offset": 24, "type": "i4", "shape": []},
  rounds: {"offset": 28, "type": "i4", "shape": []},
  tactics: {"offset": 32, "type": "i4", "shape": []},
  max_simulations: {"offset": 36, "type": "i4", "shape": []},
  num_samples: {"offset": 40, "type": "i4", "shape": []},
  num_limits: {"offset": 44, "type": "i4", "shape": []},
  temperature: {"offset": 48, "type": "f8", "shape": []},
  max_temperature: {"offset": 56, "type": "f8", "shape": []},
  prior_weight: {"offset": 64, "type": "f8", "shape": []},
  params: {"offset": 72, "type": "f8", "shape": [17]},
  limits: {"offset": 208, "type": "i2", "shape": [64, 4]},
} as const satisfies Record<string, Field>

/** The fields of a reason. */
export const REASON = {
  kind: {"offset": 0, "type": "i1", "shape": []},
  palace: {"offset": 1, "type": "i1", "shape": []},
  seat: {"offset": 2, "type": "i1", "shape": []},
  n: {"offset": 3, "type": "i1", "shape": []},
  number: {"offset": 4, "type": "i1", "shape": []},
  margin: {"offset": 8, "type": "f8", "shape": []},
  loses: {"offset": 16, "type": "f8", "shape": []},
  changes: {"offset": 24, "type": "f8", "shape": []},
} as const satisfies Record<string, Field>

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

/** The fields of a step. */
export const STEP = {
  kind: {"offset": 0, "type": "i4", "shape": []},
  seat: {"offset": 4, "type": "i4", "shape": []},
  at: {"offset": 8, "type": "i4", "shape": []},
  until: {"offset": 12, "type": "i4", "shape": []},
  worth: {"offset": 16, "type": "f8", "shape": [5]},
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

/** The opponents for people, the weakest first: the bytes of a `Level`, two digits each. */
export const LEVELS: Readonly<Record<string, string>> = {
  maruf: "0200000001000000000000001000000032000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000002d431cebe236ea3f16fbcbeec9c3f63f9b559fabadd8cf3f54e3a59bc420d83f068195438bec0140cba145b6f3fde83f75931804560eed3fb81e85eb51b89e3f2d431cebe236ea3f44696ff085c9f33f20d26f5f07ce793f4182e2c798bb96bfcceec9c342adc13f9a9999999999b93f0000000000000000226c787aa52cb33f9a9999999999a93f0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
  hindbad: "0100000001000000000000000200000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000002d431cebe236ea3f16fbcbeec9c3f63f9b559fabadd8cf3f54e3a59bc420d83f068195438bec0140cba145b6f3fde83f75931804560eed3f9a9999999999a93f2d431cebe236ea3f44696ff085c9f33f20d26f5f07ce793f4182e2c798bb96bfcceec9c342adc13fa4703d0ad7a3c03f000000000000d03f226c787aa52cb33f9a9999999999a93f0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
  alnaschar: "0200000001000000000000001000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000002d431cebe236ea3f16fbcbeec9c3f63f9b559fabadd8cf3f54e3a59bc420d83f068195438bec0140cba145b6f3fde83f75931804560eed3f9a9999999999a93f2d431cebe236ea3f44696ff085c9f33f20d26f5f07ce793f4182e2c798bb96bfcceec9c342adc13fa4703d0ad7a3c03f000000000000d03f226c787aa52cb33f9a9999999999a93f0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
  khalifa: "0100000001000000000000000300000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000002d431cebe236ea3f16fbcbeec9c3f63f000000000000000054e3a59bc420d83f068195438bec0140cba145b6f3fde83f75931804560eed3fb81e85eb51b89e3f2d431cebe236ea3f44696ff085c9f33f20d26f5f07ce793f4182e2c798bb96bfcceec9c342adc13f9a9999999999b93f0000000000000000226c787aa52cb33f9a9999999999a93f0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
  kasim: "0100000001000000000000000300000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000002d431cebe236ea3f16fbcbeec9c3f63f9b559fabadd8cf3f54e3a59bc420d83f068195438bec0140cba145b6f3fde83f75931804560eed3fadfa5c6dc5feb23f2d431cebe236ea3f44696ff085c9f33f20d26f5f07ce793f4182e2c798bb96bfcceec9c342adc13f90a0f831e6aec53f9a9999999999d93f226c787aa52cb33f9a9999999999a93f0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
  ali: "0100000002000000000000001000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000002d431cebe236ea3f16fbcbeec9c3f63f9b559fabadd8cf3f54e3a59bc420d83f068195438bec0140cba145b6f3fde83f75931804560eed3fadfa5c6dc5feb23f2d431cebe236ea3f44696ff085c9f33f20d26f5f07ce793f4182e2c798bb96bfcceec9c342adc13f90a0f831e6aec53f9a9999999999d93f226c787aa52cb33f9a9999999999a93f0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
  zubaida: "0100000001000000020000001000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000002d431cebe236ea3f16fbcbeec9c3f63f9b559fabadd8cf3f54e3a59bc420d83f068195438bec0140cba145b6f3fde83f75931804560eed3fadfa5c6dc5feb23f2d431cebe236ea3f44696ff085c9f33f20d26f5f07ce793f4182e2c798bb96bfcceec9c342adc13f90a0f831e6aec53fcdcccccccccce43f226c787aa52cb33f9a9999999999a93f0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
  morgiana: "0100000020000000040000001000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000002d431cebe236ea3f16fbcbeec9c3f63f9b559fabadd8cf3f54e3a59bc420d83f068195438bec0140cba145b6f3fde83f75931804560eed3fadfa5c6dc5feb23f2d431cebe236ea3f44696ff085c9f33f20d26f5f07ce793f4182e2c798bb96bfcceec9c342adc13f90a0f831e6aec53f000000000000f03f226c787aa52cb33f9a9999999999a93f0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
  jafar: "04000000000000000000000000000000000000000000000000000000000000000000000000000000000000001b0000000000000000000000000000000000000000000000000000002d431cebe236ea3f16fbcbeec9c3f63f9b559fabadd8cf3f54e3a59bc420d83f068195438bec0140cba145b6f3fde83f75931804560eed3fadfa5c6dc5feb23f2d431cebe236ea3f44696ff085c9f33f20d26f5f07ce793f4182e2c798bb96bfcceec9c342adc13f90a0f831e6aec53f000000000000f03f226c787aa52cb33f9a9999999999a93f65006300060006006e006c0006000600770075000600060066006300000000006f006c0000000000780075000000000007006300000001001600630000000100250063000000010034006300000001004300630000000100520063000000010008006c000000010017006c000000010026006c000000010035006c000000010044006c000000010053006c0000000100090075000000010018007500000001002700750000000100360075000000010045007500000001005400750000000100670063000500050070006c000500050079007500050005000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
  dalila: "0400000000000000000000000000000000000000000000000000000000000000000000000000000000000000060000000000000000000000000000000000000000000000000000002d431cebe236ea3f16fbcbeec9c3f63f9b559fabadd8cf3f54e3a59bc420d83f068195438bec0140cba145b6f3fde83f75931804560eed3fadfa5c6dc5feb23f2d431cebe236ea3f44696ff085c9f33f20d26f5f07ce793f4182e2c798bb96bfcceec9c342adc13f90a0f831e6aec53f000000000000f03f226c787aa52cb33f9a9999999999a93f65006300060006006e006c0006000600770075000600060066006300000000006f006c000000000078007500000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
  duban: "0400000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000002d431cebe236ea3f16fbcbeec9c3f63f9b559fabadd8cf3f54e3a59bc420d83f068195438bec0140cba145b6f3fde83f75931804560eed3fadfa5c6dc5feb23f2d431cebe236ea3f44696ff085c9f33f20d26f5f07ce793f4182e2c798bb96bfcceec9c342adc13f90a0f831e6aec53f000000000000f03f226c787aa52cb33f9a9999999999a93f0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
  scheherazade: "05000000000000000000000000000000000000002000000000000000000000000000000000000000c00000000000000000000000000000000000000000000840fca9f1d24d62703f2d431cebe236ea3f16fbcbeec9c3f63f9b559fabadd8cf3f54e3a59bc420d83f068195438bec0140cba145b6f3fde83f75931804560eed3fadfa5c6dc5feb23f2d431cebe236ea3f44696ff085c9f33f20d26f5f07ce793f4182e2c798bb96bfcceec9c342adc13f90a0f831e6aec53f000000000000f03f226c787aa52cb33f9a9999999999a93f0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
}

/** Those of them that play by the network. */
export const LEARNED: readonly string[] = ["jafar", "dalila", "duban", "scheherazade"]

/** A bot agrees to end a game when its chance is under this (R28). */
export const ACCEPT_BELOW = 0.03

/** The arrays of a network, in the order in which their places are told. */
export const ARRAYS: readonly string[] = [
  "palace_in.weight",
  "table_in.weight",
  "palace_norm.weight",
  "table_norm.weight",
  "leaving.weight",
  "entering.weight",
  "of_palace.weight",
  "of_pair.weight",
  "of_table.weight",
  "outcome.weight",
  "blocks.0.palace_norm.weight",
  "blocks.0.table_norm.weight",
  "blocks.0.table_hears.weight",
  "blocks.0.table_out.weight",
  "blocks.0.palace_hears.weight",
  "blocks.0.palace_is_told.weight",
  "blocks.0.palace_out.weight",
  "blocks.1.palace_norm.weight",
  "blocks.1.table_norm.weight",
  "blocks.1.table_hears.weight",
  "blocks.1.table_out.weight",
  "blocks.1.palace_hears.weight",
  "blocks.1.palace_is_told.weight",
  "blocks.1.palace_out.weight",
  "blocks.2.palace_norm.weight",
  "blocks.2.table_norm.weight",
  "blocks.2.table_hears.weight",
  "blocks.2.table_out.weight",
  "blocks.2.palace_hears.weight",
  "blocks.2.palace_is_told.weight",
  "blocks.2.palace_out.weight",
  "palace_in.bias",
  "table_in.bias",
  "palace_norm.bias",
  "table_norm.bias",
  "leaving.bias",
  "of_palace.bias",
  "of_pair.bias",
  "of_table.bias",
  "outcome.bias",
  "blocks.0.palace_norm.bias",
  "blocks.0.table_norm.bias",
  "blocks.0.table_hears.bias",
  "blocks.0.table_out.bias",
  "blocks.0.palace_hears.bias",
  "blocks.0.palace_out.bias",
  "blocks.1.palace_norm.bias",
  "blocks.1.table_norm.bias",
  "blocks.1.table_hears.bias",
  "blocks.1.table_out.bias",
  "blocks.1.palace_hears.bias",
  "blocks.1.palace_out.bias",
  "blocks.2.palace_norm.bias",
  "blocks.2.table_norm.bias",
  "blocks.2.table_hears.bias",
  "blocks.2.table_out.bias",
  "blocks.2.palace_hears.bias",
  "blocks.2.palace_out.bias",
]

/** Those of a network that says who wins. */
export const VALUE_ARRAYS: readonly string[] = [
  "palace_in.weight",
  "table_in.weight",
  "palace_norm.weight",
  "table_norm.weight",
  "outcome.weight",
  "blocks.0.palace_norm.weight",
  "blocks.0.table_norm.weight",
  "blocks.0.table_hears.weight",
  "blocks.0.table_out.weight",
  "blocks.0.palace_hears.weight",
  "blocks.0.palace_is_told.weight",
  "blocks.0.palace_out.weight",
  "blocks.1.palace_norm.weight",
  "blocks.1.table_norm.weight",
  "blocks.1.table_hears.weight",
  "blocks.1.table_out.weight",
  "blocks.1.palace_hears.weight",
  "blocks.1.palace_is_told.weight",
  "blocks.1.palace_out.weight",
  "blocks.2.palace_norm.weight",
  "blocks.2.table_norm.weight",
  "blocks.2.table_hears.weight",
  "blocks.2.table_out.weight",
  "blocks.2.palace_hears.weight",
  "blocks.2.palace_is_told.weight",
  "blocks.2.palace_out.weight",
  "palace_in.bias",
  "table_in.bias",
  "palace_norm.bias",
  "table_norm.bias",
  "outcome.bias",
  "blocks.0.palace_norm.bias",
  "blocks.0.table_norm.bias",
  "blocks.0.table_hears.bias",
  "blocks.0.table_out.bias",
  "blocks.0.palace_hears.bias",
  "blocks.0.palace_out.bias",
  "blocks.1.palace_norm.bias",
  "blocks.1.table_norm.bias",
  "blocks.1.table_hears.bias",
  "blocks.1.table_out.bias",
  "blocks.1.palace_hears.bias",
  "blocks.1.palace_out.bias",
  "blocks.2.palace_norm.bias",
  "blocks.2.table_norm.bias",
  "blocks.2.table_hears.bias",
  "blocks.2.table_out.bias",
  "blocks.2.palace_hears.bias",
  "blocks.2.palace_out.bias",
]

/** Kinds of networks that an oracle has, by what they see; the last one plays. */
export const ORACLE = ["eyes", "open", "network"] as const

/** Kinds of steps of a game. */
export const DECIDED = 0, DRAWN = 1, ENDED = 2

/** How a turn is marked. */
export const MARKS = ["best", "fine", "inaccuracy", "mistake", "blunder", "unclear"] as const

/** Points from which on a turn has the marks between the first and the last. */
export const THRESHOLDS = [2.0, 5.0, 10.0, 20.0] as const

/** What a fact is of. */
export const FACTS = ["win", "ready", "threat", "dear", "cheap", "dancer", "gone", "hand"] as const

/** What a hint begins with, the strongest first. */
export const NUDGES = ["win", "rob", "hand", "carry", "neutral", "guard", "smuggle", "place_mine", "place_crowded", "place_empty", "look"] as const

/** Turns that the policy is asked for, as a rule. */
export const SAMPLES = 192

/** Reasons that are named, at most. */
export const MOST_REASONS = 2

/** A robbery is so often the palace, and the number on the chest. */
export const ROBBED_AT = 8

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
  /** Give a mind its network: numbers of half precision, as `neural.bin` has them after its first line, where each array of `ARRAYS` begins among them, and the version of the observation that it reads. Returns whether they fit. */
  set_network(mind: At<"Mind">, halves: At<"Halves">, count: number, starts: At<"Starts">, version: number): number
  /** Start to decide for the view's seat; time or simulations under 0 are not limited. The view stays as it is until the decision is there; `rng` is its only chance. */
  begin_decision(mind: At<"Mind">, view: At<"View">, level: At<"Level">, seconds: number, simulations: number, rng: At<"Rng">): void
  /** Start to ask how likely the view's seat thinks that it is to win, whoever's turn it is. */
  begin_chance(mind: At<"Mind">, view: At<"View">, level: At<"Level">, rng: At<"Rng">): void
  /** Go on for some milliseconds with what was begun `now` seconds ago; returns 1 as long as there is more to do, then 0. */
  advance(mind: At<"Mind">, view: At<"View">, level: At<"Level">, now: number, rng: At<"Rng">): number
  /** Write the actions that were decided on, to be played one after another; returns how many. */
  decision(mind: At<"Mind">, actions: At<"Actions">): number
  /** How likely the seat thinks that it is to win. A bot agrees to end a game below 0.03 (R28). */
  chance(mind: At<"Mind">): number
  /** Start to judge a turn of the view's seat, with its end and -1 after it, or to look for the best one where there is none. The policy is asked for so many turns, and simulations are limited by the budget. All that is given is copied; the network of the mind has to be set. */
  begin_judgement(mind: At<"Mind">, view: At<"View">, played: At<"Turn">, samples: number, budget: number, rng: At<"Rng">): void
  /** Start to weigh the facts that speak for the best turn and not for the other; one without actions does no more. */
  begin_explanation(mind: At<"Mind">, view: At<"View">, best: At<"Turn">, other: At<"Turn">, rng: At<"Rng">): void
  /** Go on for some milliseconds with what was begun; returns 1 as long as there is more to do, then 0. */
  advance_analysis(mind: At<"Mind">): number
  /** Write what was judged. */
  judgement(mind: At<"Mind">, told: At<"Judgement">): void
  /** What draws attention to the best turn without giving it away, after a judgement: a place in `NUDGES`. */
  nudge(mind: At<"Mind">, best: At<"Turn">): number
  /** Write the facts on which most of what was explained hangs, the strongest first; returns how many. */
  reasons(mind: At<"Mind">, told: At<"Reason">): number
  /** Write what each action of a turn carries off: 8 times the palace and the number on its chest, or -1; returns how many chests it takes. */
  robberies(mind: At<"Mind">, view: At<"View">, played: At<"Played">, count: number, robs: At<"Robs">): number
  /** Give an oracle one of its networks, as `set_network` does: 0 sees what one seat does, 1 all hands, 2 is that of a mind. Where an array begins that the network does not have is not read. Returns whether they fit. */
  set_oracle_network(oracle: At<"Oracle">, kind: number, halves: At<"Halves">, count: number, starts: At<"Starts">, version: number): number
  /** Write who wins from a position: by seat and nobody, with all hands open, then each seat's own chance as it sees it. Chance is needed where some seats have their first hands already. */
  look_at(oracle: At<"Oracle">, state: At<"State">, rng: At<"Rng">, told: At<"Told">): void
  /** Start to look at cards: the position before they came, and after. */
  begin_draw(oracle: At<"Oracle">, before: At<"State">, came: At<"State">, rng: At<"Rng">): void
  /** Go on for some milliseconds; returns 1 as long as there is more to do, then 0. */
  advance_draw(oracle: At<"Oracle">): number
  /** Write what the position was worth before the cards came, by seat and nobody; and after. */
  draw_worth(oracle: At<"Oracle">, told: At<"Told">): void
  /** Write what each draw, and each seat's decisions in between, were worth: `values` has five numbers a moment, of one moment more than there are tokens; a kind is 0 for a decision, 1 for cards, 2 for an end without a move. Returns how many steps there are. */
  write_steps(values: At<"Values">, numbers: number, kinds: At<"Kinds">, seats: At<"Kinds">, count: number, steps: At<"Step">): number
  /** Write which steps are turning points, the largest first; returns how many. */
  find_turning_points(steps: At<"Step">, count: number, points: At<"Points">): number
}
