import { beforeEach, expect, test } from 'vitest'

import { speak, tell } from '../../src/i18n/say.svelte'
import { agreedInWords, firstHands, holding, presetOf } from '../../src/state/agreement'

beforeEach(() => speak('en'))

test('a rulebook holds as long as no option differs from it, and ours where all are as in ours', () => {
  expect(holding('de', presetOf('de'))).toBe('de')
  expect(holding('de', presetOf('ours'))).toBe('ours')
  expect(holding(null, presetOf('ours'))).toBe('ours')
  expect(holding('de', { ...presetOf('de'), hands: 'seen', spare: 'chosen' })).toBeNull()
})

test('first hands are the usual ones, balanced ones, or those given; as many as play', () => {
  expect(firstHands(undefined, 3)).toEqual([6, 7, 8])
  expect(firstHands('usual', 4)).toEqual([6, 7, 8, 9])
  expect(firstHands('balanced', 2)).toEqual([6, 8])
  expect(firstHands('5-5-9-9', 2)).toEqual([5, 5])
})

test('what is usual is not worth a word', () => {
  expect(agreedInWords({})).toEqual([`Rulebook: ${tell('rulebook.ours')}`, 'Standard'])
  expect(agreedInWords({ rulebook: 'de', deal: 'usual' })).toEqual([`Rulebook: ${tell('rulebook.de')}`, 'Standard'])
})

test('all that was agreed on is said', () => {
  const told = agreedInWords(
    {
      variant: 'neutral',
      rob: 'smuggle',
      hands: 'seen',
      spare: 'chosen',
      deal: '5-6-7-8',
      move_seconds: 60,
      game_seconds: 3600,
    },
    3,
  )
  expect(told).toEqual([
    'Tactical variant',
    'Only a smuggled thief robs',
    'Cards while guards are placed: Visible',
    'When no dancer is left: A card of a named palace',
    'First hands: 5, 6, 7',
    'Time for a turn: 1 minute',
    'Time per player for the whole game: 1 hour',
  ])
})
