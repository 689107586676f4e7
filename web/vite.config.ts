import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig, type Plugin } from 'vite'

/** Of the texts that the command line and the server share with the page, only those that it tells. */
function messages(): Plugin {
  const told = /^(log|palace|bot)\./
  return {
    name: 'messages',
    enforce: 'pre',
    transform(code, id) {
      if (!/text\/messages\.\w+\.json$/.test(id)) return null
      const texts = Object.entries(JSON.parse(code) as Record<string, unknown>)
      return { code: JSON.stringify(Object.fromEntries(texts.filter(([key]) => told.test(key)))), map: null }
    },
  }
}

// The server allows nothing but its own files (default-src 'self'), so nothing is inlined.
export default defineConfig({
  plugins: [messages(), svelte()],
  build: {
    outDir: '../src/baghdad/server/static',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: ['chrome123', 'edge123', 'firefox121', 'safari17.5'],
  },
  server: {
    // The texts lie beside those of the command line.
    fs: { allow: ['..'] },
    proxy: { '/api': { target: 'http://127.0.0.1:8000', ws: true } },
  },
})
