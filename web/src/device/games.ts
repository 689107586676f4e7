// My games as a list: how each stands, in which order, and what the server says of them.
import { RefusedError, summaryOf } from '../net/api'
import { CHESTS_TO_WIN, DEALING, type Shown, type ShownTable, type Summary } from '../wire/messages'
import { note, type MyGame } from './tables.svelte'

/** How a game stands, in the order of the list. */
export const STANDINGS = ['yours', 'theirs', 'gathering', 'over', 'gone'] as const
export type Standing = (typeof STANDINGS)[number]
/** Requests at a time: a long list must not keep a game from its moves. */
const AT_A_TIME = 3
/** A finished game is asked for once more within this time: there may be a rematch. */
const FRESH = 24 * 3_600_000

export function standingOf({ summary, gone, over }: MyGame): Standing {
  if (gone) return 'gone'
  if (!summary) return over ? 'over' : 'theirs'
  if (summary.state !== 'playing') return summary.state
  // Where somebody has given up, a bot is on.
  const person =
    summary.turn == null || summary.resigned?.includes(summary.turn) ? null : summary.players[summary.turn]?.person
  return person != null && summary.people.includes(person) ? 'yours' : 'theirs'
}

/** When something last happened. */
export function lastOf({ summary, at }: MyGame): number {
  return summary?.at ?? at
}

/** Games that wait for me first, then the others; the latest first. */
export function inOrder(games: readonly MyGame[]): MyGame[] {
  const rank = (game: MyGame) => STANDINGS.indexOf(standingOf(game))
  return [...games].sort((a, b) => rank(a) - rank(b) || lastOf(b) - lastOf(a))
}

/** A summary of what this device sees of a table, without its time. */
export function summarise(table: ShownTable, seen: Shown | null, people: readonly number[]): Summary {
  // The last game may still be looked at while people gather for the next.
  const shown = table.state === 'gathering' ? null : seen
  const chairs = shown
    ? table.order.map((chair) => table.chairs[chair]!)
    : table.chairs.filter(({ kind }) => kind !== 'closed')
  const playing = shown !== null && table.state === 'playing' && shown.phase !== DEALING
  return {
    code: table.code,
    state: table.state,
    at: 0,
    games: table.games,
    people,
    players: chairs.map(({ colour, person, name, level }, seat) => ({
      colour,
      person: person ?? null,
      name: name ?? null,
      level: level ?? null,
      chests: shown?.loot[seat] ?? null,
    })),
    needed: CHESTS_TO_WIN[Math.max(2, chairs.length) as 2 | 3 | 4],
    turn: playing ? shown.seat : null,
    winner: shown && shown.winner >= 0 ? shown.winner : null,
    termination: shown ? (table.termination ?? null) : null,
    resigned: shown ? (table.resigned ?? []) : [],
  }
}

/** Asks the server how games stand; those that can't be reached stay as they were. */
export async function refresh(games: readonly MyGame[], first: boolean): Promise<void> {
  const now = Date.now()
  const waiting = games.filter(
    (game) => !game.gone && (game.summary?.state !== 'over' || (first && now - lastOf(game) < FRESH)),
  )
  const worker = async () => {
    for (let game = waiting.shift(); game; game = waiting.shift()) {
      try {
        note(game.code, { summary: await summaryOf(game.code) })
      } catch (error) {
        if (error instanceof RefusedError && error.status === 404) note(game.code, { gone: true })
        else return // no network, or too fast: next time
      }
    }
  }
  await Promise.all(Array.from({ length: AT_A_TIME }, worker))
}
