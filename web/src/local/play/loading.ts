// From a record to the game that it tells, every move checked. As `Game.from_record` and `rules/ending.conclude`.
import { ACTIONS } from '../../wire/actions'
import { endsWith } from './ending'
import { MoveError } from './errors'
import { Game } from './game'
import { OPTIONAL, RecordError, REQUIRED, type GameRecord, type Token } from './reading'
import type { Rules } from './rules'
import { ACTION_OF } from './tokens'

/** What a record told as far as it goes: its game, its free headers, and that it stops early. */
export interface Loaded {
  game: Game
  headers: Record<string, string>
  /** The whole text again, as we write it. */
  record: string
  cut: RecordError | null
}

/** Throws a `RecordError` where the record tells what can't have been. */
export function load(rules: Rules, record: GameRecord): Loaded {
  let game = Game.begin(rules, record.options)
  let cut: RecordError | null = null
  for (const token of record.tokens) {
    try {
      game = game.play(token.text)
    } catch (error) {
      if (!(error instanceof MoveError)) throw error
      const few = error.reason.key === 'refusal.cards_due' && token.text.length <= game.shown.due
      if (token === record.tokens.at(-1) && (few || isBeginning(token.text))) {
        cut = new RecordError(token, 'cut_token')
        break
      }
      throw new RecordError(token, '', {}, error)
    }
  }
  if (!cut) ({ game, cut } = conclude(game, record))
  const known = [...REQUIRED, ...OPTIONAL, 'Termination', 'Resigned']
  const headers = [...record.headers].filter(([name]) => !known.includes(name))
  return { game, headers: Object.fromEntries(headers), record: game.record(headers), cut }
}

/** Whether a text is not a token but the beginning of one: a record may have been cut there. */
function isBeginning(text: string): boolean {
  return !ACTION_OF.has(text) && ACTIONS.some(({ token }) => token.startsWith(text))
}

/** Ends a game as its record does, after all tokens were played; throws what contradicts. */
function conclude(game: Game, record: GameRecord): { game: Game; cut: RecordError | null } {
  const { tokens, places, resigned, termination, options } = record
  const result = record.headers.get('Result')!
  const gave = places.get('Resigned')!
  const end = endsWith(options.players, resigned)
  if (end !== null && end < tokens.length) throw new RecordError(tokens[end]!, 'after_resigning')
  // The first has ended it.
  if (options.players === 2 && resigned.size === 2) throw new RecordError(gave, 'resigned_both')
  for (const [seat, number] of resigned) {
    if (number < tokens.length || (number === tokens.length && !game.over)) {
      game = game.knowing(new Map([...game.resigned, [seat, number]]))
      continue
    }
    if (game.over) throw new RecordError(gave, 'resigned_after', { seat: seat + 1 })
    return { game, cut: new RecordError(gave, 'cut_resigned', { seat: seat + 1, number: number + 1 }) }
  }
  const check = (key: string) => {
    if (result !== game.result) throw new RecordError(places.get('Result')!, key, { result: game.result })
  }
  if (game.over) {
    if (termination) throw new RecordError(places.get('Termination')!, 'ended_by_moves')
    check('result')
  } else if (termination) {
    if (termination === 'resigned' && !resigned.size)
      throw new RecordError(places.get('Termination')!, 'nobody_resigned')
    if (termination !== 'resigned' && endsWith(options.players, resigned) !== null)
      throw new RecordError(gave, 'resigning_ends')
    game = game.end(termination)
    check('result_ending')
  } else if (end !== null) throw new RecordError(gave, 'resigning_ends')
  else if (result !== '*') return { game, cut: cutAt(tokens.at(-1) ?? places.get('Result')!, result) }
  return { game, cut: null }
}

/** A record that names a result, and stops before it comes about. */
function cutAt({ text, line, column }: Token, result: string): RecordError {
  const end = { text: '', line, column: column + text.length }
  return result === '-' ? new RecordError(end, 'cut_nobody') : new RecordError(end, 'cut', { seat: Number(result) })
}
