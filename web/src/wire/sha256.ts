// SHA-256 (FIPS 180-4) of a text, or of bytes. Browsers have it themselves, but not for pages that come over plain HTTP from
// another machine, as in a room without the internet.

/** The first 32 bits of the fractional parts of a root of each of the first primes. */
function roots(count: number, root: (n: number) => number): Uint32Array {
  const found: number[] = []
  for (let n = 2; found.length < count; n++) {
    let prime = true
    for (let factor = 2; factor * factor <= n; factor++) if (n % factor === 0) prime = false
    if (prime) found.push((root(n) % 1) * 2 ** 32)
  }
  return Uint32Array.from(found)
}

const ROUNDS = roots(64, Math.cbrt)
const START = roots(8, Math.sqrt)
/** Bytes of a block, and where in the last one the length of the text stands. */
const [BLOCK, LENGTH] = [64, 56]

const turned = (word: number, by: number) => (word >>> by) | (word << (32 - by))

/** In hexadecimal. */
export function sha256(given: string | Uint8Array): string {
  const bytes = typeof given === 'string' ? new TextEncoder().encode(given) : given
  const padded = new Uint8Array(Math.ceil((bytes.length + 1 + BLOCK - LENGTH) / BLOCK) * BLOCK)
  padded.set(bytes)
  padded[bytes.length] = 0x80
  const view = new DataView(padded.buffer)
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29))
  view.setUint32(padded.length - 4, bytes.length * 8)
  const state = START.slice()
  const words = new Uint32Array(64)
  for (let at = 0; at < padded.length; at += BLOCK) {
    for (let n = 0; n < 16; n++) words[n] = view.getUint32(at + 4 * n)
    for (let n = 16; n < 64; n++) {
      const [early, late] = [words[n - 15]!, words[n - 2]!]
      const first = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3)
      const second = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10)
      words[n] = words[n - 16]! + first + words[n - 7]! + second
    }
    let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number]
    for (let n = 0; n < 64; n++) {
      const one = h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + ROUNDS[n]! + words[n]!
      const two = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))
      ;[a, b, c, d, e, f, g, h] = [(one + two) | 0, a, b, c, (d + one) | 0, e, f, g]
    }
    for (const [n, word] of [a, b, c, d, e, f, g, h].entries()) state[n]! += word
  }
  return Array.from(state, (word) => word.toString(16).padStart(8, '0')).join('')
}
