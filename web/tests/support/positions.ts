// Positions, tables and events to begin with; a test changes what it is about.
import { ACTIONS } from '../../src/wire/actions'
import { TURN, type EventMessage, type PlayedGame, type Shown, type ShownTable } from '../../src/wire/messages'

/** Two players in the middle of a game: nobody stands anywhere, all chests are there. */
export function shown(change: Partial<Shown> = {}): Shown {
  return {
    guards: Array.from({ length: 6 }, () => [0, 0, 0, 0, 0]),
    thieves: Array.from({ length: 6 }, () => [0, 0, 0, 0]),
    chests: [4, 4, 4, 4, 4, 4],
    discard: [0, 0, 0, 0, 0, 0],
    dancers: 14,
    stock: [7, 7],
    loot: [0, 0],
    unplaced: [],
    players: 2,
    variant: 0,
    rob: 0,
    seen: 0,
    spare: 0,
    first_hands: [6, 7],
    phase: TURN,
    seat: 0,
    acted: 0,
    thief_actions: 0,
    due: 0,
    named: -1,
    idle: 0,
    winner: -1,
    turn: 3,
    hand_sizes: [6, 7],
    hand_dancers: [0, 0],
    deck_size: 50,
    ...change,
  }
}

/** Ann (person 1) and the bot Kasim; Kasim begins. */
export function table(change: Partial<ShownTable> = {}): ShownTable {
  return {
    code: 'F7KQXM',
    agreement: {},
    chairs: [
      { kind: 'human', colour: 2, person: 1, name: 'Ann' },
      { kind: 'bot', colour: 0, level: 'kasim' },
    ],
    order: [1, 0],
    host: 1,
    hushed: false,
    state: 'playing',
    games: 1,
    promise: '',
    seed: null,
    ...change,
  }
}

let last = 0

/** Something that has happened; a token in place of the number of an action. */
export function happened(change: Partial<EventMessage> & { token?: string } = {}): EventMessage {
  const { token, ...rest } = change
  const action =
    token === undefined ? {} : { action: ACTIONS.findIndex((each) => each.token === token), kind: 'played' }
  return { type: 'event', number: ++last, at: 0, kind: 'other', ...action, ...rest }
}

export function playedGame(change: Partial<PlayedGame> = {}): PlayedGame {
  return {
    number: 1,
    state: 'over',
    names: ['Ann', 'kasim'],
    colours: [0, 1],
    bots: [null, 'kasim'],
    people: [1, null],
    loot: [6, 3],
    winner: 0,
    ...change,
  }
}
