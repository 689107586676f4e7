// The whole game as one HTML file, as `baghdad export-game` writes it.
import { part, type Part } from '../net/parts'
import { beside } from '../net/server.svelte'

const PARTS: readonly Part[] = ['engine', 'network', 'open', 'eyes', 'puzzles']

/** The page with all that it needs inside. Throws where something can't be fetched. */
export async function wholeGame(): Promise<string> {
  const response = await fetch(beside('offline.html'))
  if (!response.ok) throw new Error(response.statusText)
  let page = await response.text()
  for (const name of PARTS) {
    const [before, after] = page.split(`id="part-${name}">`)
    page = `${before}id="part-${name}">${await inBase64(await part(name))}${after}`
  }
  return page
}

function inBase64(bytes: ArrayBuffer): Promise<string> {
  return new Promise((done, fail) => {
    const reader = new FileReader()
    reader.onload = () => done((reader.result as string).replace(/^.*,/, ''))
    reader.onerror = () => fail(new Error('it can’t be read'))
    reader.readAsDataURL(new Blob([bytes]))
  })
}
