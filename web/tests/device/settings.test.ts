import { expect, test, vi } from 'vitest'

import { spoken } from '../../src/i18n/say.svelte'
import { saved } from '../../src/device/storage'

test('what nobody can have kept is as if nothing was', () => {
  localStorage.setItem('baghdad-tables', 'null')
  expect(saved('baghdad-tables', [])).toEqual([])
  localStorage.setItem('baghdad-tables', '{{')
  expect(saved('baghdad-tables', [])).toEqual([])
})

test('a language that this version does not speak gives way to the one of the browser', async () => {
  vi.stubGlobal('navigator', { languages: ['cs-CZ', 'de'] })
  localStorage.setItem('baghdad-settings', JSON.stringify({ language: 'eo' }))
  const { settle } = await import('../../src/device/settings.svelte')
  await settle()
  expect(spoken()).toBe('cs')
})
