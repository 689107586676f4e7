// The games of one table, one after another: who won them, and how it stands between the players.
import { say } from '../i18n/say.svelte'
import { charactersOf, type Character } from '../wire/characters'
import type { PlayedGame } from '../wire/messages'
import { endInWords } from './ending'

/** By seat: as whom everybody played. */
export function charactersIn({ names, bots, colours }: PlayedGame): Character[] {
  return charactersOf(
    names.map((name, seat) => ({ ...(bots[seat] ? { level: bots[seat] } : { name }), colour: colours[seat]! })),
  )
}

/** The seats on which these people played. */
export function seatsOf({ people }: PlayedGame, these: readonly number[]): number[] {
  return people.flatMap((person, seat) => (person !== null && these.includes(person) ? [seat] : []))
}

/** How a game has ended, in a sentence. */
export function endOf(game: PlayedGame): string {
  if (game.state === 'playing') return say('games.playing')
  return endInWords(
    { ...game, winner: game.winner ?? null },
    charactersIn(game).map(({ name }) => name),
  )
}

/** Games won up to this one, by those who played it; none before there are two to count. */
export function totalOf(games: readonly PlayedGame[], number: number): { name: string; won: number }[] {
  const counted = games.filter((game) => game.number <= number && game.state === 'over')
  const last = counted.at(-1)
  if (counted.length < 2 || last?.number !== number) return []
  const keys = (game: PlayedGame) =>
    game.names.map((name, seat) => game.people[seat] ?? `${name} ${charactersIn(game)[seat]!.name}`)
  // Whoever gave up has won nothing, even if a bot won on that seat.
  const winners = counted.map((game) =>
    game.winner == null || game.resigned?.includes(game.winner) ? null : keys(game)[game.winner],
  )
  return keys(last).map((key, seat) => ({
    name: charactersIn(last)[seat]!.name,
    won: winners.filter((winner) => winner === key).length,
  }))
}
