// Short sounds, made of a few tones; nothing is loaded.
import { ACTIONS } from '../wire/actions'
import type { EventMessage } from '../wire/messages'
import { isChat } from '../wire/chat'
import { settings } from './settings.svelte'

type Heard = Pick<EventMessage, 'action' | 'lines' | 'robbed' | 'seat'> &
  Partial<Pick<EventMessage, 'kind' | 'own' | 'text'>>

const VOLUMES = { quiet: 0.04, normal: 0.12, loud: 0.3 } as const

let context: AudioContext | null = null

function tones(...notes: readonly (readonly [pitch: number, at: number, length: number])[]): void {
  if (!settings.sound) return
  context ??= new AudioContext()
  const now = context.currentTime
  for (const [pitch, at, length] of notes) {
    const [tone, volume] = [context.createOscillator(), context.createGain()]
    tone.type = 'triangle'
    tone.frequency.value = pitch
    volume.gain.setValueAtTime(0, now + at)
    volume.gain.linearRampToValueAtTime(VOLUMES[settings.volume], now + at + 0.01)
    volume.gain.exponentialRampToValueAtTime(0.001, now + at + length)
    tone.connect(volume).connect(context.destination)
    tone.start(now + at)
    tone.stop(now + at + length)
  }
}

/** So that a volume can be judged when it is chosen. */
export function sample(): void {
  tones([523, 0, 0.2], [659, 0.09, 0.3])
}

/** What a step sounds like: a step, a rustle of cards, a chest, the end. */
export function play(event: Heard, own: number | null = null): void {
  if (document.hidden) return
  const action = event.action == null ? null : ACTIONS[event.action]!
  if (event.lines?.some((line) => line.key === 'log.won')) {
    tones([392, 0, 0.3], [494, 0.12, 0.3], [587, 0.24, 0.3], [784, 0.36, 0.8])
  } else if (event.robbed?.length) tones([523, 0, 0.2], [659, 0.09, 0.2], [784, 0.18, 0.4])
  else if (action?.ends) tones([880, 0, 0.06], [988, 0.05, 0.06], [880, 0.1, 0.06])
  else if (action?.thief) tones([330, 0, 0.08], [392, 0.06, 0.1])
  else if (action) tones([220, 0, 0.1])
  else if (isChat(event)) tones([740, 0, 0.08])
  if (event.own?.legal.length && event.seat !== own) tones([587, 0.3, 0.15], [740, 0.42, 0.3])
}
