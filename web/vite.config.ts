import { svelte, vitePreprocess } from '@sveltejs/vite-plugin-svelte'
import type { PreprocessorGroup } from 'svelte/compiler'
import { normalizePath, type Plugin } from 'vite'
import { defineConfig } from 'vitest/config'

import { MEDIA } from './src/ui/media'

const LANGUAGES = ['en', 'de', 'nl', 'cs']

/**
 * The catalogues of the page. They are data, not script: the page fetches the language that it speaks; only a page
 * without a server has them all inside. Of the texts shared with the command line there are only those it tells.
 */
function texts(inside: boolean): Plugin {
  const told = /^(log|palace|bot|rulebook|analysis)\./
  // What a server would say of what can't be done.
  const why = /^(server|refusal|record|verify|palace)\./
  let folder: string
  return {
    name: 'texts',
    configResolved(config) {
      inside ||= config.command === 'serve'
      folder = normalizePath(`${config.root}/../src/baghdad/text`)
    },
    resolveId: (id) => (id === 'virtual:texts' ? '\0texts' : null),
    async load(id) {
      if (id !== '\0texts') return null
      const read = async (name: string) => {
        const path = `${folder}/${name}.json`
        this.addWatchFile(path) // `make dev` shows a changed text at once, too
        return Object.entries(JSON.parse(await this.fs.readFile(path, { encoding: 'utf8' })) as Record<string, unknown>)
      }
      const file = async (language: string) => {
        const page = await read(`web.${language}`)
        const shared = (await read(`messages.${language}`)).filter(([key]) => told.test(key))
        return given(language, `${language}.json`, {
          page: Object.fromEntries(page),
          told: Object.fromEntries(shared),
        })
      }
      const reasons = async (language: string) => {
        const found = (await read(`messages.${language}`)).filter(([key]) => why.test(key))
        return given(language, `why.${language}.json`, Object.fromEntries(found))
      }
      const given = (language: string, name: string, data: unknown) => {
        const source = JSON.stringify(data)
        return `${language}: ${inside ? source : `import.meta.ROLLUP_FILE_URL_${this.emitFile({ type: 'asset', name, source })}`}`
      }
      const files = await Promise.all(LANGUAGES.map(file))
      const refusals = await Promise.all(LANGUAGES.map(reasons))
      const get = (files: string) => (inside ? `${files}[language]` : `(await fetch(${files}[language])).json()`)
      return [
        `const FILES = { ${files.join(', ')} }; export const load = async (language) => ${get('FILES')}`,
        `const WHY = { ${refusals.join(', ')} }; export const reasons = async (language) => ${get('WHY')}`,
      ].join('\n')
    },
  }
}

/**
 * What is too large for the first load, by name: fetched when it is needed. Where the page is one file, whoever writes
 * that file puts it into the page.
 */
const PARTS: Record<string, string> = {
  engine: '../src/baghdad/wasm/baghdad.wasm',
  network: '../src/baghdad/bots/neural/weights/neural.bin',
  open: '../src/baghdad/bots/value/weights/open.bin',
  eyes: '../src/baghdad/bots/value/weights/eyes.bin',
  puzzles: '../src/baghdad/analysis/puzzles.json',
}

function parts(inside: boolean): Plugin {
  let root: string
  return {
    name: 'parts',
    configResolved: (config) => void (root = config.root),
    resolveId: (id) => (id === 'virtual:parts' ? '\0parts' : null),
    async load(id) {
      if (id !== '\0parts') return null
      const names = Object.keys(PARTS)
      const file = (name: string) => normalizePath(`${root}/${PARTS[name]}`)
      const imports = names.map((name) => `import ${name} from ${JSON.stringify(`${file(name)}?url`)}\n`)
      const entry = async (name: string) => {
        const { length } = await this.fs.readFile(file(name))
        return `${name}: { address: ${inside ? null : name}, size: ${length} }`
      }
      const entries = await Promise.all(names.map(entry))
      return `${inside ? '' : imports.join('')}export const PARTS = { ${entries.join(', ')} }`
    },
  }
}

/** What the page is called and how it looks where it is installed: one manifest a language. */
function manifests(): Plugin {
  let root: string
  return {
    name: 'manifests',
    configResolved: (config) => void (root = config.root),
    async generateBundle() {
      for (const lang of LANGUAGES) {
        const path = normalizePath(`${root}/../src/baghdad/text/web.${lang}.json`)
        const say = JSON.parse(await this.fs.readFile(path, { encoding: 'utf8' })) as Record<string, string>
        const icon = (size: number, purpose: string) => ({
          src: `icon-${purpose}-${size}.png`,
          sizes: `${size}x${size}`,
          type: 'image/png',
          purpose,
        })
        const manifest = {
          id: './',
          name: say.title,
          short_name: 'Baghdad',
          description: say['start.lead'],
          lang,
          start_url: './',
          scope: './',
          display: 'standalone',
          background_color: '#17153a',
          theme_color: '#17153a',
          categories: ['games'],
          icons: [
            ...[192, 512].flatMap((size) => [icon(size, 'any'), icon(size, 'maskable')]),
            { src: 'icon.svg', sizes: 'any', type: 'image/svg+xml' },
          ],
          // Behind the #, which every page of ours understands, with a server and without.
          shortcuts: [
            { name: say['start.learn'], url: './#/learn' },
            { name: say['start.replay'], url: './#/replay' },
            { name: say.rules, url: './#/rules' },
          ],
        }
        this.emitFile({ type: 'asset', fileName: `manifest.${lang}.webmanifest`, source: JSON.stringify(manifest) })
      }
    },
  }
}

/** The service worker, with the list of all files that were built before, and what each of them has to be. */
function serviceWorker(): Plugin {
  let root: string
  const hash = async (bytes: Uint8Array<ArrayBuffer>) => new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  const encoded = (text: string) => new TextEncoder().encode(text)
  return {
    name: 'service-worker',
    configResolved: (config) => void (root = config.root),
    enforce: 'post',
    generateBundle: {
      order: 'post',
      async handler({ dir }, bundle) {
        const files: Record<string, string> = {}
        const add = async (name: string, bytes: Uint8Array<ArrayBuffer>) => {
          const letters = String.fromCharCode(...(await hash(bytes)))
          files[name === 'index.html' ? '' : name] = `sha256-${btoa(letters)}`
        }
        const page = bundle['offline.html']
        if (page?.type !== 'asset') throw new Error('no page was built')
        const names = [
          ...(await this.fs.readdir(dir!)),
          ...(await this.fs.readdir(`${dir}/assets`)).map((name) => `assets/${name}`),
        ]
        // Icons are for the system that installs the page.
        const kept = names.filter(
          (name) => /\.\w+$/.test(name) && !/^(sw\.js|built-from\.txt|offline\.html|icon-.*)$/.test(name),
        )
        for (const name of kept.sort()) await add(name, new Uint8Array(await this.fs.readFile(`${dir}/${name}`)))
        await add('offline.html', encoded(String(page.source)))
        const list = JSON.stringify(files)
        const source = await this.fs.readFile(`${root}/sw.js`, { encoding: 'utf8' })
        const version = [...(await hash(encoded(source + list)))].map((byte) => byte.toString(16).padStart(2, '0'))
        this.emitFile({
          type: 'asset',
          fileName: 'sw.js',
          source: `const VERSION = '${version.slice(0, 6).join('')}'\nconst FILES = ${list}\n${source}`,
        })
      },
    },
  }
}

/** Puts media queries where styles of components have their names; see src/ui/media.ts. */
const mediaQueries: PreprocessorGroup = {
  name: 'media-queries',
  style: ({ content }) => ({
    code: content.replace(/(?<=@media[^{]*)\(--(\w+)\)/g, (_, name: string) => {
      if (!(name in MEDIA)) throw new Error(`no media query is called ${name}`)
      return MEDIA[name as keyof typeof MEDIA]
    }),
  }),
}

/** The folders of packages whose code is in what is built: workers are built for themselves, before the page. */
const packages = new Set<string>()

function packagesInside(): Plugin {
  return {
    name: 'packages-inside',
    generateBundle(_, bundle) {
      const modules = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
      for (const id of modules) {
        const folder = /^\0?(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(normalizePath(id))?.[1]
        if (folder !== undefined) packages.add(folder)
      }
    },
  }
}

/**
 * The notices of packages whose code is in the page: their licences ask for it. In a file of its own, or, where the
 * page is one file, in a comment at its end.
 */
function licences(inside: boolean): Plugin {
  return {
    name: 'licences',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      async handler(_, bundle) {
        const read = (path: string) => this.fs.readFile(path, { encoding: 'utf8' })
        const notice = async (folder: string) => {
          const about = JSON.parse(await read(`${folder}/package.json`)) as Record<string, string>
          const names = ['LICENSE', 'LICENSE.md', 'LICENSE.txt', 'license']
          const texts = await Promise.all(names.map((name) => read(`${folder}/${name}`).catch(() => '')))
          const text = texts.find((each) => each.trim())
          if (!text) throw new Error(`${folder} has no licence`)
          return `${about.name} ${about.version} (${about.license})\n\n${text.trim()}\n`
        }
        const source = (await Promise.all([...packages].sort().map(notice))).join(`\n${'-'.repeat(72)}\n\n`)
        if (!inside) this.emitFile({ type: 'asset', fileName: 'licences.txt', source })
        else {
          const page = Object.values(bundle).find((file) => file.fileName === 'offline.html')
          if (page?.type !== 'asset') throw new Error('no page was built')
          page.source = `${String(page.source)}<!--\n${source.replaceAll(/-{2,}/g, '')}-->\n`
        }
      },
    },
  }
}

/** In one file a worker comes from the page itself. */
function workersInside(): Plugin {
  return {
    name: 'workers-inside',
    enforce: 'pre',
    resolveId(id, importer) {
      return id.endsWith('?worker') ? this.resolve(`${id}&inline`, importer, { skipSelf: true }) : null
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
              ? [
                  `<script[^>]*src="[^"]*${name}"[^>]*></script>`,
                  `<script type="module">${file.code.replaceAll('</script', '<\\/script')}</script>`,
                ]
              : [`<link[^>]*href="[^"]*${name}"[^>]*>`, `<style>${String(file.source)}</style>`]
          const without = html.replace(new RegExp(tag), '')
          if (without === html) throw new Error(`${file.fileName} is not in the page`)
          // After the game, which the script reads.
          html = without.replace(file.type === 'chunk' ? '</body>' : '</head>', (end) => inside + end)
          // eslint-disable-next-line @typescript-eslint/no-dynamic-delete -- this is how a file is kept from being written
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
  plugins: [
    texts(mode === 'offline'),
    parts(mode === 'offline'),
    svelte({ preprocess: [vitePreprocess(), mediaQueries] }),
    packagesInside(),
    licences(mode === 'offline'),
    ...(mode === 'offline' ? [workersInside(), oneFile(), serviceWorker()] : [manifests()]),
  ],
  worker: { plugins: () => [packagesInside()] },
  publicDir: mode === 'offline' ? false : 'public',
  experimental: {
    // Files find each other wherever they lie. The page alone is asked for at many addresses, and says where they are.
    renderBuiltUrl: (_, { hostType }) => (hostType === 'html' ? undefined : { relative: true }),
  },
  build: {
    outDir: '../src/baghdad/server/static',
    modulePreload: { polyfill: false },
    target: ['chrome123', 'edge123', 'firefox121', 'safari17.5'],
    ...(mode === 'offline'
      ? {
          emptyOutDir: false,
          assetsInlineLimit: Infinity,
          rolldownOptions: { input: 'offline.html', output: { codeSplitting: false } },
        }
      : {
          emptyOutDir: true,
          assetsInlineLimit: 0,
          // A few larger files come sooner than many small ones.
          cssCodeSplit: false,
          // The engine, the analyst and puzzles come when they are needed.
          rolldownOptions: {
            output: {
              codeSplitting: {
                groups: [{ name: 'shared', minShareCount: 2, test: /^(?!.*\/src\/(engine|analysis|puzzles)\/)/ }],
              },
            },
          },
        }),
  },
  test: { include: ['tests/**/*.test.ts'], setupFiles: ['tests/support/browser.ts'] },
  server: {
    // The texts lie beside those of the command line.
    fs: { allow: ['..'] },
    // Where `baghdad serve` listens unless it is told otherwise.
    proxy: { '/api': { target: 'http://127.0.0.1:8080', ws: true } },
  },
}))
