import { expect, test } from 'vitest'

import { inGroups, typedCode } from '../../src/device/codes'

test('a long code is read in groups', () => {
  const groups = ['F7KQXM', 'F7KQXM2', 'F7KQXM23', 'F7KQXM234', 'F7KQXM2345'].map(inGroups)
  expect(groups).toEqual([['F7KQXM'], ['F7KQ', 'XM2'], ['F7KQ', 'XM23'], ['F7K', 'QXM', '234'], ['F7KQ', 'XM2', '345']])
})

test('a code is understood as it is typed or pasted', () => {
  for (const typed of ['f7k qxm 234', ' F7K-QXM-234 ', 'https://baghdad.example.org/t/F7KQXM234', 'F7K·QXM·234'])
    expect(typedCode(typed)).toBe('F7KQXM234')
  expect(typedCode(' - ')).toBe('')
})
