// My seats on another device: a ticket is packed here, and unpacked there. It works once.
import { ask, RefusedError } from './api'
import { choose, settings } from './settings.svelte'
import { myTables, remember, type Mine, type View } from './tables.svelte'
import { MOST_GAMES, type ClaimedTransfer, type SeatCount, type TransferPeek, type TransferTicket } from './wire'

const CLAIMANT = 'baghdad-claimant'
/** Milliseconds to wait where the server has more to do than this. */
const PATIENCE = 1000

/** A ticket for the seats of these games. */
export async function pack(games: readonly Mine[]): Promise<Required<TransferTicket>> {
  const chosen = games.filter(({ gone }) => !gone).slice(0, MOST_GAMES)
  const made = await ask<Required<TransferTicket>>('transfers', {
    games: chosen.map(({ code, view = 'table', at }) => ({ code, view, at: Math.floor(at) })),
    name: settings.name.trim(),
  })
  await eachTable(chosen, 'transfer', { ticket: made.ticket })
  return made
}

export const peek = (ticket: string) => ask<TransferPeek>('transfers/peek', { ticket })

/** Brings everything here; may be repeated where the network breaks. Returns the games that came. */
export async function unpack(ticket: string): Promise<readonly Mine[]> {
  const claim = { ticket, claimant: claimant() }
  const { name, games } = await ask<ClaimedTransfer>('transfers/claim', claim)
  await eachTable(games, 'transfer/claim', claim)
  const known = new Set(myTables().map(({ code }) => code))
  const found = games.map(({ code, view, at }) => ({ code, view: view as View, at: at ?? 0 }))
  remember(...found.filter(({ code }) => !known.has(code)))
  if (name && !settings.name.trim()) await choose({ name })
  return found
}

/** Posts something to every table, where its cookie is; tables that are gone stay behind. */
async function eachTable(games: readonly { code: string }[], path: string, body: unknown): Promise<void> {
  for (const { code } of games) {
    for (;;) {
      try {
        await ask<SeatCount>(`tables/${code}/${path}`, body)
      } catch (error) {
        if (!(error instanceof RefusedError) || error.status === 409) throw error
        if (error.status === 429) {
          await new Promise((done) => setTimeout(done, PATIENCE))
          continue
        }
      }
      break
    }
  }
}

/** What this device calls itself to the server while it unpacks: the same after a reload. */
function claimant(): string {
  const made = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
  try {
    return (sessionStorage[CLAIMANT] ??= made) as string
  } catch {
    return made
  }
}
