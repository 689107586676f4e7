// For what was said and judged elsewhere: tests in Python (`support.same`) write it, and start one of these checks.
import { readFileSync } from 'node:fs'

import { defineConfig } from 'vitest/config'

const { BAGHDAD_CHECK, BAGHDAD_TOLD, BAGHDAD_RULES, BAGHDAD_WEIGHTS, BAGHDAD_OPEN_WEIGHTS, BAGHDAD_EYES_WEIGHTS } =
  process.env

export default defineConfig({
  test: {
    include: [`tests/same/${BAGHDAD_CHECK}.check.ts`],
    testTimeout: 600_000,
    provide: {
      told: JSON.parse(readFileSync(BAGHDAD_TOLD, 'utf8')),
      rules: readFileSync(BAGHDAD_RULES, 'base64'),
      weights: readFileSync(BAGHDAD_WEIGHTS, 'base64'),
      open: readFileSync(BAGHDAD_OPEN_WEIGHTS, 'base64'),
      eyes: readFileSync(BAGHDAD_EYES_WEIGHTS, 'base64'),
    },
  },
})
