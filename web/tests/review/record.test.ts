import { expect, test } from 'vitest'

import { recordOf } from '../../src/review/record'

const RECORD = `[Players "2"]
[Variant "standard"]
[Rob "arrival"]
[Hands "hidden"]
[Result "2"]
[Termination "resigned"]
[Resigned "1@4"]
[Seats "Ann, kasim"]

@R @G
@B
`

test('a game that was not played to its end does not tell of one', () => {
  expect(recordOf(RECORD, ['@R', '@Y'])).toBe(`[Players "2"]
[Variant "standard"]
[Rob "arrival"]
[Hands "hidden"]
[Seats "Ann, kasim"]
[Result "*"]

@R @Y
`)
})

test('headers that are changed stand there once, whatever is in them', () => {
  const record = recordOf(RECORD, [], { Seats: 'A "B" \\, kasim' })
  expect(record.match(/\[Seats /g)).toHaveLength(1)
  expect(record).toContain(String.raw`[Seats "A \"B\" \\, kasim"]`)
})
