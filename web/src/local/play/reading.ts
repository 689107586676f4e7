// Game records as text: their headers and tokens, and where each stands. As `rules/notation.py` reads them.
import { PRESETS, RULEBOOKS } from '../../wire/messages'
import { TERMINATIONS, type Resigned, type Termination } from './ending'
import type { MoveError } from './errors'
import { DealError, optionsFor, RulebookError } from './options'
import type { Options, Reason } from './rules'

/** A token and where it stands in its text, both counted from 1. */
export interface Token {
  text: string
  line: number
  column: number
}

/** A record with a mistake in it, and where that is. */
export class RecordError extends Error {
  readonly at: Token
  readonly reason: Reason
  /** A move that was refused, with its rule. */
  readonly cause_: MoveError | null

  constructor(at: Token, key: string, values: Reason['values'] = {}, cause: MoveError | null = null) {
    super(key)
    this.at = at
    this.cause_ = cause
    this.reason = cause?.reason ?? { key: `record.${key}`, rule: null, values }
  }
}

/** One record, read but not yet checked against the rules. */
export interface GameRecord {
  headers: ReadonlyMap<string, string>
  tokens: readonly Token[]
  options: Options
  /** Where each of its headers stands. */
  places: ReadonlyMap<string, Token>
  termination: Termination | null
  resigned: Resigned
}

export const REQUIRED = ['Players', 'Variant', 'Rob', 'Hands', 'Result']
export const OPTIONAL = ['Rulebook', 'Spare', 'Deal']
const VALUES: Readonly<Record<string, readonly string[]>> = {
  Players: ['2', '3', '4'],
  Variant: ['standard', 'neutral'],
  Rob: ['arrival', 'smuggle'],
  Hands: ['hidden', 'seen'],
  Result: ['1', '2', '3', '4', '-', '*'],
  Spare: ['stack', 'chosen'],
  Rulebook: RULEBOOKS,
}
const EDITION = '2'
const HEADER = /^\s*\[\s*([A-Za-z][A-Za-z0-9_]*)\s+"((?:[^"\\]|\\.)*)"\s*\]/
const GAVE_UP = /^\s*([1-4])@([1-9][0-9]{0,8})\s*$/

/** All records of a text, one after another. Throws a `RecordError`; tokens are not checked. */
export function readRecords(text: string): GameRecord[] {
  const records: GameRecord[] = []
  let places = new Map<string, Token>()
  let values = new Map<string, string>()
  let tokens: Token[] = []
  for (const [place, written] of withoutComments(text).entries()) {
    const line = place + 1
    const trimmed = written.trimStart()
    if (!trimmed.startsWith('[')) {
      for (const { 0: found, index } of written.matchAll(/\S+/g)) tokens.push({ text: found, line, column: index + 1 })
      continue
    }
    const name = trimmed.slice(1).trim().split(/\s+/)[0]
    const again = [...(name ? [name] : []), ...REQUIRED].every((each) => places.has(each))
    if (tokens.length || again) {
      records.push(recordOf(places, values, tokens))
      places = new Map()
      values = new Map()
      tokens = []
    }
    const at = { text: written.trim(), line, column: written.length - trimmed.length + 1 }
    const match = HEADER.exec(written)
    if (!match || written.slice(match[0].length).trim()) throw new RecordError(at, 'header')
    if (places.has(match[1]!)) throw new RecordError(at, 'header_twice', { name: match[1]! })
    places.set(match[1]!, at)
    values.set(match[1]!, match[2]!.replace(/\\(.)/g, '$1'))
  }
  records.push(recordOf(places, values, tokens))
  return records
}

/** The lines of a text, its comments turned into spaces so that every place stays true. */
function withoutComments(text: string): string[] {
  let inside: Token | null = null
  const lines = text.split(/\r\n|\r|\n/).map((line, number) => {
    line = line.replace(/^\ufeff/, '')
    // A header's value may hold braces.
    const header = inside ? 0 : (HEADER.exec(line)?.[0].length ?? 0)
    let kept = ''
    for (let column = 0; column < line.length; column++) {
      const letter = line[column]!
      if (column >= header && !inside && letter === '{') inside = { text: '{', line: number + 1, column: column + 1 }
      kept += inside ? ' ' : letter
      if (column >= header && letter === '}') inside = null
    }
    return kept
  })
  if (inside) throw new RecordError(inside, 'comment')
  return lines
}

function recordOf(places: Map<string, Token>, values: Map<string, string>, tokens: Token[]): GameRecord {
  for (const name of REQUIRED) {
    if (places.has(name)) continue
    const { line, column } = tokens[0] ?? { line: 1, column: 1 }
    const value = name === 'Result' ? '*' : VALUES[name]![0]!
    throw new RecordError({ text: '', line, column }, 'header_missing', { name, value })
  }
  for (const [name, allowed] of Object.entries(VALUES))
    if (!allowed.includes(values.get(name) ?? allowed[0]!))
      throw new RecordError(places.get(name)!, 'header_value', { name, allowed: allowed.join(', ') })
  const edition = values.get('Rules') ?? EDITION
  if (edition !== EDITION) throw new RecordError(places.get('Rules')!, 'edition', { value: edition })
  const options = optionsOf(places, values)
  return { headers: values, tokens, options, places, ...endingOf(places, values, options.players) }
}

/** The options that checked headers name; what they say of each other is checked here. */
function optionsOf(places: Map<string, Token>, values: Map<string, string>): Options {
  const players = Number(values.get('Players'))
  const deal = values.get('Deal')
  const rulebook = values.get('Rulebook') as keyof typeof PRESETS | undefined
  try {
    // What `balanced` means may change: a record holds the numbers.
    if (deal === '' || deal === 'balanced' || deal === 'usual') throw new DealError(deal)
    return optionsFor(
      {
        players,
        variant: values.get('Variant') as Options['variant'],
        rob: values.get('Rob') as Options['rob'],
        hands: values.get('Hands') as Options['hands'],
        spare: (values.get('Spare') ?? 'stack') as Options['spare'],
        deal: deal ?? 'usual',
        rulebook: rulebook ?? null,
      },
      players,
    )
  } catch (error) {
    if (error instanceof DealError) throw new RecordError(places.get('Deal')!, 'deal', { n: players })
    if (!(error instanceof RulebookError)) throw error
    const { option, wanted, given } = error
    const named = option.charAt(0).toUpperCase() + option.slice(1)
    throw new RecordError(places.get('Rulebook')!, 'rulebook', { value: error.rulebook, option: named, wanted, given })
  }
}

/** What is said of an ending without a move. */
function endingOf(
  places: Map<string, Token>,
  values: Map<string, string>,
  players: number,
): Pick<GameRecord, 'termination' | 'resigned'> {
  const termination = values.get('Termination')
  if (termination !== undefined && !TERMINATIONS.includes(termination as Termination)) {
    const allowed = TERMINATIONS.join(', ')
    throw new RecordError(places.get('Termination')!, 'header_value', { name: 'Termination', allowed })
  }
  const resigned = new Map<number, number>()
  for (const part of values.get('Resigned')?.split(',') ?? []) {
    const match = GAVE_UP.exec(part)
    const seat = Number(match?.[1]) - 1
    if (!match || seat >= players || resigned.has(seat))
      throw new RecordError(places.get('Resigned')!, 'resigned', { players })
    resigned.set(seat, Number(match[2]) - 1)
  }
  return { termination: (termination ?? null) as Termination | null, resigned }
}
