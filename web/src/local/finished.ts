// Games of a table that are over: the record has everything, the rest is what lists of games show.
import { headersOf } from './play/fair'
import type { PlayedGame, PlayedGames } from '../wire/messages'
import { RefusedError } from './refusals'
import type { FinishedGame, Table } from './table'

/** All games that are over, this one included. */
export function finished(table: Table): readonly FinishedGame[] {
  const { game, players } = table
  if (!game?.over) return table.past
  const now: FinishedGame = {
    number: table.games,
    players,
    loot: game.loot,
    winner: game.winner,
    ended: table.onSince,
    record: game.record(headersFor(table)),
    termination: game.termination,
    resigned: table.resigned,
  }
  return [...table.past, now]
}

function headersFor(table: Table): [string, string][] {
  const { players } = table
  return [
    ['Event', `Baghdad ${table.code}`],
    ['Date', new Date(table.onSince).toISOString().slice(0, 10)],
    ['Seats', players.names.join(', ')],
    ['Colours', players.colours.map((colour) => colour + 1).join(', ')],
    ...(table.agreement.teaching ? [['Teaching', 'yes'] as [string, string]] : []),
    ...(table.unproved ? [] : headersOf(table.seed, table.pledges)),
  ]
}

/** The game as it stands, with all cards and what the next ones follow from: for whoever takes it along. */
export function savedGame(table: Table): string {
  const { game, players } = table
  if (!game) throw new RefusedError('not_begun')
  const bots = players.bots.map((level) => level ?? '-').join(', ')
  return game.record([...headersFor(table), ['Bots', bots]])
}

/** A finished game, by its number or the latest one. Before the end there is none: it would tell the hands. */
export function finishedGame(table: Table, number: number | null): FinishedGame {
  const games = finished(table)
  if (number !== null && (number < 1 || number > table.games)) throw new RefusedError('no_game', null, { number })
  const found = number === null ? games.at(-1) : games[number - 1]
  if (!found) throw new RefusedError('not_over')
  return found
}

/** All games of a table. */
export function playedGames(table: Table): PlayedGames {
  const games: PlayedGame[] = finished(table).map((game) => ({
    number: game.number,
    state: 'over',
    ...game.players,
    loot: game.loot,
    winner: game.winner,
    ended: game.ended,
    termination: game.termination,
    resigned: game.resigned,
    lent: [],
  }))
  if (table.playing)
    games.push({
      number: table.games,
      state: 'playing',
      ...table.players,
      loot: table.game!.loot,
      winner: null,
      ended: null,
      termination: null,
      resigned: table.resigned,
      lent: [],
    })
  return { games }
}
