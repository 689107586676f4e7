import { expect, test } from 'vitest'

import type { Language } from '../../src/i18n/say.svelte'
import { fits, folded, marked, stem, termsOf, type Synonyms } from '../../src/rules/search'

const finds = (text: string, wanted: string, language: Language = 'en', synonyms: Synonyms = {}) =>
  fits(text, termsOf(wanted, synonyms, language), language)

test('small letters without accents', () => {
  expect(folded('Wächter, Straße, ZLODĚJ')).toBe('wachter, strasse, zlodej')
})

test.each<[Language, string, string]>([
  ['en', 'guards', 'guard'],
  ['en', 'thieves', 'thief'],
  ['en', 'robbing', 'rob'],
  ['de', 'diebe', 'dieb'],
  ['de', 'wachtern', 'wachter'],
  ['nl', 'dieven', 'dief'],
  ['nl', 'paleizen', 'paleis'],
  ['nl', 'danseressen', 'danseres'],
  ['cs', 'truhel', 'truhla'],
  ['cs', 'karet', 'karta'],
])('%s: %s is a form of %s', (language, form, word) => {
  expect(stem(form, language)).toBe(stem(word, language))
})

test('short words keep their letters', () => {
  expect(stem('es', 'de')).toBe('es')
  expect(stem('see', 'en')).toBe('see')
})

test('every word that is typed has to be there, in any form and order', () => {
  expect(finds('Whoever has robbed a palace takes the chest.', 'chests rob')).toBe(true)
  expect(finds('Whoever has robbed a palace takes the chest.', 'chest dancer')).toBe(false)
  expect(finds('Anything', '')).toBe(true)
})

test('a word need not be typed to its end, and accents need not be typed', () => {
  expect(finds('Die Wächter stehen.', 'wach', 'de')).toBe(true)
  expect(finds('Zloděj jde dovnitř.', 'zlodej', 'cs')).toBe(true)
  expect(finds('Zloděj jde dovnitř.', 'zl', 'cs')).toBe(true)
})

test('what a rulebook calls the thing is understood, also of several words', () => {
  const synonyms = { chest: ['treasure trove', 'loot'] }
  expect(finds('The chest is taken.', 'treasure trove', 'en', synonyms)).toBe(true)
  expect(finds('The chest is taken.', 'loot taken', 'en', synonyms)).toBe(true)
  expect(finds('The chest is taken.', 'treasure', 'en', synonyms)).toBe(false)
})

test('what was found is told apart, and nothing of the text is lost', () => {
  const wanted = termsOf('guard', {}, 'en')
  const parts = marked('Two guards, one thief.', wanted, 'en')
  expect(parts.map(({ text }) => text).join('')).toBe('Two guards, one thief.')
  expect(parts.filter(({ found }) => found).map(({ text }) => text)).toEqual(['guards'])
})
