import { mount } from 'svelte'

import App from './App.svelte'
import { keep } from './device/keeping.svelte'
import { settle } from './device/settings.svelte'
import { provide } from './net/here'
import './theme.css'

// What answers for tables on this device comes with the first of them.
provide(async () => (await import('./local/start')).start())
await settle()
mount(App, { target: document.getElementById('app')! })
keep()
