// What a person has chosen for this device: kept here, never sent.
import { LANGUAGES, preferredLanguage, speak, type Language } from '../i18n/say.svelte'
import { PRESETS } from '../wire/messages'
import { save, saved } from './storage'

/** Rows of palaces, or six loose ones around the piles. */
export type Board = 'classic' | 'ring'

export interface Settings {
  name: string
  language: Language | null
  theme: 'system' | 'light' | 'dark'
  /** The rulebook's own, or always the same. */
  board: 'table' | Board
  /** How the own cards lie; dancers are always apart. */
  cards: 'palace' | 'most' | 'board'
  /** How fast others' steps follow each other. */
  pace: 'calm' | 'quick' | 'off'
  /** How fast pieces and cards travel. */
  pieces: 'slow' | 'normal' | 'fast' | 'none'
  sound: boolean
  volume: 'quiet' | 'normal' | 'loud'
  /** Ask before a turn ends while thieves, or anything at all, could still act. */
  confirm: 'never' | 'thieves' | 'anything'
  /** A turn in which nothing more can be done ends by itself. */
  autoEnd: boolean
  notify: boolean
  /** Single letters as shortcuts; who dictates switches them off. */
  shortcuts: boolean
  mute: boolean
}

const PLACE = 'baghdad-settings'
const onPhone = matchMedia('(pointer: coarse)').matches
const DEFAULTS: Settings = {
  name: '',
  language: null,
  theme: 'system',
  board: 'table',
  cards: 'palace',
  pace: 'calm',
  pieces: 'normal',
  sound: !onPhone,
  volume: 'normal',
  confirm: 'never',
  autoEnd: false,
  notify: false,
  shortcuts: true,
  mute: false,
}

export const settings: Settings = $state({ ...DEFAULTS, ...saved<Partial<Settings>>(PLACE, {}) })

/** Changes settings, for now and for later. */
export async function choose(change: Partial<Settings>): Promise<void> {
  Object.assign(settings, change)
  save(PLACE, settings)
  apply()
  if (change.language) await speak(change.language)
}

function apply(): void {
  if (settings.theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = settings.theme
  document.documentElement.dataset.pieces = settings.pieces
}

/** The language chosen, or the browser's; everything else as it was left. */
export async function settle(): Promise<void> {
  apply()
  const wanted = new URLSearchParams(location.search).get('lang') as Language | null
  const language = [wanted, settings.language].find((each) => each && LANGUAGES.includes(each))
  await speak(language ?? preferredLanguage())
}

/** The board to show for a game: a rulebook only proposes one. */
export function boardFor(rulebook: string | null | undefined): Board {
  if (settings.board !== 'table') return settings.board
  return PRESETS[rulebook as keyof typeof PRESETS]?.board === 'loose' ? 'ring' : 'classic'
}

export const calm = matchMedia('(prefers-reduced-motion: reduce)')
