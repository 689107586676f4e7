// Where the tables of this device come from, when one is first asked for.
import { spoken } from '../i18n/say.svelte'
import { noteComing } from '../net/coming.svelte'
import type { Here } from '../net/here'
import { part } from '../net/parts'
import { Client } from './client'

export async function start(): Promise<Here> {
  const client = new Client(await fetched())
  // From now on no network is needed.
  await Promise.all([client.ready, client.speak(spoken())])
  return client
}

/** The engine; whoever waits for it sees how much has come. */
async function fetched(): Promise<ArrayBuffer> {
  const tell = (share: number) => noteComing('engine', share)
  tell(0)
  try {
    return await part('engine', tell)
  } finally {
    noteComing('engine', null)
  }
}
