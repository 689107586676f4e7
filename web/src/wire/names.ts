// Who is who on the table: palaces by letter, seats from 0 in the order of play.
export const PALACES = ['R', 'G', 'W', 'P', 'Y', 'B'] as const
export type Palace = (typeof PALACES)[number]
export type Seat = 0 | 1 | 2 | 3
/** Who a guard belongs to: a seat, or nobody. */
export type Owner = Seat | 'n'
/** A palace card, or `*`, a dancer. */
export type CardKind = Palace | '*'
export const CARD_KINDS: readonly CardKind[] = [...PALACES, '*']
export type Emote = 'hello' | 'wow' | 'laugh' | 'sad' | 'think' | 'cheer' | 'thanks' | 'hurry'
