// One game in one file: the replay alone, with no server behind it.
import { mount } from 'svelte'

import { settle } from './device/settings.svelte'
import Replay from './replay/Replay.svelte'
import type { Replay as Game } from './wire/messages'
import './theme.css'

const game = JSON.parse(document.getElementById('game')!.textContent) as Game | null
if (game) {
  await settle()
  mount(Replay, { target: document.getElementById('app')!, props: { game } })
}
