// Tables on this device by themselves; that they say what a server says is held in tests/same.
import { beforeEach, expect, test } from 'vitest'

import module from '../../../src/baghdad/wasm/baghdad.wasm?url&inline'
import { Engine } from '../../src/engine/engine'
import { Host } from '../../src/local/host'
import { rulesFrom } from '../../src/local/play/module'
import type { Rules } from '../../src/local/play/rules'
import { Memory, type Storage } from '../../src/local/storage'
import { wordsFrom } from '../../src/local/words'
import type { Answer, Snapshot, ToClient, Welcome } from '../../src/wire/messages'

const CODE = '0TABLE'
const BOTS = { levels: ['maruf'], think: () => Promise.resolve(null), agrees: () => Promise.resolve(false) }
const WORDS = wordsFrom(
  new Map([
    [
      'en',
      {
        'server.only_here': 'only here',
        'server.chairs_open': 'open chairs',
        'server.not_a_record': '{why}',
        'record.where': 'line {line}, column {column}',
        'record.cut': 'cut',
      },
    ],
  ]),
)
let rules: Rules
let storage: Storage

beforeEach(async () => {
  rules = rulesFrom(await Engine.load(await (await fetch(module)).arrayBuffer()))
  storage = new Memory()
})

const host = () => {
  const chance = { newSeed: () => 'ab'.repeat(32), newCode: () => CODE, pick: () => 0, now: () => 1_000 }
  return new Host(storage, rules, BOTS, chance, WORDS)
}
const two = { name: 'Anna', agreement: { start: 'order' }, chairs: [{ kind: 'human', name: 'Ben' }] }

async function command(at: Host, id: string, version: number, wish: object, person = 0): Promise<Answer> {
  return (await at.ask(`tables/${CODE}/commands`, { id, version, wish, person }, 'en')).body as Answer
}

const look = async (at: Host) => (await at.ask(`tables/${CODE}`, undefined, 'en')).body as Snapshot

test('a command happens once, however often it is sent', async () => {
  const here = host()
  expect((await here.ask('tables', two, 'en')).body).toMatchObject({ code: CODE } satisfies Partial<Welcome>)
  const first = await command(here, 'a', 1, { type: 'start' })
  expect(first).toMatchObject({ result: 'accepted', number: 2 })
  expect(await command(here, 'a', 1, { type: 'start' })).toEqual(first)
  expect((await look(here)).number).toBe(2)
})

test('two tabs write to one table as two servers to one database', async () => {
  const [one, other] = [host(), host()]
  await one.ask('tables', two, 'en')
  expect((await look(other)).table.state).toBe('gathering')
  await command(one, 'a', 1, { type: 'start' })
  // The other has not heard of it; what it would write is there already, and so it looks again.
  expect(await command(other, 'b', 1, { type: 'start' })).toMatchObject({ result: 'stale', number: 2 })
  const moves = [command(one, 'c', 2, { type: 'move', action: 0 }), command(other, 'd', 2, { type: 'move', action: 1 })]
  expect((await Promise.all(moves)).map(({ result }) => result).sort()).not.toEqual(['accepted', 'accepted'])
  await other.changed(CODE)
  expect((await look(one)).shown).toEqual((await look(other)).shown)
})

test('a game goes on where nothing but its events was kept', async () => {
  const before = host()
  await before.ask('tables', two, 'en')
  await command(before, 'a', 1, { type: 'start' })
  await command(before, 'b', 2, { type: 'move', action: '@R' })
  const after = host()
  expect(await look(after)).toEqual(await look(before))
  expect(await command(after, 'b', 2, { type: 'move', action: '@R' })).toMatchObject({ result: 'accepted', number: 3 })
})

test('what fails to be kept has not happened', async () => {
  const here = host()
  await here.ask('tables', two, 'en')
  storage.append = () => Promise.reject(new Error('the disk is full'))
  expect(await command(here, 'a', 1, { type: 'start' })).toMatchObject({ result: 'failed' })
  expect((await look(here)).table.state).toBe('gathering')
})

test('for a bot that has no answer the simplest is played, and the log says so', async () => {
  const here = host()
  await here.ask('tables', { ...two, chairs: [{ kind: 'bot', level: 'maruf' }] }, 'en')
  const told: ToClient[] = []
  await here.connect(CODE, 0, null, 'en', (message) => told.push(message))
  await command(here, 'a', 1, { type: 'start' })
  await command(here, 'b', 2, { type: 'move', action: '@R' })
  await expect.poll(() => told.at(-1)).toMatchObject({ kind: 'moved', seat: 1, lines: [{ key: 'log.instead' }, {}] })
})

test('nobody joins, talks or is asked to go; nor is there a table that nobody has set up', async () => {
  const here = host()
  await here.ask('tables', two, 'en')
  for (const wish of [
    { type: 'chat', text: 'hello' },
    { type: 'kick', person: 1 },
    { type: 'hush', off: true },
  ])
    expect(await command(here, wish.type, 1, wish)).toMatchObject({ result: 'refused', reason: 'only here' })
  expect(await here.ask(`tables/${CODE}/join`, { name: 'Cem' }, 'en')).toMatchObject({ status: 409 })
  expect(await here.ask('tables/0NOBODY', undefined, 'en')).toMatchObject({ status: 404 })
  await here.ask(`tables/${CODE}/forget`, {}, 'en')
  expect(await here.ask(`tables/${CODE}`, undefined, 'en')).toMatchObject({ status: 404 })
})

test('a table that another tab has forgotten is gone, and nothing can be added to it', async () => {
  const [one, other] = [host(), host()]
  await one.ask('tables', two, 'en')
  await command(one, 'a', 1, { type: 'start' })
  const told: ToClient[] = []
  await other.connect(CODE, 0, null, 'en', (message) => told.push(message))
  await one.ask(`tables/${CODE}/forget`, {}, 'en')
  // It has not heard of it yet.
  const move = { type: 'move', action: '@R' }
  expect(await command(other, 'b', 2, move)).toMatchObject({ result: 'refused', key: 'server.no_table' })
  expect(told.at(-1)).toMatchObject({ type: 'answer', id: '', key: 'server.no_table' })
  await other.changed(CODE)
  expect(await storage.events(CODE, 0)).toEqual([])
  expect(await other.ask(`tables/${CODE}`, undefined, 'en')).toMatchObject({ status: 404 })
})

test('where a record stops is told to whoever wants it proved', async () => {
  const headers = { Players: '2', Variant: 'standard', Rob: 'arrival', Hands: 'hidden', Result: '1' }
  const lines = Object.entries(headers).map(([name, value]) => `[${name} "${value}"]`)
  const answer = await host().ask('verify', { record: [...lines, '', '@R @G'].join('\n') }, 'en')
  expect(answer.body).toMatchObject({ reason: 'line 7, column 6: cut' })
})
