// Records that somebody brings: looked at step by step, and proved. As `server/wire/uploads.py` and `rules/verdict.py`.
import type { LogLine, Proof, Replay } from '../wire/messages'
import { shortened } from './play/errors'
import { commitment, dealSeed, fairNumber, type Pledge } from './play/fair'
import { CHANCE, Game, cardsOf, isChance } from './play/game'
import { load, type Loaded } from './play/loading'
import { readRecords, RecordError } from './play/reading'
import type { Reason, Rules } from './play/rules'
import { RefusedError } from './refusals'
import { replayOf } from './replay'
import type { Words } from './words'

/** Steps of a record that is played through. */
const MOST_STEPS = 20_000
const HEX = /^[0-9a-f]{64}$/

/** All steps of a record, as far as it goes. */
export function replayOfRecord(rules: Rules, text: string, language: string, words: Words): Replay {
  const { game, headers, record, cut } = loaded(rules, text, language, words)
  return replayOf(rules, game, headers, record, cut && stops(cut.reason))
}

/** That a record stops early, and the winner by its header. */
function stops({ key, values }: Reason): LogLine {
  return typeof values.seat === 'number' ? { key, seat: values.seat - 1 } : { key }
}

export function loaded(rules: Rules, text: string, language: string, words: Words): Loaded {
  try {
    const records = readRecords(text)
    if (records.reduce((all, { tokens }) => all + tokens.length, 0) > MOST_STEPS) throw new RefusedError('too_long')
    const [record, second] = records
    if (second) throw new RecordError({ ...second.places.get('Result')!, text: '' }, 'several', { n: records.length })
    return load(rules, record!)
  } catch (error) {
    if (!(error instanceof RecordError)) throw error
    throw new RefusedError('not_a_record', error.cause_?.reason.rule ?? null, { why: said(error, language, words) })
  }
}

function said({ at, reason }: RecordError, language: string, words: Words): string {
  const { line, column, text } = at
  const where = words({ key: 'record.where', rule: null, values: { line, column } }, language)
  const token = text ? ` ${shortened(text)}:` : ''
  return `${where}:${token} ${reason.rule ? `${reason.rule}: ` : ''}${words(reason, language)}`
}

interface Asked {
  record: string
  promise?: string | null
  number?: string | null
}

/** Whether a record's chance follows from what was promised. */
export function proofOf(rules: Rules, asked: Asked, language: string, words: Words): Proof {
  const { game, headers, cut } = loaded(rules, asked.record, language, words)
  const say = (key: string, values: Reason['values'] = {}) =>
    words({ key: `verify.${key}`, rule: null, values }, language)
  if (cut) throw new RefusedError('not_a_record', null, { why: said(cut, language, words) })
  const promised = asked.promise ?? headers.Commitment
  if (headers.Seed === undefined || promised === undefined) return { fair: false, reason: say('no_seed') }
  const pledges = pledgesOf(headers, game.options.players)
  const flaw = flawOf(rules, game, headers.Seed, promised, pledges)
  if (flaw || !pledges) return { fair: false, reason: say(...(flaw ?? ['headers'])) }
  const own = asked.number ?? null
  const lost = own === null ? null : lostNumber(own, pledges)
  if (lost) return { fair: false, reason: say(...lost) }
  const shares = pledges.map(({ promise, number }) =>
    number !== null ? 'brought' : promise === null ? 'none' : 'left_out',
  )
  const reasons = [say('fair', { commitment: promised })]
  if (!shares.includes('brought')) reasons.push(say('nobody'))
  for (const share of ['brought', 'left_out', 'none'] as const) {
    if (!shares.includes(share) || (share === 'none' && !shares.includes('brought'))) continue
    const seats = shares.flatMap((each, seat) => (each === share ? [seat] : []))
    reasons.push(say(share, { seats: named(headers.Seats ?? '', game.options.players, seats) }))
  }
  if (own !== null) reasons.push(say('own'))
  if (asked.promise == null) reasons.push(say('unknown'))
  return { fair: true, reason: reasons.join(' '), shares }
}

type Flaw = [key: string, values?: Reason['values']]

function flawOf(rules: Rules, game: Game, secret: string, promised: string, pledges: Pledge[] | null): Flaw | null {
  if (commitment(secret) !== promised) return ['commitment']
  if (!pledges) return ['headers']
  for (const [seat, { promise, number }] of pledges.entries()) {
    if (number !== null && promise === null) return ['unpromised', { seat: seat + 1 }]
    if (number !== null && commitment(number) !== promise) return ['number', { seat: seat + 1 }]
  }
  const seed = dealSeed(
    secret,
    pledges.map(({ number }) => number),
  )
  let twin = Game.begin(rules, game.options)
  for (const token of game.tokens) {
    if (isChance(token)) {
      const fair = twin.toMove === CHANCE && twin.deal((drawn, stack) => fairNumber(seed, drawn, stack))
      if (!fair || fair.token !== token) return ['swapped', { token }]
    }
    twin = isChance(token) ? twin.draw(cardsOf(token)) : twin.play(token)
  }
  return null
}

/** What the seats have promised and brought; null where that can't be read. */
export function pledgesOf(headers: Readonly<Record<string, string>>, players: number): Pledge[] | null {
  const { Promises: promises, Numbers: numbers } = headers
  if (promises === undefined && numbers === undefined)
    return Array.from({ length: players }, () => ({ promise: null, number: null }))
  const [promised, brought] = [promises, numbers].map((text) => (text ?? '').split(',').map((part) => part.trim()))
  const read = [...promised!, ...brought!]
  if (promised!.length !== players || brought!.length !== players) return null
  if (!read.every((part) => part === '-' || HEX.test(part))) return null
  const none = (part: string) => (part === '-' ? null : part)
  return promised!.map((promise, seat) => ({ promise: none(promise), number: none(brought![seat]!) }))
}

/** What became of somebody's number that is not among those brought. */
function lostNumber(number: string, pledges: readonly Pledge[]): Flaw | null {
  const promise = commitment(number)
  const seats = pledges.flatMap((pledge, seat) => (pledge.promise === promise ? [seat] : []))
  if (seats.some((seat) => pledges[seat]!.number === number)) return null
  return seats.length ? ['own_left_out', { seat: seats[0]! + 1 }] : ['own_missing']
}

/** Seats from 1, with their names where the record has one for each. */
function named(header: string, players: number, seats: readonly number[]): string {
  const names = header.split(',').map((name) => name.trim())
  const known = names.length === players
  return seats.map((seat) => (known ? `${seat + 1} (${names[seat]})` : `${seat + 1}`)).join(', ')
}
