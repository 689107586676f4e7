// Where the tables of this device come from, when one is first asked for.
import address from '../../../src/baghdad/wasm/baghdad.wasm?url'
import { spoken } from '../i18n/say.svelte'
import type { Here } from '../net/here'
import { Client } from './client'

export async function start(): Promise<Here> {
  const response = await fetch(address)
  if (!response.ok) throw new Error(response.statusText)
  const client = new Client(await response.arrayBuffer())
  // From now on no network is needed.
  await client.speak(spoken())
  return client
}
