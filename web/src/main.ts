import { mount } from 'svelte'

import App from './App.svelte'
import { preferredLanguage, speak } from './lib/say.svelte'
import './theme.css'

await speak(preferredLanguage())
mount(App, { target: document.getElementById('app')! })
