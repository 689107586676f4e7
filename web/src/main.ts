import { mount } from 'svelte'

import App from './App.svelte'
import { keep } from './device/keeping.svelte'
import { settle } from './device/settings.svelte'
import './theme.css'

await settle()
mount(App, { target: document.getElementById('app')! })
keep()
