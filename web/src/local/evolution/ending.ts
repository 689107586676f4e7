// Leaving, endings without a move (R28) and another game, as events bring them about.
import type { Termination } from '../play/ending'
import { DEFAULT_STAND_IN } from '../../wire/messages'
import type { EventOf } from '../events'
import { finished } from '../finished'
import type { Table } from '../table'
import { promise, seat, seatHost } from './gathering'
import { notePlayers, stopClock } from './playing'

/** Somebody goes: gives up a game that is played, and frees a chair. */
export function leave(table: Table, event: EventOf<'left'>, at: number): void {
  const { person } = event
  const chair = table.chairOf(person)
  const place = table.placeOf(person)
  if (table.playing && place !== null && !table.resigned.includes(place)) resign(table, place, at)
  table.people = new Map([...table.people].filter(([number]) => number !== person))
  table.promises = new Map([...table.promises].filter(([number]) => number !== person))
  if (chair !== null && table.playing && place !== null) {
    seat(table, chair, { kind: 'bot', level: botFor(table, place) })
    notePlayers(table)
    endIfAgreed(table, at)
  } else if (chair !== null) seat(table, chair, { kind: 'open' })
  forgetAnswer(table, person)
  if (person === table.host && table.people.size) {
    // Not somebody who only looks at the last game's result.
    const next = table.seated.length ? table.seated : [...table.people.keys()]
    table.host = Math.min(...next)
  }
  seatHost(table)
}

/** The bot that plays a seat on. */
function botFor(table: Table, place: number): string {
  return table.standIns.get(place) ?? table.agreement.stand_in ?? DEFAULT_STAND_IN
}

/** Somebody gives up: the other has won, a bot plays on, or nobody is left who plays. */
export function resign(table: Table, place: number, at: number): void {
  const wasOnTurn = table.onTurn
  let game = table.game!.giveUp(place)
  table.game = game
  if (!table.stillPlaying.length && !game.over) table.game = game = game.end('resigned')
  if (wasOnTurn !== null && (game.over || wasOnTurn === place)) stopClock(table, wasOnTurn, at)
  if (game.over) {
    table.onSince = at
    return
  }
  table.standIns = new Map([...table.standIns, [place, botFor(table, place)]])
  if (table.proposal && table.sat[place] === table.proposal.person) table.proposal = null
  endIfAgreed(table, at)
}

/** An end without a winner is proposed; where nobody else has to agree, it comes at once. */
export function propose(table: Table, person: number, number: number, at: number): void {
  const turn = table.game!.turns
  table.proposers = new Map([...table.proposers, [person, turn]])
  table.proposal = { number, person, turn, agreed: [person], bots: [], refused: null, refusedSeat: null }
  endIfAgreed(table, at)
}

/** A person or a bot agrees to the proposal, or wants to play on. */
export function answer(table: Table, event: EventOf<'end_answered'>, at: number): void {
  const proposal = table.proposal!
  if (!event.yes) table.proposal = { ...proposal, refused: event.person, refusedSeat: event.seat }
  else if (event.person !== null) table.proposal = { ...proposal, agreed: [...proposal.agreed, event.person] }
  else if (event.seat !== null) table.proposal = { ...proposal, bots: [...proposal.bots, event.seat] }
  endIfAgreed(table, at)
}

function endIfAgreed(table: Table, at: number): void {
  const { people, bots } = table.unanswered
  if (table.proposed && !people.length && !bots.length) end(table, 'agreed', at)
}

/** The game is over without a move. */
export function end(table: Table, how: Termination, at: number): void {
  const wasOnTurn = table.onTurn
  table.game = table.game!.end(how)
  if (wasOnTurn !== null) stopClock(table, wasOnTurn, at)
  table.onSince = at
}

// Another game

export function offer(table: Table, event: EventOf<'offered'>): void {
  forgetAnswer(table, event.person)
  promise(table, event.person, event.promise)
  table.offers = [...table.offers, event.person]
}

export function decline(table: Table, person: number): void {
  forgetAnswer(table, person)
  table.declines = [...table.declines, person]
}

/** Forgets what somebody has said about another game. */
function forgetAnswer(table: Table, person: number): void {
  table.offers = table.offers.filter((each) => each !== person)
  table.declines = table.declines.filter((each) => each !== person)
}

/** The people gather again; those who have not agreed lose their chairs. */
export function rematch(table: Table, event: EventOf<'rematched'>): void {
  table.past = finished(table)
  table.game = null
  table.order = table.used = table.offers = table.declines = table.pledges = []
  table.standIns = new Map()
  table.proposal = null
  table.proposers = new Map()
  table.seed = event.seed
  table.lesson = table.unproved = false
  table.leftOut = new Set()
  if (event.promise) promise(table, ...event.promise)
  for (const [chair, { person }] of table.chairs.entries())
    if (person !== null && event.without.includes(person)) seat(table, chair, { kind: 'open' })
  seatHost(table)
}
