// Notifications of the browser: whether they can work here, leave for them, and the notification itself.
import { say } from '../i18n/say.svelte'
import { beside } from '../net/server.svelte'
import { worker } from './keeping.svelte'
import { to } from './router.svelte'
import { choose, settings } from './settings.svelte'
import { save, saved } from './storage'

/** Set once our own question has been answered, whichever way. */
const ASKED = 'baghdad-asked-notify'

/** Why there can be none: `insecure` where the page came over plain HTTP, `denied` where somebody has said no. */
export function silenced(): 'insecure' | 'none' | 'denied' | null {
  if (!isSecureContext) return 'insecure'
  if (!('Notification' in window)) return 'none'
  return Notification.permission === 'denied' ? 'denied' : null
}

/** Whether it makes sense to ask: it could work, and nobody has decided yet. */
export function undecided(): boolean {
  return silenced() === null && Notification.permission === 'default' && !settings.notify && !saved(ASKED, false)
}

/** Our own question was answered; the browser's comes only after a yes. */
export async function decide(wanted: boolean): Promise<void> {
  save(ASKED, true)
  const allowed = wanted && silenced() === null && (await Notification.requestPermission()) === 'granted'
  await choose({ notify: allowed })
  if (allowed) await worker()
}

/** Says that it is one's turn; a click leads to the table. */
export async function notify(code: string, path: string): Promise<void> {
  if (!settings.notify || silenced() !== null || Notification.permission !== 'granted') return
  const options = { body: say('turn.yours'), tag: code, icon: beside('icon.svg'), data: { path: to(path) } }
  // Phones show notifications of a service worker only.
  const registration = await worker()
  if (registration) return registration.showNotification(say('title'), options)
  new Notification(say('title'), options).onclick = () => window.focus()
}
