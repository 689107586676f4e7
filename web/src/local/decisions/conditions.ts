// What must be true of a table before something can happen at it: else it is refused.
import { MoveError } from '../play/errors'
import type { Game } from '../play/game'
import { RefusedError } from '../refusals'
import type { Table } from '../table'

/** The seat that a person plays. */
export function seatAt(table: Table, person: number): number {
  const seat = table.seatOf(person)
  if (seat !== null) return seat
  const place = table.placeOf(person)
  if (place !== null) throw new MoveError('has_resigned', 'R28', { seat: place + 1 })
  throw new RefusedError(table.game ? 'no_seat' : 'not_begun')
}

/** The game, which has begun. */
export function mustPlay(table: Table): Game {
  if (!table.game) throw new RefusedError('not_begun')
  return table.game
}

/** The seat of somebody who plays in a game that is not over. */
export function mustGoOn(table: Table, person: number): number {
  const game = mustPlay(table)
  const seat = table.placeOf(person)
  if (seat === null) throw new RefusedError('no_seat')
  if (game.over) throw new RefusedError('is_over', 'R28')
  if (table.resigned.includes(seat)) throw new MoveError('has_resigned', 'R28', { seat: seat + 1 })
  return seat
}

export function mustGather(table: Table): void {
  if (table.game) throw new RefusedError('has_begun')
}

export function mustBeOver(table: Table, person: number): void {
  if (!table.over) throw new RefusedError('not_over')
  if (!table.seated.includes(person) && person !== table.host) throw new RefusedError('no_seat')
}

/** The guided game is as it is. */
export function mustBeOpen(table: Table): void {
  if (table.lesson) throw new RefusedError('lesson_as_it_is')
}

export function mustHost(table: Table, person: number): void {
  if (person !== table.host) throw new RefusedError('host_only')
}

export function mustExist(table: Table, chair: number): number {
  if (chair >= table.chairs.length) throw new RefusedError('no_chair', null, { chair: chair + 1 })
  return chair
}

/** The name of a bot that exists. */
export function knownLevel(level: string | null | undefined, levels: readonly string[]): string {
  if (!level || !levels.includes(level))
    throw new RefusedError('no_level', null, { level: level ?? '', levels: levels.join(', ') })
  return level
}

/** Letters and signs with no ink, besides what Unicode itself calls a mark or a separator. */
const BLANK = /[\u115f\u1160\u3164\uffa0\u2800\ufffc\u{13441}\u{13442}\u{1d159}]/gu
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu

/** One line of text with something to see: no control characters, no direction marks. */
export function cleaned(text: string): string {
  const found = text.replace(BLANK, ' ').replace(UNPRINTABLE, ' ').split(/\s+/).filter(Boolean).join(' ')
  if (/^[\p{M}\p{Z}]*$/u.test(found)) throw new RefusedError('nothing_written')
  return found
}
