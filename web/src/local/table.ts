// A table on this device: what its events add up to, and what can be asked of it. As `server/domain/table.py`; nobody
// joins here, so nobody knocks, talks or is asked to go.
import { commitment, dealSeed, type Pledge } from './play/fair'
import { CHANCE, type Game } from './play/game'
import type { Termination } from './play/ending'
import type { Agreement } from '../wire/messages'
import type { Person, Seating } from './events'

/** A proposal to end the game without a winner (R28), and the answers to it. */
export interface Proposal {
  /** Of the event that made it. */
  number: number
  person: number
  /** Turns that were finished then. */
  turn: number
  agreed: readonly number[]
  /** Seats of bots that agree. */
  bots: readonly number[]
  refused: number | null
  refusedSeat: number | null
}

/** The players of a game, by seat. */
export interface Players {
  names: readonly string[]
  colours: readonly number[]
  bots: readonly (string | null)[]
  people: readonly (number | null)[]
}

export interface FinishedGame {
  /** From 1. */
  number: number
  players: Players
  loot: readonly number[]
  winner: number | null
  ended: number
  record: string
  termination: Termination | null
  resigned: readonly number[]
}

/** The opponent in the guided game has this seat. */
export const RIVAL = 1
export const LESSON = 'lesson'

/** It is never changed: `evolve` makes the next one. */
export class Table {
  number = 0
  /** The number of the last event that could outdate a command. */
  changed = 0
  agreement: Agreement = {}
  chairs: readonly Seating[] = []
  people: ReadonlyMap<number, Person> = new Map()
  host = 0
  /** What this device has promised as a server would. */
  seed = ''
  /** What people have promised for the game that is to come. */
  promises: ReadonlyMap<number, string> = new Map()
  /** By seat, from the start on. */
  pledges: readonly Pledge[] = []
  leftOut: ReadonlySet<number> = new Set()
  lesson = false
  /** Its cards can't be proved. */
  unproved = false
  game: Game | null = null
  games = 0
  started = 0
  /** By seat: its chair. */
  order: readonly number[] = []
  /** By seat: the name of the player, or the level of the bot; it stays when the player leaves. */
  names: readonly string[] = []
  sat: readonly (number | null)[] = []
  offers: readonly number[] = []
  declines: readonly number[] = []
  proposal: Proposal | null = null
  /** By person who has proposed an end: the turns that were finished then. */
  proposers: ReadonlyMap<number, number> = new Map()
  /** The games before this one. */
  past: readonly FinishedGame[] = []
  standIns: ReadonlyMap<number, string> = new Map()
  /** How often something was taken back in this turn. */
  undone = 0
  onSince = 0
  /** By seat: time taken for finished turns. */
  used: readonly number[] = []
  /** When something last happened. */
  touched = 0

  constructor(readonly code: string) {}

  copy(): Table {
    return Object.assign(new Table(this.code), this)
  }

  get playing(): boolean {
    return this.game !== null && !this.game.over
  }

  get over(): boolean {
    return !!this.game?.over
  }

  get state(): 'gathering' | 'playing' | 'over' {
    if (!this.game) return 'gathering'
    return this.game.over ? 'over' : 'playing'
  }

  get promise(): string {
    return commitment(this.seed)
  }

  /** What all cards of this game follow from, once no number is awaited any more. */
  get dealSeed(): string {
    return dealSeed(
      this.seed,
      this.pledges.map(({ number }) => number),
    )
  }

  /** Seats whose numbers the deal waits for. */
  get awaited(): readonly number[] {
    if (!this.playing) return []
    return this.pledges.flatMap(({ promise, number }, seat) =>
      promise !== null && number === null && !this.leftOut.has(seat) ? [seat] : [],
    )
  }

  /** Whether nothing but numbers is missing to deal the cards. */
  get dealWaits(): boolean {
    return this.game?.toMove === CHANCE
  }

  /** The seat that decides; none before the game, while the deal waits, and after the end. */
  get onTurn(): number | null {
    return !this.game || this.dealWaits ? null : this.game.toMove
  }

  /** The people who have a chair. */
  get seated(): readonly number[] {
    return this.chairs.flatMap(({ person }) => (person === null ? [] : [person]))
  }

  get players(): Players {
    const chairs = this.order.map((chair) => this.chairs[chair]!)
    return {
      names: this.names,
      colours: chairs.map(({ colour }) => colour),
      // Somebody who has given up has lost, even if a bot has taken the chair since.
      bots: chairs.map(({ level }, seat) => (this.sat[seat] === null ? level : null)),
      people: this.sat,
    }
  }

  chairOf(person: number): number | null {
    const chair = this.chairs.findIndex((each) => each.person === person)
    return chair < 0 ? null : chair
  }

  /** The seat in the game that belongs to a person's chair. */
  placeOf(person: number | null): number | null {
    if (person === null || !this.game) return null
    const chair = this.chairOf(person)
    const seat = chair === null ? -1 : this.order.indexOf(chair)
    return seat < 0 ? null : seat
  }

  /** The seat in the game that a person holds; one who has given up looks on to the end. */
  seatOf(person: number | null): number | null {
    const seat = this.placeOf(person)
    return seat !== null && this.playing && this.resigned.includes(seat) ? null : seat
  }

  /** Seats whose players have given up (R28), ascending. */
  get resigned(): readonly number[] {
    return [...(this.game?.resigned.keys() ?? [])].sort((a, b) => a - b)
  }

  /** The people in the game who have not given up, by seat. */
  get stillPlaying(): readonly number[] {
    return this.order.flatMap((chair, seat) => {
      const { person } = this.chairs[chair]!
      return person === null || this.resigned.includes(seat) ? [] : [person]
    })
  }

  /** The proposal to end the game that is still to be answered: it holds for one round. */
  get proposed(): Proposal | null {
    const proposal = this.recentProposal
    return proposal && (proposal.refused !== null || proposal.refusedSeat !== null) ? null : proposal
  }

  /** The same, or one that somebody has refused in this round. */
  get recentProposal(): Proposal | null {
    const { game, proposal } = this
    if (!game || game.over || !proposal) return null
    return game.turns < proposal.turn + game.options.players ? proposal : null
  }

  /** People and seats of bots whose answer to a proposal is missing. */
  get unanswered(): { people: readonly number[]; bots: readonly number[] } {
    const proposal = this.proposed
    if (!proposal) return { people: [], bots: [] }
    return {
      people: this.stillPlaying.filter((person) => !proposal.agreed.includes(person)),
      bots: [...this.order.keys()].filter(
        (seat) =>
          this.chairs[this.order[seat]!]!.kind === 'bot' &&
          !this.resigned.includes(seat) &&
          !proposal.bots.includes(seat),
      ),
    }
  }

  /** The bot that decides for a seat: its own, or one that stands in. */
  botAt(seat: number): string | null {
    return this.standIns.get(seat) ?? this.chairs[this.order[seat]!]!.level
  }

  /** The bot that thinks for a seat: in the guided game one that knows its part. */
  botToAsk(seat: number): string | null {
    const bot = this.botAt(seat)
    return bot && this.lesson && seat === RIVAL && !this.standIns.has(seat) ? LESSON : bot
  }

  /** Whether a seat can take its last action back: nothing was revealed since (R22, R23). */
  mayUndo(seat: number | null): boolean {
    return seat !== null && this.game?.toMove === seat && this.game.acted
  }

  /** When the time of the seat whose turn it is ends; none where there is no clock. */
  get deadline(): number | null {
    const seat = this.onTurn
    const { move_seconds: move, game_seconds: all } = this.agreement
    if (seat === null || !this.playing) return null
    const ends = [
      ...(move ? [this.onSince + 1000 * move] : []),
      ...(all ? [this.onSince + Math.max(0, 1000 * all - this.used[seat]!)] : []),
    ]
    return ends.length ? Math.min(...ends) : null
  }
}
