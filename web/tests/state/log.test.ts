import { expect, test } from 'vitest'

import { eventInWords } from '../../src/state/log'
import { isChat } from '../../src/wire/chat'

const NAMES = new Map([[0, 'Ali']])
const inWords = (event: { kind: string; person?: number; text?: string }) =>
  eventInWords({ type: 'event', number: 9, at: 0, ...event }, [], NAMES)

test('what somebody says is told with the name', () => {
  expect(inWords({ kind: 'chatted', person: 0, text: 'hello' })).toBe('Ali: hello')
})

test('whoever is not sent the words is told nothing', () => {
  for (const kind of ['chatted', 'emoted']) {
    expect(isChat({ kind })).toBe(false)
    expect(inWords({ kind })).toBe('')
  }
})
