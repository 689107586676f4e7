// Moves as text: what a token stands for, and why another text is none. As `rules/notation.py` reads them.
import { ACTIONS } from '../../wire/actions'
import { CARD_LETTERS } from '../../wire/messages'
import { MoveError, shortened } from './errors'

export const ACTION_OF: ReadonlyMap<string, number> = new Map(ACTIONS.map(({ token, number }) => [token, number]))
const SMUGGLE = /^\+([RGWPYB])\(([RGWPYB*]*)\)$/
const MOVE = /^(n?)([RGWPYB])(>>?)([RGWPYB])\(([RGWPYB*]*)\)$/
const UNSEEN = /^=[RGWPYB?]*$/
const DRAW = /^=([RGWPYB*]*)$/

/** A typed move with the letters and blanks of a token. */
export function spelled(text: string): string {
  return text
    .replace(/\s+/g, '')
    .toUpperCase()
    .replace(/^(@?)N/, '$1n')
}

/** The cards of a chance step, as its token. */
export const tokenOf = (cards: readonly number[]): string => `=${cards.map((card) => CARD_LETTERS[card]).join('')}`

/** An action by its number, or the cards of a chance step. Throws where no position allows such a move. */
export function readToken(token: string): number | number[] {
  const action = ACTION_OF.get(token)
  if (action !== undefined) return action
  const cards = DRAW.exec(token)
  if (cards) return [...cards[1]!].map((letter) => CARD_LETTERS.indexOf(letter))
  throw impossible(token)
}

/** The kind of action that a token of a turn, possible or not, would be. */
export function kindOf(token: string): 'smuggle' | 'move_neutral' | 'carry' | 'move' {
  if (token.startsWith('+')) return 'smuggle'
  if (token.startsWith('n')) return 'move_neutral'
  return token.includes('>>') ? 'carry' : 'move'
}

function impossible(token: string): MoveError & { illegal?: boolean } {
  const smuggle = SMUGGLE.exec(token)
  if (smuggle) {
    const [, palace, paid] = smuggle as unknown as [string, string, string]
    const canonical = `+${palace}(${[...paid].sort((a, b) => Number(a === '*') - Number(b === '*')).join('')})`
    if (ACTION_OF.has(canonical)) return new MoveError('written_so', null, { token, canonical })
    if ([...paid].every((card) => card === palace || card === '*'))
      return illegal(new MoveError('smuggle_cost_range', 'R12'))
    return illegal(new MoveError('smuggle_payment', 'R12', { palace }))
  }
  const move = MOVE.exec(token)
  if (move) {
    const [, neutral, here, arrow, there, paid] = move as unknown as [string, string, string, string, string, string]
    if (neutral && arrow === '>>') return illegal(new MoveError('neutral_alone', 'R15'))
    const rule = neutral ? 'R15' : arrow === '>' ? 'R13' : 'R14'
    if (here === there) return illegal(new MoveError('same_palace', rule))
    const canonical = `${neutral}${here}${arrow}${there}(${[...paid].reverse().join('')})`
    if (ACTION_OF.has(canonical)) return new MoveError('written_so', null, { token, canonical })
    return illegal(new MoveError(neutral ? 'neutral_payment' : 'move_payment', rule))
  }
  if (UNSEEN.test(token)) return new MoveError('unseen_cards', null, { token: shortened(token) })
  return new MoveError('no_token', null, { token: shortened(token) })
}

/** What no position allows, though it is a move: at the wrong moment that is the first reason. */
const illegal = (error: MoveError): MoveError & { illegal?: boolean } => Object.assign(error, { illegal: true })
