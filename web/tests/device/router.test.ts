import { expect, test, vi } from 'vitest'

import { match } from '../../src/device/router.svelte'

test('a pattern names the parts of an address', () => {
  expect(match('/t/:code', '/t/F7KQXM')).toEqual({ code: 'F7KQXM' })
  expect(match('/t/:code', '/t/F7KQXM/')).toEqual({ code: 'F7KQXM' })
  expect(match('/t/:code/:number/replay', '/t/F7KQXM/2/replay')).toEqual({ code: 'F7KQXM', number: '2' })
})

test('what is longer, shorter, empty or other does not fit', () => {
  for (const path of ['/t', '/t/', '/t/A/B', '/x/A', '/']) expect(match('/t/:code', path)).toBeNull()
})

test('parts are decoded, and stay as they are where they cannot be', () => {
  expect(match('/t/:code', '/t/%C4%8D')).toEqual({ code: 'č' })
  expect(match('/t/:code', '/t/%C4')).toEqual({ code: '%C4' })
  for (const path of ['/t/..%2f..', '/t/A%5CB']) expect(match('/t/:code', path)).toBeNull()
})

test('what stands behind the # is a page of ours, never another host', async () => {
  const replaceState = vi.fn()
  vi.stubGlobal('history', { replaceState })
  for (const hash of ['#/t/F7KQXM', '#//evil.example/', '#/\\evil.example/']) {
    vi.stubGlobal('location', new URL(`https://baghdad.example/${hash}`))
    vi.resetModules()
    await import('../../src/device/router.svelte')
    const [, , address] = replaceState.mock.lastCall as [unknown, unknown, string]
    expect(new URL(address, location.href).host).toBe('baghdad.example')
  }
})
