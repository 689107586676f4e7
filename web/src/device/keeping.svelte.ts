// The page on this device: kept by the service worker so that it opens without a network, its next version, and a place
// among the device's own programs.
import { spoken } from '../i18n/say.svelte'
import { beside } from '../net/server.svelte'

/** What Chromium offers to ask; other browsers have it in their menus alone. */
interface InstallPrompt extends Event {
  prompt(): Promise<unknown>
}

/** A file is on this device already. */
const IN_A_FILE = location.protocol === 'file:' || !!document.getElementById('game')

let kept = $state(false)
let next = $state.raw<ServiceWorker | null>(null)
let prompt = $state.raw<InstallPrompt | null>(null)
let taking = false

/** Whether the page opens without a network from now on. */
export const isKept = () => kept || IN_A_FILE
/** Whether a newer version lies ready. */
export const isNext = () => next !== null
/** Why browsers don't keep the page: it came over plain HTTP from another machine. */
export const unkept = () => !isSecureContext && !IN_A_FILE
/** How it is installed here: by asking the browser, by hand on an iPhone or iPad, or not by us. */
export const installable = () => (prompt ? 'ask' : 'standalone' in navigator && !navigator.standalone ? 'hand' : null)

addEventListener('beforeinstallprompt', (event) => {
  event.preventDefault() // It is offered where there is room for it, not over a game.
  prompt = event as InstallPrompt
})
addEventListener('appinstalled', () => (prompt = null))

export async function install(): Promise<void> {
  const asked = prompt
  prompt = null // It asks once.
  await asked?.prompt()
}

/** The worker that keeps the page and shows notifications; null where the browser has none for this page. */
export async function worker(): Promise<ServiceWorkerRegistration | null> {
  if (!import.meta.env.PROD || IN_A_FILE) return null
  try {
    const registration = await navigator.serviceWorker.register(beside('sw.js'))
    const coming = registration.installing ?? registration.waiting
    if (!registration.active && coming) await settled(coming)
    return registration.active ? registration : null
  } catch {
    return null
  }
}

/** It works, or it could not keep everything and has gone. */
async function settled(coming: ServiceWorker): Promise<void> {
  while (!['activated', 'redundant'].includes(coming.state))
    await new Promise((done) => coming.addEventListener('statechange', done, { once: true }))
}

/** Has the page kept, once it has come whole, and looks for newer versions whenever somebody comes back to it. */
export function keep(): void {
  if (!import.meta.env.PROD || IN_A_FILE || !('serviceWorker' in navigator)) return
  if (document.readyState === 'complete') void begin()
  else addEventListener('load', () => void begin(), { once: true })
  $effect.root(() => {
    $effect(() => {
      const link = document.querySelector('link[rel=manifest]')
      link?.setAttribute('href', link.getAttribute('href')!.replace(/\w+(?=\.webmanifest$)/, spoken()))
    })
  })
}

async function begin(): Promise<void> {
  const registration = await worker()
  if (!registration) return
  kept = true
  const look = () => {
    // The first of all has nothing to take the place of.
    next = registration.active ? registration.waiting : null
  }
  registration.addEventListener('updatefound', () => registration.installing?.addEventListener('statechange', look))
  navigator.serviceWorker.addEventListener('controllerchange', () => {
    look()
    if (taking) location.reload()
  })
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) void registration.update().catch(() => {})
  })
  look()
}

/** Loads the next version in place of this one. Other windows stay as they are. */
export function takeNext(): void {
  taking = true
  next?.postMessage('take')
}
