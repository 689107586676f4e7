// A replay to take along: as text, or as one HTML file that needs no server.
import { beside } from '../net/server.svelte'
import type { Replay } from '../wire/messages'

const PLACE = '<script type="application/json" id="game">'

/** What a game's files are called: by its day, where the record tells it. */
export function fileName(game: Replay): string {
  const day = game.headers.Date?.replace(/[^\d-]/g, '')
  return day ? `baghdad-${day}` : 'baghdad'
}

/** The offline page with the game in it, as `baghdad replay --html` writes it. */
export async function asPage(game: Replay): Promise<string> {
  const response = await fetch(beside('offline.html'))
  if (!response.ok) throw new Error(response.statusText)
  const json = JSON.stringify(game).replaceAll('<', '\\u003c')
  const [before, after] = (await response.text()).split(`${PLACE}null`)
  return `${before}${PLACE}${json}${after}`
}
