// What the checks are given.
declare module 'vitest' {
  interface ProvidedContext {
    told: unknown
    rules: string
    weights: string
    open: string
    eyes: string
  }
}

export const bytesOf = (text: string) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
