import { beforeEach, expect, test } from 'vitest'

import { cardsInWords, drawn } from '../../src/i18n/cards'
import {
  ago,
  duration,
  LANGUAGES,
  listed,
  preferredLanguage,
  say,
  speak,
  spoken,
  tell,
} from '../../src/i18n/say.svelte'
import { sentence } from '../../src/i18n/sentence'

beforeEach(() => speak('en'))

test('a text is filled with values, and what has none stays to be seen', () => {
  expect(say('end.own', { n: 3, needed: 6 })).toBe('You have 3 of 6 chests.')
  expect(say('end.own', { n: 3 })).toBe('You have 3 of {needed} chests.')
})

test('a key that nobody has written is shown as it is', () => {
  expect(tell('log.unheard_of')).toBe('log.unheard_of')
})

test('each language has its own plural forms', async () => {
  const forms = async (language: (typeof LANGUAGES)[number]) => {
    await speak(language)
    return [0, 1, 2, 4, 5].map((n) => say('hand.cards', { n, palace: '' }).replace(/.*\d+ /, ''))
  }
  expect(await forms('en')).toEqual(['cards', 'card', 'cards', 'cards', 'cards'])
  expect(await forms('cs')).toEqual(['karet', 'karta', 'karty', 'karty', 'karet'])
})

test('the forms are those that the browser itself would choose', async () => {
  for (const language of LANGUAGES) {
    await speak(language)
    const rules = new Intl.PluralRules(language)
    const shape = (n: number) => say('hand.cards', { n, palace: '' }).replace(/\d+/, '')
    const seen = new Map<string, string>()
    for (let n = 0; n < 200; n++) seen.set(rules.select(n), seen.get(rules.select(n)) ?? shape(n))
    for (let n = 0; n < 200; n++) expect(shape(n)).toBe(seen.get(rules.select(n)))
  }
})

test('the page says in which language it speaks', async () => {
  await speak('nl')
  expect(spoken()).toBe('nl')
  expect(document.documentElement.lang).toBe('nl')
})

test('the first language of the browser that we have is taken, and English where we have none', () => {
  expect(preferredLanguage(['fr', 'cs-CZ', 'de'])).toBe('cs')
  expect(preferredLanguage(['DE'])).toBe('de')
  expect(preferredLanguage(['fr'])).toBe('en')
  expect(preferredLanguage([])).toBe('en')
})

test('names, lengths of time and times past are put into words', () => {
  expect(listed(['Ali', 'Bea', 'Cem'])).toBe('Ali, Bea, and Cem')
  expect([30, 60, 90, 7200, 86_400].map(duration)).toEqual(['30 seconds', '1 minute', '90 seconds', '2 hours', '1 day'])
  const now = Date.UTC(2026, 0, 31)
  expect([0, 59, 3600, 86_400, 8 * 86_400].map((seconds) => ago(now - seconds * 1000, now))).toEqual([
    'now',
    'now',
    '1 hour ago',
    'yesterday',
    'last week',
  ])
  expect(ago(now + 5000, now)).toBe('now')
})

test('cards are counted by kind', () => {
  expect(cardsInWords('RR*')).toBe(`2 × ${tell('palace.R')}, 1 × ${say('dancer')}`)
  expect(drawn({ cards: 3, dancer: false })).toBe(say('turn.draws', { n: 3 }))
  expect(drawn({ cards: 3, dancer: true })).toBe(say('turn.draws_dancer', { n: 3 }))
  expect(drawn({ cards: 4, dancer: false, naming: true })).toBe(say('turn.draws_named', { n: 4 }))
})

test('a reason becomes a sentence', () => {
  expect(['', 'no card', 'Why?', 'it is over.'].map(sentence)).toEqual(['', 'No card.', 'Why?', 'It is over.'])
})
