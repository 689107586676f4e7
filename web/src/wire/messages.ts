// Made by tools/wire_types.py from the server's messages; not to be edited.

/** The host lets somebody who has knocked sit down, or says no. */
export interface Admit {
  type: 'admit'
  person: number
  yes: boolean
}

/** What a table agrees on before anybody sits down. */
export interface Agreement {
  players?: number
  variant?: 'neutral' | 'standard'
  rulebook?: '12thieves' | 'cs' | 'de' | 'en' | 'nl' | 'ours' | null
  rob?: 'arrival' | 'smuggle' | null
  hands?: 'hidden' | 'seen' | null
  spare?: 'chosen' | 'stack' | null
  deal?: string
  start?: 'order' | 'random' | number
  listed?: boolean
  watching?: 'nobody' | 'open' | 'table'
  move_seconds?: number | null
  game_seconds?: number | null
  grace_seconds?: number
  stand_in?: string | null
  teaching?: boolean
}

/** What became of a command. */
export interface Answer {
  type: 'answer'
  id: string
  result: 'accepted' | 'failed' | 'refused' | 'stale'
  number: number
  rule?: string | null
  reason?: string | null
  key?: string | null
  missing?: readonly EventMessage[]
}

/** Agree to end the game without a winner, or don't. The version does not matter. */
export interface AnswerEnd {
  type: 'answer_end'
  yes: boolean
}

/** The host opens or closes a chair, or puts a bot on it. */
export interface Arrange {
  type: 'arrange'
  chair: number
  to: 'bot' | 'closed' | 'open'
  level?: string | null
}

/** Show the number that was promised for the deal. Sent as soon as the game has begun. */
export interface Bring {
  type: 'bring'
  number: string
}

/** Say something to the table. */
export interface Chat {
  type: 'chat'
  text: string
}

/** The host says who begins (R5): chance, or a chair. It holds until the game starts. */
export interface ChooseStart {
  type: 'choose_start'
  start: 'order' | 'random' | number
}

/** The list of games that has come to this device. */
export interface ClaimedTransfer {
  name: string
  games: readonly TransferredGame[]
}

/** Times, where the table has a clock. */
export interface Clock {
  since: number
  deadline: number | null
  used: readonly number[]
}

/** A command with an id of its own, so that it happens once however often it is sent. */
export interface CommandMessage {
  id: string
  version: number
  wish: Move | Bring | Undo | Start | Sit | Leave | Kick | Admit | OpenDoor | Arrange | ChooseStart | Chat | Emote | Hush | Return | Rematch | Decline | Resign | ProposeEnd | AnswerEnd | Lend
  person?: number | null
}

/** No other game now; takes an own offer back. */
export interface Decline {
  type: 'decline'
}

/** Make a face. */
export interface Emote {
  type: 'emote'
  emote: 'cheer' | 'hello' | 'hurry' | 'laugh' | 'sad' | 'thanks' | 'think' | 'wow'
}

/** An event, as one audience may see it. */
export interface EventMessage {
  type: 'event'
  number: number
  at: number
  kind: string
  lines?: readonly LogLine[]
  seat?: number | null
  action?: number | null
  person?: number | null
  text?: string | null
  drawn?: readonly (readonly [number, number])[]
  cards?: string
  robbed?: readonly number[]
  table?: ShownTable | null
  shown?: Shown | null
  own?: Own | null
  clock?: Clock | null
}

/** Nothing has happened, and the connection lives. */
export interface Heartbeat {
  type: 'beat'
  at: number
}

/** The host switches chat off, or on again. */
export interface Hush {
  type: 'hush'
  off: boolean
}

/** Somebody who wants to sit down. */
export interface Join {
  name: string
  chair?: number | null
  secret?: string | null
  promise?: string | null
}

/** The secret that opens one seat; shown once, kept by the client. */
export interface Key {
  person: number
  secret: string
}

/** The host asks somebody to go. */
export interface Kick {
  type: 'kick'
  person: number
}

/** Go. Whoever leaves a running game gives up (R28). */
export interface Leave {
  type: 'leave'
}

/** Let puzzles be made of a finished game in which one has played, or don't any more. They name nobody, and are made only if all who played agree. The version does not matter. */
export interface Lend {
  type: 'lend'
  game: number
  yes: boolean
}

/** An opponent for people. */
export interface LevelInfo {
  name: string
  about: string
}

/** Opponents for people, the weakest first. */
export interface Levels {
  levels: readonly LevelInfo[]
}

/** A table in the lobby. */
export interface ListedTable {
  code: string
  host: string
  agreement: Agreement
  free: number
  created: number
}

/** Tables that anybody may join. */
export interface Lobby {
  tables: readonly ListedTable[]
}

/** A line of the public log: a message of the catalogue, and the rule behind it. */
export interface LogLine {
  key: string
  rule?: string | null
  seat?: number | null
  values?: Record<string, string | number>
}

/** Take an action, by its number in the action table or as a token, in upper or lower case. */
export interface Move {
  type: 'move'
  action: number | string
}

/** A chair of a new table. A human one is somebody else on the host's device. */
export interface NewChair {
  kind?: 'bot' | 'closed' | 'human' | 'open'
  level?: string | null
  name?: string | null
}

/** A table to set up. The host takes the first chair, unless the device is its screen. */
export interface NewTable {
  name: string
  agreement?: Agreement
  chairs?: readonly NewChair[]
  screen?: boolean
  lesson?: boolean
  promise?: string | null
}

/** A list of games that shall go to another device, with the name to play under. */
export interface NewTransfer {
  games?: readonly TransferredGame[]
  name?: string
}

/** The host lets everybody sit down again without knocking. */
export interface OpenDoor {
  type: 'open_door'
}

/** What only the seat itself sees. */
export interface Own {
  seat: number
  hand: readonly number[]
  legal: readonly number[]
  undo: boolean
}

/** Events after a number; `more` where there are others after these. */
export interface Page {
  number: number
  events: readonly EventMessage[]
  snapshot?: Snapshot | null
  more?: boolean
}

/** A game of a table, finished or going on. Everything is by seat. */
export interface PlayedGame {
  number: number
  state: 'over' | 'playing'
  names: readonly string[]
  colours: readonly number[]
  bots: readonly (string | null)[]
  people: readonly (number | null)[]
  loot: readonly number[]
  winner?: number | null
  ended?: number | null
  termination?: 'abandoned' | 'agreed' | 'resigned' | 'turn limit' | null
  resigned?: readonly number[]
  lent?: readonly number[]
}

/** All games of a table that the asker may see, the first one first. */
export interface PlayedGames {
  games: readonly PlayedGame[]
}

/** Who is connected now. */
export interface Presence {
  type: 'present'
  people: readonly number[]
}

/** Why a request was not carried out, and what to do. */
export interface Problem {
  reason: string
  key?: string | null
  rule?: string | null
}

/** Whether all chance of a record follows from what was promised before the game. */
export interface Proof {
  fair: boolean
  reason: string
  shares?: readonly ('brought' | 'left_out' | 'none')[]
}

/** Propose to end the game without a winner (R28). All people and bots have to agree within a round: as many turns as there are players. Once a round. The version does not matter. */
export interface ProposeEnd {
  type: 'propose_end'
}

/** How other devices get to this server. */
export interface Reach {
  addresses: readonly string[]
  public: string | null
  open: boolean
}

/** Offer another game after this one, or accept it. People gather once all have agreed. */
export interface Rematch {
  type: 'rematch'
  now?: boolean
  promise?: string | null
}

/** A game that can be looked at step by step, with all hands open. */
export interface Replay {
  names: readonly string[]
  colours: readonly number[]
  headers: Record<string, string>
  result: string
  termination: 'abandoned' | 'agreed' | 'resigned' | 'turn limit' | null
  resigned: readonly number[]
  shown: Shown
  hands: readonly (readonly number[])[]
  steps: readonly Step[]
  record: string
  cut?: LogLine | null
}

/** A game record to look at. */
export interface ReplayRequest {
  record: string
}

/** Give up (R28), at any moment: final, and a loss. With two players the other has won; with more a bot plays the seat on. The version does not matter. */
export interface Resign {
  type: 'resign'
}

/** Take the seat back from the bot that stands in. */
export interface Return {
  type: 'return'
}

/** How many people this device can act for at a table. */
export interface SeatCount {
  seats: number
}

/** The position as everybody sees it; fields as in a view. */
export interface Shown {
  guards: readonly (readonly number[])[]
  thieves: readonly (readonly number[])[]
  chests: readonly number[]
  discard: readonly number[]
  dancers: number
  stock: readonly number[]
  loot: readonly number[]
  unplaced: readonly (readonly number[])[]
  players: number
  variant: number
  rob: number
  seen: number
  spare: number
  first_hands: readonly number[]
  phase: number
  seat: number
  acted: number
  thief_actions: number
  due: number
  named: number
  idle: number
  winner: number
  turn: number
  hand_sizes: readonly number[]
  hand_dancers: readonly number[]
  deck_size: number
}

/** A chair as everybody sees it. */
export interface ShownChair {
  kind: 'bot' | 'closed' | 'human' | 'open'
  colour: number
  person?: number | null
  name?: string | null
  level?: string | null
  stand_in?: string | null
  promise?: string | null
  number?: string | null
  left_out?: boolean
}

/** That the game be ended without a winner (R28); shown for a round. */
export interface ShownProposal {
  person: number
  agreed: readonly number[]
  people: readonly number[]
  bots: readonly number[]
  refused: number | null
  refused_seat: number | null
}

/** A table as everybody sees it. */
export interface ShownTable {
  code: string
  agreement: Agreement
  chairs: readonly ShownChair[]
  order: readonly number[]
  host: number
  hushed: boolean
  state: 'gathering' | 'over' | 'playing'
  games: number
  promise: string
  seed: string | null
  offers?: readonly number[]
  declines?: readonly number[]
  knock?: boolean
  waiting?: readonly Waiting[]
  lesson?: boolean
  termination?: 'abandoned' | 'agreed' | 'resigned' | 'turn limit' | null
  resigned?: readonly number[]
  proposal?: ShownProposal | null
}

/** Change to another chair, another colour, or both; promise a number for the deal. */
export interface Sit {
  type: 'sit'
  chair?: number | null
  colour?: number | null
  promise?: string | null
}

/** Everything that an audience may know now. */
export interface Snapshot {
  type: 'snapshot'
  number: number
  at: number
  people: readonly number[]
  person: number | null
  table: ShownTable
  shown: Shown | null
  own: Own | null
  clock: Clock | null
  log: readonly EventMessage[]
  present: readonly number[]
  hands?: readonly (readonly number[])[] | null
}

/** The host begins the game. */
export interface Start {
  type: 'start'
}

/** A token of a record, and what came of it. The first step, the beginning, has no token; nor has giving up, or an end without a move. */
export interface Step {
  token?: string
  lines?: readonly LogLine[]
  seat?: number | null
  action?: number | null
  cards?: string
  robbed?: readonly number[]
  hand?: readonly number[] | null
  changed?: Record<string, unknown>
}

/** A table in a list of games: enough to know who plays, how it stands and whose turn it is. */
export interface Summary {
  code: string
  state: 'gathering' | 'over' | 'playing'
  at: number
  games: number
  people: readonly number[]
  players: readonly SummaryPlayer[]
  needed: number
  turn?: number | null
  winner?: number | null
  termination?: 'abandoned' | 'agreed' | 'resigned' | 'turn limit' | null
  resigned?: readonly number[]
}

/** A place in a summary: a person has a name, a bot a level, a free chair neither. */
export interface SummaryPlayer {
  colour: number
  person?: number | null
  name?: string | null
  level?: string | null
  chests?: number | null
}

/** A device that has come with a ticket. */
export interface TransferClaim {
  ticket: string
  claimant: string
}

/** How much a ticket would bring to this device. */
export interface TransferPeek {
  games: number
  seats: number
  seconds: number
}

/** What takes seats to another device, once. */
export interface TransferTicket {
  ticket: string
  seconds?: number
}

/** A game in the list that goes to another device. */
export interface TransferredGame {
  code: string
  view?: 'hand' | 'learn' | 'screen' | 'table'
  at?: number
  numbers?: readonly string[]
}

/** Take the last action of this turn back. */
export interface Undo {
  type: 'undo'
}

/** A game record to prove, with what somebody has noted of it. */
export interface VerifyRequest {
  record: string
  promise?: string | null
  number?: string | null
}

/** Somebody who has knocked. */
export interface Waiting {
  person: number
  name: string
}

/** A table was set up, or joined. */
export interface Welcome {
  code: string
  keys: readonly Key[]
  waiting?: boolean
}

export type AnyCommand = CommandMessage['wish']

export type ToClient = Snapshot | EventMessage | Answer | Presence | Heartbeat

export const BALANCED = {2: [6, 8] as const, 3: [6, 7, 9] as const, 4: [8, 7, 8, 9] as const}

export const CARD_LETTERS = 'RGWPYB*'

export const CHARACTERS = {maruf: ['Maruf', 'Hasan', 'Mustafa', 'Karim'] as const, hindbad: ['Hindbad', 'Salim', 'Anwar', 'Idris'] as const, alnaschar: ['Alnaschar', 'Bakbuk', 'Faris', 'Nabil'] as const, khalifa: ['Khalifa', 'Judar', 'Abdallah', 'Sabur'] as const, kasim: ['Kasim', 'Omar', 'Ahmad', 'Ibrahim'] as const, ali: ['Ali', 'Firuz', 'Harun', 'Yunus'] as const, zubaida: ['Zubaida', 'Nuzhat', 'Halima', 'Rabia'] as const, morgiana: ['Morgiana', 'Amina', 'Safia', 'Zumurrud'] as const, jafar: ['Jafar', 'Fadl', 'Yahya', 'Sahl'] as const, dalila: ['Dalila', 'Zainab', 'Aziza', 'Maryam'] as const, duban: ['Duban', 'Lukman', 'Hakim', 'Bahram'] as const, scheherazade: ['Scheherazade', 'Dinarzade', 'Tawaddud', 'Budur'] as const}

export const CHAT_LENGTH = 280

export const CHESTS_TO_WIN = [0, 0, 6, 5, 4] as const

export const EMOTES = ['hello', 'wow', 'laugh', 'sad', 'think', 'cheer', 'thanks', 'hurry'] as const

export const FIRST_HANDS = [6, 7, 8, 9] as const

export const GUARD_FIELDS = 4

export const HEAVIEST_CHEST = 7

export const LARGEST_HAND = 25

export const LEVELS = ['maruf', 'hindbad', 'alnaschar', 'khalifa', 'kasim', 'ali', 'zubaida', 'morgiana', 'jafar', 'dalila', 'duban', 'scheherazade'] as const

export const RATINGS = {maruf: 1000, hindbad: 1245, alnaschar: 1378, khalifa: 1548, kasim: 1746, ali: 1978, zubaida: 2220, morgiana: 2412, jafar: 2754, dalila: 2996, duban: 3271, scheherazade: 3431}

export const SPREAD = {2: 1.0, 3: 0.78, 4: 0.63}

export const BEGINNER = [1150.0, 700.0] as const

export const DEFAULT_STAND_IN = 'morgiana'

export const MOST_GAMES = 200

export const NAME_LENGTH = 24

export const NEUTRAL = 4

export const PALACE_LETTERS = 'RGWPYB'

export const PRESETS = {ours: {rob: 'arrival', hands: 'hidden', spare: 'stack', board: 'classic'}, de: {rob: 'smuggle', hands: 'hidden', spare: 'stack', board: 'classic'}, en: {rob: 'smuggle', hands: 'hidden', spare: 'stack', board: 'classic'}, nl: {rob: 'arrival', hands: 'hidden', spare: 'stack', board: 'classic'}, cs: {rob: 'arrival', hands: 'hidden', spare: 'chosen', board: 'classic'}, '12thieves': {rob: 'smuggle', hands: 'hidden', spare: 'stack', board: 'loose'}}

export const RECORD_LENGTH = 200000

export const RULEBOOKS = ['ours', 'de', 'en', 'nl', 'cs', '12thieves'] as const

export const THIEF_ACTIONS = 3

export const CARDS_AFTER_ACTIONS = 3

export const CARDS_AFTER_NONE = 4

export const PLACING = 0

export const DEALING = 1

export const TURN = 2

export const OVER = 4

export const ACTION_TABLE_VERSION = 2
