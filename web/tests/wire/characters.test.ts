import { expect, test } from 'vitest'

import { charactersOf } from '../../src/wire/characters'

const namesOf = (...sitting: Parameters<typeof charactersOf>[0]) => charactersOf(sitting).map(({ name }) => name)

test('bots of one level are different figures, handed out by colour', () => {
  const [second, first] = charactersOf([
    { level: 'ali', colour: 3 },
    { level: 'ali', colour: 1 },
  ])
  expect(first).toEqual({ name: 'Ali', level: 'ali', nth: 0 })
  expect(second).toEqual({ name: 'Firuz', level: 'ali', nth: 1 })
})

test('no bot has the name of a person, whatever its case', () => {
  expect(namesOf({ name: 'ALI', colour: 3 }, { level: 'ali', colour: 0 })).toEqual(['ALI', 'Firuz'])
})

test('people of one name are numbered in the order of their colours', () => {
  expect(namesOf({ name: 'Ann', colour: 2 }, { name: 'ann', colour: 0 })).toEqual(['Ann 2', 'ann'])
})

test('a bot that others have written has its own name, and a number from the second on', () => {
  expect(namesOf({ level: 'greedy', colour: 0 }, { level: 'greedy', colour: 1 })).toEqual(['Greedy', 'Greedy 2'])
})
