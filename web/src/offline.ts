// The page as one file, with no server behind it: the replay of the game that was written into it, or the whole game.
import { mount } from 'svelte'

import App from './App.svelte'
import { settle } from './device/settings.svelte'
import { provide } from './net/here'
import Replay from './replay/Replay.svelte'
import type { Replay as Game } from './wire/messages'
import './theme.css'

const game = JSON.parse(document.getElementById('game')!.textContent) as Game | null
const target = document.getElementById('app')!
// What answers for tables on this device comes with the first of them.
provide(async () => (await import('./local/start')).start())
await settle()
if (game) mount(Replay, { target, props: { game } })
else mount(App, { target })
