// Calls a player who looks elsewhere: in the title of the tab, and as a notification where that is allowed.
import { say } from './say.svelte'
import { settings } from './settings.svelte'
import type { TableStore } from './table.svelte'

/** Watches a table; the function returned stops that. */
export function calls(store: TableStore): () => void {
  let called = false
  const back = () => {
    if (document.hidden || !called) return
    called = false
    document.title = document.title.replace(/^● /, '')
  }
  store.onnews = (event) => {
    if (!event.own?.legal.length || !document.hidden || called) return
    called = true
    document.title = `● ${document.title}`
    if (settings.notify && 'Notification' in window && Notification.permission === 'granted') {
      new Notification(say('title'), { body: say('turn.yours'), tag: store.code, icon: '/icon.svg' })
    }
  }
  document.addEventListener('visibilitychange', back)
  return () => {
    store.onnews = null
    document.removeEventListener('visibilitychange', back)
  }
}
