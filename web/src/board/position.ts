// A position of the wire as the components of the table are given it.
import type { Board, Settings } from '../device/settings.svelte'
import { charactersOf, type Character } from '../wire/characters'
import {
  CHESTS_TO_WIN,
  HEAVIEST_CHEST,
  NEUTRAL,
  OVER,
  PALACE_LETTERS,
  type Shown,
  type ShownTable,
} from '../wire/messages'
import { CARD_KINDS, PALACES, type CardKind, type Owner, type Palace, type Seat } from '../wire/names'
import type { PalaceState, PilesState, PlayerState } from './model'

export const SEATS: readonly Seat[] = [0, 1, 2, 3]

export function palacesOf(shown: Shown, seat: Seat | null): PalaceState[] {
  return PALACES.map((palace, place) => {
    const guards = shown.guards[place]!
    const left = shown.chests[place]!
    const foreign = foreignGuards(shown, palace, seat)
    return {
      palace,
      chests: Array.from({ length: left }, (_, n) => HEAVIEST_CHEST + 1 - left + n),
      guards: guards.flatMap((count, owner) => Array<Owner>(count).fill(owner === NEUTRAL ? 'n' : (owner as Seat))),
      thieves: shown.thieves[place]!,
      // The sign at the gate (R12): a card for each foreign guard, where one's own lets the thief in.
      price: seat !== null && guards[seat] && foreign ? foreign : null,
    }
  })
}

/** Palaces as they lie: row by row, or loose, and then in another order in every game, always the same one. */
export function laid<T>(palaces: readonly T[], board: Board, game: string): readonly T[] {
  return board === 'ring' ? looseOrder(game).map((place) => palaces[place]!) : palaces
}

function looseOrder(game: string): number[] {
  let chance = 0
  for (let n = 0; n < game.length; n++) chance = Math.imul(chance ^ game.charCodeAt(n), 16_777_619)
  const drawn = PALACES.map((_, place) => {
    chance = (Math.imul(chance, 1_664_525) + 1_013_904_223) | 0
    return { place, chance }
  })
  return drawn.sort((a, b) => a.chance - b.chance).map(({ place }) => place)
}

/** What is as it was before, as the very same object: then nothing of it is looked at again. */
export function steady<T>(before: readonly T[], now: readonly T[]): T[] {
  return now.map((each, n) => (JSON.stringify(each) === JSON.stringify(before[n]) ? before[n]! : each))
}

export function foreignGuards(shown: Shown, palace: Palace, seat: Seat | null): number {
  const guards = shown.guards[PALACE_LETTERS.indexOf(palace)]!
  return guards.reduce((sum, count, owner) => sum + (owner === seat ? 0 : count), 0)
}

/** Who could never rob again after one more thief in a palace, where only smuggled thieves rob (R27). */
export function strandedBy(shown: Shown, palace: Palace, seat: Seat): 'self' | 'all' | null {
  if (!shown.rob || shown.stock[seat] !== 1) return null
  const place = PALACE_LETTERS.indexOf(palace)
  const left = shown.chests[place]!
  if (left && shown.thieves[place]![seat]! + 1 >= HEAVIEST_CHEST + 1 - left) return null
  return shown.stock.reduce((sum, n) => sum + n, 0) === 1 ? 'all' : 'self'
}

export function handOf(counts: readonly number[] | undefined): Record<CardKind, number> {
  return Object.fromEntries(CARD_KINDS.map((kind, n) => [kind, counts?.[n] ?? 0])) as Record<CardKind, number>
}

/** How the own cards lie: palace by palace, those first of which there are most, or as the palaces lie. */
export function cardOrder(
  order: Settings['cards'],
  hand: Readonly<Record<CardKind, number>>,
  board: readonly Palace[],
): CardKind[] {
  const palaces = order === 'board' ? [...board] : [...PALACES]
  if (order === 'most') palaces.sort((a, b) => hand[b] - hand[a])
  return [...palaces, '*']
}

export function pilesOf(shown: Shown): PilesState {
  return { stack: shown.deck_size, discard: shown.discard.reduce((sum, n) => sum + n, 0), dancers: shown.dancers }
}

/** Who sits where: by seat, the name and the colour. */
export interface Player {
  seat: Seat
  name: string
  colour: Seat
  person: number | null
  /** The bot that decides, for good or while the player is absent. */
  bot: string | null
  absent: boolean
  /** Has given up: a bot plays on. */
  resigned?: boolean
  character: Character
}

export function playersOf(table: ShownTable): Player[] {
  const sitting = table.order.map((chair) => table.chairs[chair]!)
  const characters = charactersOf(sitting)
  return sitting.map((found, seat) => ({
    seat: seat as Seat,
    name: characters[seat]!.name,
    colour: found.colour as Seat,
    person: found.person ?? null,
    bot: found.stand_in ?? found.level ?? null,
    absent: !!found.stand_in && !table.resigned?.includes(seat),
    resigned: !!table.resigned?.includes(seat),
    character: characters[seat]!,
  }))
}

export function boardsOf(shown: Shown, players: readonly Player[], present: readonly number[]): PlayerState[] {
  return players.map(({ seat, name, colour, person, absent, resigned, character }) => ({
    seat,
    name,
    colour,
    character,
    chests: shown.loot[seat] ?? 0,
    needed: CHESTS_TO_WIN[shown.players as 2 | 3 | 4],
    stock: shown.stock[seat] ?? 0,
    cards: shown.hand_sizes[seat] ?? 0,
    dancers: shown.hand_dancers[seat] ?? 0,
    onTurn: shown.phase !== OVER && shown.seat === seat,
    away: !resigned && (absent || (person !== null && !present.includes(person))),
    resigned: resigned ?? false,
  }))
}
