/** A reason as the server gives it, as a sentence of its own. */
export function sentence(text: string): string {
  return text && `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`
}
