// The action table says of every action what its token says.
import { expect, test } from 'vitest'

import { ACTIONS, type Action } from '../../src/wire/actions'

/** The token of the game record, spelled anew. */
function spelled({ kind, from, to, price, takes }: Action): string {
  const paid = price.length ? `(${price.join('')})` : ''
  switch (kind) {
    case 'place':
      return `@${to}`
    case 'place_neutral':
      return `@n${to}`
    case 'smuggle':
      return `+${to}${paid}`
    case 'move':
      return `${from}>${to}${paid}`
    case 'carry':
      return `${from}>>${to}${paid}`
    case 'move_neutral':
      return `n${from}>${to}${paid}`
    case 'end':
      return '.'
    default:
      return `-${takes ?? ''}`
  }
}

test('every action is what its token says, payment in the same order', () => {
  expect(ACTIONS.map(spelled)).toEqual(ACTIONS.map(({ token }) => token))
  expect(ACTIONS.map(({ number }) => number)).toEqual(ACTIONS.map((_, n) => n))
  expect(ACTIONS).toHaveLength(375)
})

test('whoever is brought somewhere follows from the kind', () => {
  const by = (test: (action: Action) => unknown) => [...new Set(ACTIONS.filter(test).map(({ kind }) => kind))].sort()
  expect(by(({ thief }) => thief)).toEqual(['carry', 'smuggle'])
  expect(by(({ guard }) => guard === 'own')).toEqual(['carry', 'move', 'place'])
  expect(by(({ guard }) => guard === 'neutral')).toEqual(['move_neutral', 'place_neutral'])
  expect(by(({ from }) => from)).toEqual(['carry', 'move', 'move_neutral'])
  expect(by(({ ends }) => ends)).toEqual(['end', 'name', 'pass'])
  expect(by(({ to }) => !to)).toEqual(['end', 'name', 'pass'])
})
