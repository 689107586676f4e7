// A made-up position in the middle of a game of four, as seat 1 sees it.
import type { PalaceState, PlayerState, Targets } from '../src/board/model'
import type { CardKind, Palace, Seat } from '../src/wire/names'

export const NAMES = ['Amira', 'Benedikt', 'Chidi', 'Dorotheia']

export const PALACE_STATES: PalaceState[] = [
  { palace: 'R', chests: [5, 6, 7], guards: [0, 2, 'n'], thieves: [3, 0, 1, 0], price: 2 },
  { palace: 'G', chests: [4, 5, 6, 7], guards: ['n', 1], thieves: [0, 2, 0, 0], price: null },
  { palace: 'W', chests: [7], guards: [0, 1, 3, 'n'], thieves: [6, 1, 4, 2], price: 3 },
  { palace: 'P', chests: [], guards: [3], thieves: [0, 0, 2, 0], price: null },
  { palace: 'Y', chests: [6, 7], guards: ['n', 'n', 2, 1], thieves: [1, 5, 0, 3], price: null },
  { palace: 'B', chests: [4, 5, 6, 7], guards: [], thieves: [0, 0, 0, 0], price: null },
]

export const PLAYERS: PlayerState[] = NAMES.map((name, seat) => ({
  seat: seat as Seat,
  name,
  colour: seat as Seat,
  character: { name, level: [null, 'kasim', 'ali', 'dalila'][seat]!, nth: 0 },
  chests: [2, 1, 3, 0][seat]!,
  needed: 4,
  stock: [2, 4, 5, 7][seat]!,
  cards: [11, 7, 4, 14][seat]!,
  dancers: [2, 0, 1, 3][seat]!,
  onTurn: seat === 0,
  away: seat === 3,
}))

export const HAND: Record<CardKind, number> = { R: 3, G: 1, W: 0, P: 2, Y: 1, B: 2, '*': 2 }

const price = (letters: string): CardKind[] => [...letters] as CardKind[]
export const TARGETS: Targets = Object.fromEntries(
  (['G', 'P', 'B'] as Palace[]).map((to) => [to, { says: `Move your guard to ${to}`, price: price('R') }]),
)

export const LOG = [
  'Benedikt moves a guard from white to yellow and takes a thief along.',
  'Benedikt ends the turn and draws three cards.',
  'Chidi smuggles a thief into white for three cards.',
  'Chidi robs purple: the chest with 7.',
  'Dorotheia takes no action, takes a dancer and draws three cards.',
]
