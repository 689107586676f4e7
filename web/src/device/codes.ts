/** Codes of tables, to be read out and typed in. */

const SHORT = 6
const GROUP = 4

/** A long code in groups of three or four letters, as telephone numbers are read. */
export function inGroups(code: string): string[] {
  const groups = code.length > SHORT ? Math.ceil(code.length / GROUP) : 1
  return Array.from({ length: groups }, (_, n) =>
    code.slice(Math.ceil((n * code.length) / groups), Math.ceil(((n + 1) * code.length) / groups)),
  )
}

/** The code that somebody has typed, in groups or not, or pasted as a link. */
export const typedCode = (text: string): string =>
  text
    .toUpperCase()
    .replace(/^.*\/T\//, '')
    .replace(/[\s.·–—-]+/g, '')
