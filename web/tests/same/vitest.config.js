// For conversations that a server has held: `tests/server/test_same_messages.py` writes them and starts this.
import { readFileSync } from 'node:fs'

import { defineConfig } from 'vitest/config'

const { BAGHDAD_CONVERSATIONS, BAGHDAD_RULES } = process.env

export default defineConfig({
  test: {
    include: ['tests/same/*.check.ts'],
    testTimeout: 600_000,
    provide: {
      conversations: JSON.parse(readFileSync(BAGHDAD_CONVERSATIONS, 'utf8')),
      rules: readFileSync(BAGHDAD_RULES, 'base64'),
    },
  },
})
