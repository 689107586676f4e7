// Words for people, from the catalogues in src/baghdad/text, one file a language, fetched when needed.
import { load } from 'virtual:texts'

import type English from '../../../src/baghdad/text/web.en.json'

export const LANGUAGES = ['en', 'de', 'nl', 'cs'] as const
export type Language = (typeof LANGUAGES)[number]
export type Key = keyof typeof English
export type Say = typeof say
type Catalogue = Record<string, string | Record<string, string>>
type Values = Record<string, string | number>

let language = $state<Language>('en')
let texts = $state.raw<Catalogue>({})
let messages = $state.raw<Catalogue>({})
/** Which form of a text goes with a number. */
let forms = new Intl.PluralRules('en')

/** Changes the language of everything on the screen. */
export async function speak(wanted: Language): Promise<void> {
  const { page, told } = await load(wanted)
  forms = new Intl.PluralRules(wanted)
  texts = page
  messages = told
  language = wanted
  document.documentElement.lang = wanted
}

export function spoken(): Language {
  return language
}

/** The first language of the browser that we have; English where we have none. */
export function preferredLanguage(wanted: readonly string[] = navigator.languages): Language {
  const codes = wanted.map((tag) => tag.slice(0, 2).toLowerCase())
  return LANGUAGES.find((known) => known === codes.find((code) => LANGUAGES.includes(code as Language))) ?? 'en'
}

function filled(catalogue: Catalogue, key: string, values: Values): string {
  const found = catalogue[key] ?? key
  const text = typeof found === 'string' ? found : (found[forms.select(Number(values.n))] ?? key)
  return text.replace(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place))
}

/** A text of the page. One that depends on a number has several forms, chosen by `n`. */
export function say(key: Key, values: Values = {}): string {
  return filled(texts, key, values)
}

/** Names as one says them: "Ali, Bea and Cem". */
export function listed(names: readonly string[]): string {
  return new Intl.ListFormat(language).format(names)
}

/** A day and an hour, as they are written. */
export function day(at: number): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(at)
}

/** A length of time in words, in the largest unit that fits. */
export function duration(seconds: number): string {
  const units = [
    ['day', 86_400],
    ['hour', 3600],
    ['minute', 60],
    ['second', 1],
  ] as const
  const [unit, length] = units.find(([, each]) => seconds % each === 0)!
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(seconds / length)
}

/** How long ago something was, in the largest unit that fits. */
export function ago(at: number, now: number): string {
  const seconds = Math.max(0, now - at) / 1000
  const units = [
    ['year', 31_536_000],
    ['month', 2_592_000],
    ['week', 604_800],
    ['day', 86_400],
    ['hour', 3600],
    ['minute', 60],
  ] as const
  const [unit, length] = units.find(([, each]) => seconds >= each) ?? (['second', Infinity] as const)
  return new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(-Math.floor(seconds / length), unit)
}

/** A text that the server and the page share, by the key that the server has sent. */
export function tell(key: string, values: Values = {}): string {
  return filled(messages, key, values)
}
