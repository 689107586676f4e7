// Which folder of the page imports which: as the drawing in README.md allows, and never in a circle.
import { parse } from 'svelte/compiler'
import { expect, test } from 'vitest'

import readme from '../README.md?raw'

const SOURCES = import.meta.glob<string>('../src/**/*.{ts,svelte}', { query: '?raw', import: 'default', eager: true })
const FILES = new Map(Object.entries(SOURCES).map(([path, text]) => [path.replace('../src/', ''), text]))
/** What starts the page and belongs to no folder. */
const ROOT = ['App.svelte', 'main.ts', 'offline.ts', 'texts.d.ts']
/** Data of the Python package that the page is built with, and what is not a script. */
const ELSEWHERE =
  /^\.\.\/(\.\.\/)+src\/baghdad\/((text|bots\/lesson)\/[\w.]+\.json(\?url)?|wasm\/baghdad\.wasm\?url)$|\.css$/
const PACKAGES = ['svelte', 'idb', 'lean-qr', 'virtual:parts', 'virtual:texts']

interface Found {
  from: string
  to: string
}

/** Everything that a file imports, wherever it stands: at the top, later, in a template, or as a type. */
function importsOf(file: string): string[] {
  const text = FILES.get(file)!
  const tree = parse(file.endsWith('.svelte') ? text : `<script lang="ts">\n${text}\n</script>`, { modern: true })
  const found: string[] = []
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(visit)
    if (typeof node !== 'object' || node === null) return
    const { type, source, argument } = node as { type?: string; source?: unknown; argument?: unknown }
    const named = type === 'TSImportType' ? argument : source
    if (
      type === 'ImportExpression' ||
      type === 'TSImportType' ||
      (named && /^(Import|ExportNamed|ExportAll)Declaration$/.test(type!))
    ) {
      const { value, literal } = named as { value?: unknown; literal?: { value: unknown } }
      const to = value ?? literal?.value
      if (typeof to !== 'string') throw new Error(`${file} imports something whose name is not written out`)
      found.push(to)
    }
    Object.values(node).forEach(visit)
  }
  visit(tree)
  return found
}

/** A file of the page that is meant; null for a package or data. */
function target(from: string, to: string): string | null {
  if (PACKAGES.includes(to.split('/')[0]!) || ELSEWHERE.test(to)) return null
  const path = new URL(to, `file:///${from}`).pathname.slice(1)
  const file = [path, `${path}.ts`].find((each) => FILES.has(each))
  if (!to.startsWith('.') || !file) throw new Error(`${from} imports ${to}, which is not a file of the page`)
  return file
}

const folderOf = (file: string) => (file.includes('/') ? file.slice(0, file.indexOf('/')) : '')
const IMPORTS: readonly Found[] = [...FILES.keys()].flatMap((from) =>
  importsOf(from).flatMap((name) => {
    const to = target(from, name)
    return to ? [{ from, to }] : []
  }),
)

/** The arrows of the drawing; `a --> b --> c` are two. */
const ARROWS: readonly Found[] = [...readme.matchAll(/^ +(\w+(?: --> \w+)+)$/gm)].flatMap(([, line]) => {
  const names = line!.split(' --> ')
  return names.slice(1).map((to, n) => ({ from: names[n]!, to }))
})

/** Everything that can be reached from a place. */
function below(start: string, arrows: readonly Found[]): Set<string> {
  const seen = new Set<string>()
  const waiting = [start]
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop())
    for (const { from, to } of arrows)
      if (from === at && !seen.has(to)) {
        seen.add(to)
        waiting.push(to)
      }
  return seen
}

test('every file is in a folder of the drawing, which says what each is for', () => {
  const drawn = [...new Set(ARROWS.flatMap(({ from, to }) => [from, to]))].sort()
  const folders = [...new Set([...FILES.keys()].map(folderOf))].filter(Boolean).sort()
  expect(folders).toEqual(drawn)
  expect([...readme.matchAll(/^ +(\w+)\["\1<br\/>.+"\]$/gm)].map(([, name]) => name).sort()).toEqual(drawn)
  expect([...FILES.keys()].filter((file) => !folderOf(file)).sort()).toEqual(ROOT)
})

test('folders import only what lies below them', () => {
  const allowed = new Map(ARROWS.map(({ from }) => [from, below(from, ARROWS)]))
  const wrong = IMPORTS.filter(({ from, to }) => {
    const [above, beneath] = [folderOf(from), folderOf(to)]
    return above && above !== beneath && !allowed.get(above)?.has(beneath)
  })
  expect(wrong).toEqual([])
})

test('no arrow of the drawing goes in a circle, and each is in use', () => {
  for (const { from } of ARROWS) expect([...below(from, ARROWS)]).not.toContain(from)
  const used = new Set(IMPORTS.map(({ from, to }) => `${folderOf(from)} --> ${folderOf(to)}`))
  expect(ARROWS.map(({ from, to }) => `${from} --> ${to}`).filter((arrow) => !used.has(arrow))).toEqual([])
})

test('no two files import each other, by whatever way', () => {
  expect([...FILES.keys()].filter((file) => below(file, IMPORTS).has(file))).toEqual([])
})

test('pages are what App leads to, and nothing else imports them', () => {
  const pages = [...FILES.keys()].filter((file) => folderOf(file) === 'pages').sort()
  const routed = IMPORTS.filter(({ to }) => folderOf(to) === 'pages')
  expect(routed.map(({ to }) => to).sort()).toEqual(pages)
  expect(new Set(routed.map(({ from }) => from))).toEqual(new Set(['App.svelte']))
})

test('imports are found wherever they hide', () => {
  FILES.set(
    'hidden.svelte',
    `<script module lang="ts">import a from './a'; export * from './b'; export { c } from './c'</script>
     <script lang="ts">import type { D } from './d'; import './e'; let f: import('./f').F = await import('./g')</script>
     {#await import('./h') then i}<p title={import('./i')}>it's</p>{/await}`,
  )
  const found = importsOf('hidden.svelte')
  FILES.delete('hidden.svelte')
  expect(found.sort()).toEqual(['./a', './b', './c', './d', './e', './f', './g', './h', './i'])
})
