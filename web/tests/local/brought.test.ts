// Games that are taken along as records, and brought again: they go on as they would have.
import { beforeAll, expect, test } from 'vitest'

import module from '../../../src/baghdad/wasm/baghdad.wasm?url&inline'
import { Engine } from '../../src/engine/engine'
import { Mind } from '../../src/engine/mind'
import { botsAsked, type Question } from '../../src/local/bots'
import { Host } from '../../src/local/host'
import { rulesFrom } from '../../src/local/play/module'
import type { Rules } from '../../src/local/play/rules'
import { Memory } from '../../src/local/storage'
import { wordsFrom } from '../../src/local/words'
import type { Answer, Proof, Snapshot, Welcome } from '../../src/wire/messages'

const RECORDS = import.meta.glob<string>('../../../tests/data/3-*.txt', {
  query: '?raw',
  import: 'default',
  eager: true,
})
const GUESTS = ['One', 'Two', 'Three', 'Four']
let rules: Rules
let mind: Mind
beforeAll(async () => {
  const bytes = await (await fetch(module)).arrayBuffer()
  rules = rulesFrom(await Engine.load(bytes))
  mind = new Mind(await Engine.load(bytes))
})

class Device {
  readonly #host: Host
  #codes = 0
  #ids = 0

  constructor() {
    const think = ({ level, view, stream, end }: Question) =>
      Promise.resolve(end ? [Number(mind.agrees(level, view, stream))] : mind.decide(level, view, stream, 1))
    const chance = {
      newSeed: () => 'ab'.repeat(32),
      newCode: () => `0TABLE${this.#codes++}`,
      pick: () => 0,
      now: () => 1_700_000_000_000,
    }
    this.#host = new Host(new Memory(), rules, botsAsked(['kasim', 'ali'], think), chance, wordsFrom(new Map()))
  }

  async ask<T>(path: string, body?: unknown): Promise<T> {
    const { body: said } = await this.#host.ask(path, body, 'en')
    return said as T
  }

  /** Plays the first legal move of whoever has to move, so many times; bots decide in between. */
  async play(code: string, moves: number): Promise<void> {
    await this.#host.connect(code, 0, null, 'en', () => {})
    for (let move = 0; move < moves; move++) {
      const own = await expect
        .poll(async () => (await this.ask<Snapshot>(`tables/${code}`)).own?.legal, { timeout: 10_000, interval: 5 })
        .not.toEqual([])
        .then(() => this.ask<Snapshot>(`tables/${code}`))
      if (!own.own?.legal.length) return
      const wish = { type: 'move', action: own.own.legal.at(-1) }
      await this.ask<Answer>(`tables/${code}/commands`, { id: `m${this.#ids++}`, version: own.number, wish })
    }
  }
}

const look = (device: Device, code: string) => device.ask<Snapshot>(`tables/${code}`)

/** A game against a bot, some moves on, as it is saved. */
async function midway(here: Device): Promise<{ code: string; saved: string }> {
  const asked = {
    name: 'Anna',
    agreement: { start: 'order', rulebook: 'de' },
    chairs: [{ kind: 'bot', level: 'kasim' }],
  }
  const { code } = await here.ask<Welcome>('tables', asked)
  await here.ask(`tables/${code}/commands`, { id: 'a', version: 1, wish: { type: 'start' } })
  await here.play(code, 9)
  const saved = await here.ask<string>(`tables/${code}/saved`)
  return { code, saved }
}

test('a game goes on elsewhere with the same cards, against the same opponents', async () => {
  const [here, there] = [new Device(), new Device()]
  const { code, saved } = await midway(here)
  expect(saved).toContain('[Bots "-, kasim"]')
  const brought = await there.ask<string>('brought', { record: saved, guests: GUESTS })
  expect(await there.ask<string>(`tables/${brought}/saved`)).toBe(saved.replace(code, brought))
  const [one, other] = [await look(here, code), await look(there, brought)]
  expect(other.shown).toEqual(one.shown)
  expect(other.own).toEqual(one.own)
  expect(other.table.agreement).toEqual(one.table.agreement)
  // What comes next follows from the same secret. Bots have chance of their own, so only a person moves here.
  const wish = { type: 'move', action: one.own!.legal[0] }
  const cards = async (device: Device, at: string, { number }: Snapshot) => {
    await device.ask(`tables/${at}/commands`, { id: 'last', version: number, wish })
    return (await look(device, at)).own!.hand
  }
  expect(await cards(there, brought, other)).toEqual(await cards(here, code, one))
  await there.play(brought, 3)
})

test('a game that is over is kept with its result, and its proof where it has one', async () => {
  const [here, there] = [new Device(), new Device()]
  const asked = { name: 'Anna', agreement: { start: 'order' }, chairs: [{ kind: 'human', name: 'Ben' }] }
  const { code } = await here.ask<Welcome>('tables', asked)
  await here.ask(`tables/${code}/commands`, { id: 'a', version: 1, wish: { type: 'start' } })
  await here.play(code, 1)
  await here.ask(`tables/${code}/commands`, { id: 'b', version: 3, wish: { type: 'resign' }, person: 1 })
  const record = await here.ask<string>(`tables/${code}/record`)
  const brought = await there.ask<string>('brought', { record, guests: GUESTS })
  expect(await there.ask<string>(`tables/${brought}/record`)).toBe(record.replace(code, brought))
  expect((await look(there, brought)).table).toMatchObject({ state: 'over', termination: 'resigned', resigned: [1] })
  expect(await there.ask<Proof>('verify', { record })).toMatchObject({ fair: true })
})

test('records of all kinds become tables, without names and without a secret', async () => {
  const there = new Device()
  const moves = (record: string) => record.split('\n\n')[1]
  for (const [name, record] of Object.entries(RECORDS)) {
    const code = await there.ask<string>('brought', { record, guests: GUESTS })
    const saved = await there.ask<string>(`tables/${code}/saved`)
    expect(moves(saved), name).toBe(moves(record))
    expect(saved, 'its cards came from elsewhere').not.toContain('[Seed')
    const { table } = await look(there, code)
    expect(table.chairs.map((chair) => chair.name)).toEqual(GUESTS.slice(0, 3))
  }
  expect(await there.ask('brought', { record: '+R(R)', guests: GUESTS })).toMatchObject({ key: 'server.not_a_record' })
}, 60_000)

test('a record that stops before its cards are drawn goes on with those that would have come', async () => {
  const [here, there] = [new Device(), new Device()]
  const { saved } = await midway(here)
  const draw = saved.lastIndexOf(' =')
  expect(draw).toBeGreaterThan(0)
  const brought = await there.ask<string>('brought', { record: saved.slice(0, draw), guests: GUESTS })
  expect(await there.ask<string>(`tables/${brought}/saved`)).toContain(saved.slice(draw).split('\n')[0])
})
