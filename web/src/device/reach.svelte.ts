// Addresses to invite with: what another device has to open, which is seldom what this one has opened.
import { reachOfServer } from '../net/api'
import { ALONE } from '../net/server.svelte'
import type { Reach } from '../wire/messages'
import { to } from './router.svelte'
import { save, saved } from './storage'

const PLACE = 'baghdad-address'
let known = $state<Reach | null>(null)
/** The address that somebody has preferred to the likely one. */
let wanted = $state(saved<string | null>(PLACE, null))

/** Whether the page was opened by an address that means another machine on every machine. */
const onLoopback = /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(location.hostname)

/** Asks the server how it is reached; to be called where an invitation is shown. */
export async function fetchReach(): Promise<void> {
  if (ALONE) return
  try {
    known = await reachOfServer()
  } catch {
    known ??= { addresses: [], public: null, open: !onLoopback }
  }
}

/** Addresses to choose from, the likely one first; empty where no other device can come. */
export function origins(): readonly string[] {
  if (known?.public) return [known.public]
  const found = known?.addresses ?? []
  return onLoopback ? found : [...new Set([location.origin, ...found])]
}

/** The one that is in use. */
export function origin(): string {
  const found = origins()
  return wanted !== null && found.includes(wanted) ? wanted : (found[0] ?? location.origin)
}

export function prefer(address: string): void {
  wanted = address
  save(PLACE, address)
}

/**
 * What another device opens to get to a path of this page. Where no other device can come, it is good
 * for this one alone. Where there is no server, the page itself is all that there is to open.
 */
export const linkTo = (path: string): string => (ALONE ? new URL(to(path), document.baseURI).href : origin() + path)

/**
 * Why no other device can come: `alone` where the server listens on this machine only, `offline` where the
 * machine is in no network. Null where they can come; undefined as long as that is not known.
 */
export function barred(): 'alone' | 'offline' | null | undefined {
  if (!onLoopback) return null
  if (!known) return undefined
  return origins().length ? null : known.open ? 'offline' : 'alone'
}
