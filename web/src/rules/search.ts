// Finding a rule by the words that somebody has in mind: in any form, without accents, or as a rulebook calls the thing.
import type { Language } from '../i18n/say.svelte'

/** Other words for the words of our rules: `{"chest": ["treasure trove"]}`. */
export type Synonyms = Record<string, readonly string[]>
/** A thing searched for: alternatives, each of them words that all have to be there. */
type Term = readonly (readonly string[])[]

const WORD = /[\p{L}\p{N}]+/gu

/** Small letters without accents: `Wächter` becomes `wachter`. */
export function folded(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss')
}

// Endings that a word may have, longest first. They are cut off folded words, and never leave less than three letters.
const ENDINGS: Record<Language, RegExp> = {
  en: /(ing|ed|es|s|e)$/,
  de: /(ern|em|en|er|es|e|n|s)$/,
  nl: /(en|(?<=[rlnmd])s|e)$/,
  cs: /(ami|emi|eho|emu|ovi|ach|ech|ich|ou|em|um|im|om|ym|[aeiouy])$/,
}

/** What the forms of a word have in common: `guards` and `guard` become `guard`. Takes and gives folded words. */
export function stem(word: string, language: Language): string {
  const cut = word.replace(ENDINGS[language], '')
  let found = cut.length < 3 ? word : cut
  if (/([^aeiouy])\1$/.test(found) && found.length > 3) found = found.slice(0, -1) // robbing, danseressen
  // thief and thieves, dief and dieven, paleis and paleizen
  if (language === 'en' || language === 'nl') found = found.replace(/f$/, 'v')
  if (language === 'nl') found = found.replace(/s$/, 'z')
  // truhel and truhla, karet and karta
  if (language === 'cs') found = found.replace(/([^aeiouy])e([lrkt])$/, '$1$2')
  return found
}

function wordsOf(text: string): string[] {
  return folded(text).match(WORD) ?? []
}

/** What somebody looks for, with the words that our rules have for it. */
export function termsOf(wanted: string, synonyms: Synonyms, language: Language): Term[] {
  const words = wordsOf(wanted)
  const known = Object.entries(synonyms).flatMap(([ours, others]) =>
    others.map((other) => [wordsOf(other), wordsOf(ours)] as const),
  )
  const found: Term[] = []
  for (let at = 0; at < words.length;) {
    const said = known.filter(([other]) => other.every((word, n) => alike(words[at + n] ?? '', word, language)))
    const length = Math.max(1, ...said.map(([other]) => other.length))
    found.push([
      words.slice(at, at + length),
      ...said.filter(([other]) => other.length === length).map(([, ours]) => ours),
    ])
    at += length
  }
  return found
}

/** Whether a word that was typed, perhaps not to its end, is a form of another. */
function alike(typed: string, word: string, language: Language): boolean {
  return stem(typed, language) === stem(word, language) || (typed.length * 2 > word.length && word.startsWith(typed))
}

/** Whether a word of a text, folded, is meant by a word that was typed. */
function meant(word: string, typed: string, language: Language): boolean {
  const root = stem(typed, language)
  return (
    (typed.length >= 3 ? word.includes(typed) : word.startsWith(typed)) ||
    stem(word, language) === root ||
    (root.length >= 4 && word.startsWith(root))
  )
}

/** Whether a text has all that is searched for. */
export function fits(text: string, terms: readonly Term[], language: Language): boolean {
  const words = wordsOf(text)
  return terms.every((alternatives) =>
    alternatives.some((phrase) => phrase.every((typed) => words.some((word) => meant(word, typed, language)))),
  )
}

/** A text in parts, with those that were found told apart. */
export function marked(text: string, terms: readonly Term[], language: Language): { text: string; found: boolean }[] {
  const typed = terms.flat(2)
  return text
    .split(/([\p{L}\p{N}]+)/u)
    .filter(Boolean)
    .map((part) => {
      const word = folded(part)
      return { text: part, found: typed.some((each) => meant(word, each, language)) }
    })
}
