// Reasons in words. The catalogues come from the page, so that nothing is fetched here.
import type { Reason } from './play/rules'

export type Words = (reason: Reason, language: string) => string
export type Catalogue = Readonly<Record<string, string | Readonly<Record<string, string>>>>

/** Which form a number takes. */
function form(language: string, n: number): string {
  if (n === 1) return 'one'
  return language === 'cs' && n >= 2 && n <= 4 ? 'few' : 'other'
}

/** Words from catalogues by language; palaces are given as letters. */
export function wordsFrom(catalogues: ReadonlyMap<string, Catalogue>): Words {
  return ({ key, values }, language) => {
    const catalogue = catalogues.get(language) ?? [...catalogues.values()][0] ?? {}
    const found = catalogue[key] ?? key
    const text = typeof found === 'string' ? found : found[form(language, Number(values.n))]!
    return text.replace(/\{(\w+)(!r)?\}/g, (_, name: string, quoted?: string) => {
      const value = values[name] ?? ''
      if (name === 'palace' || name === 'to') return catalogue[`palace.${value}`] as string
      return quoted ? inQuotes(String(value)) : String(value)
    })
  }
}

/** As Python shows a text. */
function inQuotes(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'"
  return quote + text.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`) + quote
}
