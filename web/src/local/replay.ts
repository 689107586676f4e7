// A game as the steps of a replay: what every token did, in words and on the table. As `replay/steps.py`.
import type { LogLine, Replay, Shown, Step } from '../wire/messages'
import { actionLine, dealtTo, drawn, ending, gaveUp, reshuffled, robbed, robberies, started } from './log'
import { cardsOf, Game, isChance } from './play/game'
import type { Rules } from './play/rules'
import { ACTION_OF } from './play/tokens'

/** All steps of a game, played once more from its beginning; `cut`: that its record stops, where it does. */
export function replayOf(
  rules: Rules,
  game: Game,
  headers: Readonly<Record<string, string>>,
  record: string,
  cut: LogLine | null = null,
): Replay {
  const { players } = game.options
  const again = Game.begin(rules, game.options).knowing(game.resigned)
  const seats = [...Array(players).keys()]
  return {
    names: namesIn(headers.Seats ?? '', players),
    colours: coloursIn(headers.Colours ?? '', players),
    headers,
    result: game.result,
    termination: game.termination,
    resigned: [...game.resigned.keys()].sort((a, b) => a - b),
    shown: again.shown,
    hands: seats.map((seat) => again.hand(seat)),
    steps: stepsOf(game, again),
    record,
    cut,
  }
}

function stepsOf(game: Game, again: Game): Step[] {
  const { players } = game.options
  const steps: Step[] = [{ lines: [started()] }]
  const resigned = [...game.resigned].sort(([a, m], [b, n]) => m - n || a - b)
  const given = (number: number): Step[] =>
    resigned.flatMap(([seat, before]) => (before === number ? [{ lines: [gaveUp(seat)], seat }] : []))
  let dealt = 0
  const { tokens } = game
  for (const [number, token] of tokens.entries()) {
    steps.push(...given(number))
    const before = again
    // A hand is dealt to every seat in turn (R7); later the seat that ends a turn draws.
    const dealing = isChance(token) && dealt < players
    const seat = dealing ? dealt : before.shown.seat
    dealt += Number(dealing)
    again = isChance(token) ? again.draw(cardsOf(token)) : again.play(token)
    steps.push(stepOf(before, again, token, seat, dealing))
  }
  steps.push(...given(tokens.length))
  if (game.termination !== null) {
    const changed = changes(again.shown, game.shown)
    steps.push({
      lines: ending(game),
      ...(game.winner === null ? {} : { seat: game.winner }),
      ...(Object.keys(changed).length ? { changed } : {}),
    })
  }
  return steps
}

/** What one token did. `dealing`: with cards of a first hand. */
export function stepOf(then: Game, now: Game, token: string, seat: number, dealing = false): Step {
  const [before, after] = [then.shown, now.shown]
  const hand = now.hand(seat)
  const lines = isChance(token) ? came(seat, token, dealing, before, after) : decided(seat, token, before, after)
  const action = ACTION_OF.get(token)
  const changed = changes(before, after)
  const taken = robbed(before.chests, after.chests)
  const told = [...lines, ...(now.over ? ending(now) : [])]
  return {
    token,
    ...(told.length ? { lines: told } : {}),
    seat,
    ...(action === undefined ? {} : { action }),
    ...(isChance(token) && token.length > 1 ? { cards: token.slice(1) } : {}),
    ...(taken.length ? { robbed: taken } : {}),
    ...(hand.join() === then.hand(seat).join() ? {} : { hand }),
    ...(Object.keys(changed).length ? { changed } : {}),
  }
}

function changes(before: Shown, after: Shown): Record<string, unknown> {
  const was = before as unknown as Record<string, unknown>
  return Object.fromEntries(
    Object.entries(after).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(was[name])),
  )
}

/** How many cards a seat gets, not which ones: other seats may not know. */
function came(seat: number, token: string, dealing: boolean, before: Shown, after: Shown): LogLine[] {
  const n = token.length - 1
  return dealing ? [dealtTo(seat, n)] : [drawn(seat, n), ...reshuffled(before.discard, after.discard)]
}

function decided(seat: number, token: string, before: Shown, after: Shown): LogLine[] {
  return [actionLine(seat, ACTION_OF.get(token)!, after.due), ...robberies(seat, before.chests, after.chests)]
}

/** Who played, by seat. A name with a comma in it can't be told apart: then nobody is named. */
export function namesIn(header: string, players: number): string[] {
  const names = header.split(',').map((name) => name.trim())
  return names.length === players && names.every(Boolean) ? names : []
}

/** What the seats' pieces wear; each seat its own colour where the record does not say. */
export function coloursIn(header: string, players: number): number[] {
  const given = header.split(',').map((part) => part.trim())
  const colours = given.map((part) => Number(part) - 1)
  const possible = given.every((part) => /^[1-4]$/.test(part)) && new Set(colours).size === players
  return possible && colours.length === players ? colours : [...Array(players).keys()]
}
