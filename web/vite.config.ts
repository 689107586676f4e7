import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vite'

// The server allows nothing but its own files (default-src 'self'), so nothing is inlined.
export default defineConfig({
  plugins: [svelte()],
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
