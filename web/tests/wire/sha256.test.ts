// The page's own SHA-256, for browsers that keep theirs from pages over plain HTTP; here against the platform's.
import { expect, test } from 'vitest'

import { sha256 } from '../../src/wire/sha256'

/** The vectors of NIST's Secure Hash Standard. */
const KNOWN: Record<string, string> = {
  '': 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  abc: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq:
    '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
  abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu:
    'cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1',
  ['a'.repeat(1_000_000)]: 'cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0',
}

/** Every length around one, two and three blocks, and letters of many bytes. */
const TEXTS = [
  ...Object.keys(KNOWN),
  ...Array.from({ length: 200 }, (_, n) => 'x'.repeat(n)),
  'čtyři zloději',
  'Diebe 🏺'.repeat(20),
]

async function platforms(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

test('it is SHA-256', async () => {
  for (const text of TEXTS) expect(sha256(text)).toBe(await platforms(text))
})

test.each(Object.entries(KNOWN))('a vector of the standard: %.20s', (text, hash) => {
  expect(sha256(text)).toBe(hash)
})
