import svelte from 'eslint-plugin-svelte'
import { defineConfig } from 'eslint/config'
import ts from 'typescript-eslint'

import svelteConfig from './svelte.config.js'

export default defineConfig(
  { ignores: ['node_modules', 'src/engine/exports.ts', 'src/wire/actions.ts', 'src/wire/messages.ts'] },
  ts.configs.strictTypeChecked,
  ts.configs.stylisticTypeChecked,
  svelte.configs.recommended,
  svelte.configs.prettier,
  {
    languageOptions: { parserOptions: { projectService: true, extraFileExtensions: ['.svelte'] } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      // An index into a table whose length is known is a value: `!` says so where the compiler can't.
      '@typescript-eslint/no-non-null-assertion': 'off',
      // `return show()` leaves early from what returns nothing.
      '@typescript-eslint/no-confusing-void-expression': 'off',
      // `void` is also how an effect names what it waits for.
      '@typescript-eslint/no-meaningless-void-operator': 'off',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/no-empty-function': ['error', { allow: ['arrowFunctions'] }],
      // Cards and table codes are letters without accents.
      '@typescript-eslint/no-misused-spread': ['error', { allow: ['string'] }],
      // An empty text is as good as none.
      '@typescript-eslint/prefer-nullish-coalescing': ['error', { ignorePrimitives: { string: true } }],
      // A browser may lack what the types promise.
      '@typescript-eslint/no-unnecessary-condition': 'off',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { arguments: false } }],
      // Collections are never changed in place: each state has a new one.
      'svelte/prefer-svelte-reactivity': 'off',
      // At the beginning of a block a space would be lost.
      'svelte/no-useless-mustaches': 'off',
      // Lists without a key are drawn by place: nothing in them has a state that would have to move along.
      'svelte/require-each-key': 'off',
    },
  },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: ts.parser, svelteConfig } },
    rules: {
      // What a component's template is given has its type from svelte-check; here it has none.
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
  { files: ['**/*.js'], extends: [ts.configs.disableTypeChecked] },
)
