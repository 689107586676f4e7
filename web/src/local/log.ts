// The public log of a table: every event as lines, each with the rule behind it. As `server/wire/log.py` and
// `replay/log.py` write it.
import { ACTIONS } from '../wire/actions'
import { HEAVIEST_CHEST, PALACE_LETTERS, type LogLine } from '../wire/messages'
import type { Event, EventOf } from './events'
import type { Game } from './play/game'
import type { Table } from './table'

type Seat = number | null

/** What a line says nothing of is not in it. */
function line(key: string, rule: string | null = null, seat: Seat = null, values: LogLine['values'] = {}): LogLine {
  return {
    key: `log.${key}`,
    ...(rule === null ? {} : { rule }),
    ...(seat === null ? {} : { seat }),
    ...(Object.keys(values).length ? { values } : {}),
  }
}

const RULES = {
  place: 'R6',
  place_neutral: 'R8',
  smuggle: 'R12',
  move: 'R13',
  carry: 'R14',
  move_neutral: 'R15',
  name: 'R23',
  end: 'R22',
  pass: 'R23',
} as const

/** What a seat does, by which rule, and how many palace cards come with it (R25). */
export function actionLine(seat: number, number: number, cards: number): LogLine {
  const { kind, from, to, price, takes } = ACTIONS[number]!
  if (kind === 'end' || kind === 'pass') {
    const key = takes === '*' ? 'pass_dancer' : kind
    return line(cards ? key : `${key}_none`, RULES[kind], seat, { n: cards })
  }
  if (kind === 'name') return line('pass_name', RULES.name, seat, { palace: takes!, n: cards })
  return line(kind, RULES[kind], seat, {
    palace: from ?? to!,
    ...(from && to && from !== to ? { to } : {}),
    ...(price.length ? { cards: price.join('') } : {}),
  })
}

/** Palaces that have fewer chests than before. */
export function robbed(before: readonly number[], after: readonly number[]): number[] {
  return before.flatMap((was, palace) => (after[palace]! < was ? [palace] : []))
}

/** The chests that a seat has carried off. */
export function robberies(seat: number, before: readonly number[], after: readonly number[]): LogLine[] {
  return robbed(before, after).map((palace) =>
    line('rob', 'R19', seat, { palace: PALACE_LETTERS[palace]!, number: HEAVIEST_CHEST + 1 - before[palace]! }),
  )
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, n) => all + n, 0)

/** That a draw has used the stack up. */
export function reshuffled(before: readonly number[], after: readonly number[]): LogLine[] {
  return sum(before) && !sum(after) ? [line('reshuffled', 'R24')] : []
}

/** How a game has ended, if it has. */
export function ending(game: Game): LogLine[] {
  if (!game.over) return []
  const { winner, termination, turns, loot } = game
  if (winner === null) {
    const key = termination === null ? 'stalemate' : termination === 'turn limit' ? 'stopped' : `over_${termination}`
    return [line(key, termination === null || termination === 'turn limit' ? 'R27' : 'R28', null, { turns })]
  }
  if (termination === 'resigned') return [line('wins_resigned', 'R28', winner)]
  const won = line('won', 'R21', winner, { seat: winner + 1, loot: loot[winner]!, turns: turns + 1 })
  return game.resigned.has(winner) ? [won, line('lost_all_the_same', 'R28', winner)] : [won]
}

export const started = (): LogLine => line('started', 'R5', 0)
export const gaveUp = (seat: number): LogLine => line('resigned', 'R28', seat)
export const dealtTo = (seat: number, n: number): LogLine => line('dealt_to', 'R7', seat, { n })
export const drawn = (seat: number, n: number): LogLine => line('drawn', 'R22', seat, { n })

/** The lines of an event. */
export function linesOf(before: Table, after: Table, event: Event): LogLine[] {
  switch (event.kind) {
    case 'moved':
      return moved(before, after, event)
    case 'undone':
      return [line('undone', null, event.seat)]
    case 'started':
      return [started(), ...(event.chance.length ? [dealt(after)] : [])]
    case 'brought':
      return event.chance.length ? [dealt(after)] : []
    case 'left_out':
      return [...event.seats.map((seat) => line('left_out', null, seat)), dealt(after)]
    case 'stood_in':
      return [line('stood_in', null, event.seat, { level: event.level })]
    case 'returned':
      return [line('returned', null, event.seat)]
    case 'left': {
      const left = line('left', null, null, { name: nameOf(before, event.person) })
      const gave = after.resigned.filter((seat) => !before.resigned.includes(seat))
      const told = gave.flatMap((seat) => resigned(after, seat))
      return [left, ...told, ...(after.over && !before.over && !told.length ? endingOf(after) : [])]
    }
    case 'resigned':
      return resigned(after, event.seat)
    case 'end_proposed':
      return [line('end_proposed', 'R28', before.placeOf(event.person)), ...endingOf(after)]
    case 'end_answered': {
      const seat = event.seat ?? before.placeOf(event.person)
      return [line(event.yes ? 'end_agreed' : 'end_refused', 'R28', seat), ...endingOf(after)]
    }
    case 'ended':
      return endingOf(after)
    case 'start_chosen':
      return [begins(after)]
    case 'offered':
    case 'declined':
      return [line(event.kind, null, null, { name: nameOf(before, event.person) })]
    case 'rematched':
      return [line('rematched')]
    case 'created':
    case 'sat':
    case 'arranged':
      return []
  }
}

const nameOf = (table: Table, person: number) => table.people.get(person)!.name
const endingOf = (table: Table) => (table.game ? ending(table.game) : [])

/** That the first hands are dealt: before the guards are placed, where hands are seen. */
function dealt(after: Table): LogLine {
  return line(after.game?.placing ? 'dealt_open' : 'dealt', 'R7')
}

/** Who will begin, as the host has chosen. */
function begins({ agreement, chairs, people }: Table): LogLine {
  const { start = 'random' } = agreement
  if (start === 'random') return line('chance_begins', 'R5')
  const chair = typeof start === 'number' ? start : 0
  const { person } = chairs[chair]!
  if (person !== null) return line('begins', 'R5', null, { name: people.get(person)!.name })
  return line('chair_begins', 'R5', null, { chair: chair + 1 })
}

/** That somebody has given up, and what becomes of the seat. */
function resigned(after: Table, seat: number): LogLine[] {
  const level = after.playing ? after.botAt(seat) : null
  return [gaveUp(seat), ...(level === null ? [] : [line('plays_on', 'R28', null, { level })]), ...endingOf(after)]
}

function moved(before: Table, after: Table, event: EventOf<'moved'>): LogLine[] {
  const old = before.game!
  const now = after.game!
  const came = event.chance.length ? event.chance[0]!.length - 1 : 0
  const lines = [actionLine(event.seat, event.action, came)]
  if (event.instead) lines.unshift(line('instead', null, event.seat))
  lines.push(...robberies(event.seat, old.shown.chests, now.shown.chests))
  if (event.chance.length)
    lines.push(...(old.placing ? [dealt(after)] : reshuffled(old.shown.discard, now.shown.discard)))
  if (before.proposed && !after.proposed && !after.over) lines.push(line('end_lapsed', 'R28'))
  return [...lines, ...ending(now)]
}
