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

/** Puts script and style into the page itself, so that it is one file. */
function oneFile(): Plugin {
  return {
    name: 'one-file',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        const page = Object.values(bundle).find((file) => file.fileName === 'offline.html')
        if (page?.type !== 'asset') throw new Error('no page was built')
        let html = String(page.source)
        for (const file of Object.values(bundle)) {
          if (file === page) continue
          const name = file.fileName.replaceAll('.', '\\.')
          const [tag, inside] =
            file.type === 'chunk'
              ? [`<script[^>]*src="[^"]*${name}"[^>]*></script>`, `<script type="module">${file.code.replaceAll('</script', '<\\/script')}</script>`]
              : [`<link[^>]*href="[^"]*${name}"[^>]*>`, `<style>${String(file.source)}</style>`]
          const without = html.replace(new RegExp(tag), '')
          if (without === html) throw new Error(`${file.fileName} is not in the page`)
          // After the game, which the script reads.
          html = without.replace(file.type === 'chunk' ? '</body>' : '</head>', (end) => inside + end)
          delete bundle[file.fileName]
        }
        page.source = html
      },
    },
  }
}

// The server allows nothing but its own files (default-src 'self'), so nothing is inlined; all the more is in
// the replay that is saved to a file, which has no server.
export default defineConfig(({ mode }) => ({
  plugins: [messages(), svelte(), ...(mode === 'offline' ? [oneFile()] : [])],
  publicDir: mode === 'offline' ? false : 'public',
  build: {
    outDir: '../src/baghdad/server/static',
    modulePreload: { polyfill: false },
    target: ['chrome123', 'edge123', 'firefox121', 'safari17.5'],
    ...(mode === 'offline'
      ? { emptyOutDir: false, assetsInlineLimit: Infinity, rolldownOptions: { input: 'offline.html', output: { codeSplitting: false } } }
      : { emptyOutDir: true, assetsInlineLimit: 0 }),
  },
  server: {
    // The texts lie beside those of the command line.
    fs: { allow: ['..'] },
    proxy: { '/api': { target: 'http://127.0.0.1:8000', ws: true } },
  },
}))
