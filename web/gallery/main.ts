// For development only: all drawings on one page, or with ?table a whole table with made-up data.
import { mount } from 'svelte'

import { preferredLanguage, speak } from '../src/i18n/say.svelte'
import '../src/theme.css'
import Drawings from './Drawings.svelte'
import WholeTable from './WholeTable.svelte'

const wanted = new URLSearchParams(location.search)
const theme = wanted.get('theme')
if (theme) document.documentElement.dataset.theme = theme
await speak(preferredLanguage([wanted.get('lang') ?? 'en']))
mount(wanted.has('table') ? WholeTable : Drawings, { target: document.getElementById('app')! })
