// Tables without a server are asked what a server was asked, and have to say the same: ids and times aside.
import { expect, inject, test } from 'vitest'

import cs from '../../../src/baghdad/text/messages.cs.json'
import de from '../../../src/baghdad/text/messages.de.json'
import en from '../../../src/baghdad/text/messages.en.json'
import nl from '../../../src/baghdad/text/messages.nl.json'
import { Engine } from '../../src/engine/engine'
import { Mind } from '../../src/engine/mind'
import { botsAsked, type Question } from '../../src/local/bots'
import { Host } from '../../src/local/host'
import { rulesFrom } from '../../src/local/play/module'
import { Memory } from '../../src/local/storage'
import { wordsFrom, type Catalogue } from '../../src/local/words'
import type { EventMessage, ToClient } from '../../src/wire/messages'
import { bytesOf } from './told'

interface Step {
  path?: string
  body?: unknown
  language?: string
  status?: number
  answer?: unknown
  /** Somebody comes, or is told something. */
  enter?: number
  hear?: number
  after?: number
  heard?: ToClient[]
}

interface Conversation {
  secrets: string[]
  picks: number[]
  levels: string[]
  steps: Step[]
}

const CONVERSATIONS = inject('told') as Conversation[]
const BYTES = bytesOf(inject('rules'))
const RULES = rulesFrom(await Engine.load(BYTES))
const MIND = new Mind(await Engine.load(BYTES))
/** Long enough for those that need no time, as all here. */
const SECONDS = 1
const TEXTS = new Map<string, Catalogue>(Object.entries({ en, de, nl, cs }))
const CODE = '0TABLE'
const TIMES = ['at', 'since', 'deadline', 'used', 'ended', 'Date', 'code', 'secret']

/** Without ids and times. */
function aside(value: unknown, code: string): unknown {
  if (typeof value === 'string') return value.replaceAll(code, 'CODE').replace(/\[Date "[^"]*"\]/, '[Date]')
  if (Array.isArray(value)) return value.map((each) => aside(each, code))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, each]) =>
      TIMES.includes(name) && each !== null ? [] : [[name, aside(each, code)]],
    ),
  )
}

/** Bots as this device has them; the server's have to want the same. */
const think = ({ level, view, stream, end }: Question) =>
  Promise.resolve(end ? [Number(MIND.agrees(level, view, stream))] : MIND.decide(level, view, stream, SECONDS))

/** Lets all that can go on without a clock go on. */
const rest = () => new Promise<void>((done) => setTimeout(done, 0))

test.each(CONVERSATIONS.map((each, n) => [n + 1, each] as const))('conversation %i', async (_, conversation) => {
  const secrets = [...conversation.secrets]
  const picks = [...conversation.picks]
  const heard = new Map<number, ToClient[]>()
  const chance = {
    newSeed: () => secrets.shift()!,
    newCode: () => CODE,
    pick: () => picks.shift()!,
    now: () => Date.now(),
  }
  const host = new Host(new Memory(), RULES, botsAsked(conversation.levels, think), chance, wordsFrom(TEXTS))
  const hear = (person: number) => (message: ToClient) => {
    if (message.type === 'present' || message.type === 'beat') return
    heard.get(person)!.push(message)
  }
  const first = conversation.steps[0]!.answer as { code: string }
  for (const [at, step] of conversation.steps.entries()) {
    const said = (value: unknown) => aside(JSON.parse(JSON.stringify(value)), CODE)
    const meant = (value: unknown) => aside(value, first.code)
    const where = `step ${at}: ${JSON.stringify({ ...step, answer: undefined, heard: undefined })}`
    if (step.path !== undefined) {
      const { status, body } = await host.ask(step.path.replace('CODE', CODE), step.body, step.language ?? 'en')
      expect(said(body), where).toEqual(meant(step.answer))
      expect(status, where).toBe(step.status)
    } else if (step.enter !== undefined) {
      heard.set(step.enter, [])
      await host.connect(CODE, step.enter, step.after ?? null, 'en', hear(step.enter))
    }
    if (!step.heard) continue
    const own = heard.get(step.enter ?? step.hear!)!
    while (own.length < step.heard.length) await rest()
    const told = own.splice(0, step.heard.length) as EventMessage[]
    expect(said(told), where).toEqual(meant(step.heard))
  }
  expect([...heard.values()].flat(), 'nobody is told anything else').toEqual([])
})
