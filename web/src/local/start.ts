// Where the tables of this device come from, when one is first asked for.
import { spoken } from '../i18n/say.svelte'
import type { Here } from '../net/here'
import { part } from '../net/parts'
import { Client } from './client'

export async function start(): Promise<Here> {
  const client = new Client(await part('engine'))
  // From now on no network is needed.
  await Promise.all([client.ready, client.speak(spoken())])
  return client
}
