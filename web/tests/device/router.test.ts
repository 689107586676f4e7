import { expect, test } from 'vitest'

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
})
