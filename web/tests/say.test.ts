// Texts by number, in the forms that every language has.
import { beforeEach, expect, test, vi } from 'vitest'

import { LANGUAGES, say, speak } from '../src/i18n/say.svelte'

beforeEach(() => vi.stubGlobal('document', { documentElement: {} }))

vi.mock('virtual:texts', () => ({
  load: () => Promise.resolve({ page: { thieves: { one: '{n} a', few: '{n} b', other: '{n} c' } }, told: {} }),
}))

test.each(LANGUAGES)('numbers choose their form: %s', async (language) => {
  await speak(language)
  const told = [0, 1, 2, 4, 5, 21].map((n) => say('thieves' as Parameters<typeof say>[0], { n }))
  const few = language === 'cs' ? 'b' : 'c'
  expect(told).toEqual(['0 c', '1 a', `2 ${few}`, `4 ${few}`, '5 c', '21 c'])
})
