// The action table: what each decision is, where it begins, where it goes and what it costs.
import { TOKENS } from './messages'
import type { CardKind, Palace } from './names'

export type Kind = 'place' | 'smuggle' | 'move' | 'carry' | 'end'

export interface Action {
  number: number
  token: string
  kind: Kind
  neutral: boolean
  from: Palace | null
  to: Palace | null
  price: readonly CardKind[]
  /** The palace of which a card is asked for with the turn's end (R23). */
  named: Palace | null
}

const FORM = /^(?:(@)(n?)(\w)|\+(\w)\((.+)\)|(n?)(\w)(>>?)(\w)\((.+)\)|[.-]\*?|-(\w))$/

export const ACTIONS: readonly Action[] = TOKENS.map((token, number) => {
  const [, at, placed, where, into, paid, moved, leaves, step, enters, cost, named] = FORM.exec(token)!
  const kind: Kind = at ? 'place' : into ? 'smuggle' : step === '>' ? 'move' : step ? 'carry' : 'end'
  return {
    number,
    token,
    kind,
    neutral: !!(placed || moved),
    from: (leaves as Palace | undefined) ?? null,
    to: ((where ?? into ?? enters) as Palace | undefined) ?? null,
    price: [...(paid ?? cost ?? '')] as CardKind[],
    named: (named as Palace | undefined) ?? null,
  }
})

export function actionsOf(legal: readonly number[]): Action[] {
  return legal.map((action) => ACTIONS[action]!)
}
