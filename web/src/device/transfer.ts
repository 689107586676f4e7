// My seats on another device: a ticket is packed here, and unpacked there. It works once.
import { ask, RefusedError } from '../net/api'
import { randomHex } from '../net/random'
import {
  MOST_GAMES,
  type ClaimedTransfer,
  type SeatCount,
  type TransferPeek,
  type TransferTicket,
} from '../wire/messages'
import { isHere } from '../wire/here'
import { keepNumbers, pendingNumbers, sealed } from './numbers'
import { choose, settings } from './settings.svelte'
import { myTables, remember, type MyGame } from './tables.svelte'

/** Of one table: what is still to be brought to a deal. */
const MOST_NUMBERS = 4
const CLAIMANT = 'baghdad-claimant'
/** Milliseconds to wait where the server has more to do than this. */
const RETRY_AFTER = 1000

/** A ticket for the seats of these games; and the key to their numbers, which the server is never told. */
export async function pack(games: readonly MyGame[]): Promise<Required<TransferTicket> & { key: string }> {
  const chosen = games.filter(({ code, gone }) => !gone && !isHere(code)).slice(0, MOST_GAMES)
  const key = randomHex(16)
  const carried = chosen.map(({ code, view = 'table', at }) => ({
    code,
    view,
    at: Math.floor(at),
    numbers: pendingNumbers(code)
      .slice(-MOST_NUMBERS)
      .map((number, n) => sealed(number, key, code, n)),
  }))
  const made = await ask<Required<TransferTicket>>('transfers', { games: carried, name: settings.name.trim() })
  await eachTable(chosen, 'transfer', { ticket: made.ticket })
  return { ...made, key: carried.some(({ numbers }) => numbers.length) ? key : '' }
}

export const peek = (ticket: string) => ask<TransferPeek>('transfers/peek', { ticket })

/** Brings everything here; may be repeated where the network breaks. Returns the games that came. */
export async function unpack(ticket: string, key: string): Promise<readonly MyGame[]> {
  const claim = { ticket, claimant: claimant() }
  const { name, games } = await ask<ClaimedTransfer>('transfers/claim', claim)
  for (const { code, numbers = [] } of games)
    if (key) keepNumbers(code, ...numbers.map((number, n) => sealed(number, key, code, n)))
  await eachTable(games, 'transfer/claim', claim)
  const known = new Set(myTables().map(({ code }) => code))
  const found = games.map(({ code, view, at }) => ({ code, view: view!, at: at ?? 0 }))
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
          await new Promise((done) => setTimeout(done, RETRY_AFTER))
          continue
        }
      }
      break
    }
  }
}

/** What this device calls itself to the server while it unpacks: the same after a reload. */
function claimant(): string {
  const made = randomHex(16)
  try {
    return (sessionStorage[CLAIMANT] ??= made) as string
  } catch {
    return made
  }
}
