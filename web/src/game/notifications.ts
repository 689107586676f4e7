// Notifies a player who looks elsewhere of the turn: in the title of the tab, and as a notification where that is allowed.
import { notify, undecided } from '../device/notify'
import { addressOf, type View } from '../device/tables.svelte'
import type { TableStore } from '../state/table.svelte'
import { ACTIONS } from '../wire/actions'

/** Watches a table; `onask` is told when it is time to ask about notifications. The function returned stops that. */
export function notifyOfTurns(store: TableStore, view: View, onask: () => void): () => void {
  let notified = false
  const back = () => {
    if (document.hidden || !notified) return
    notified = false
    document.title = document.title.replace(/^● /, '')
  }
  store.onnews = (event) => {
    const { own, action } = event
    // After one's first turn, where another person is waited for: now one knows what it would be good for.
    const ended = own && event.seat === own.seat && action != null && ACTIONS[action]!.ends
    const others = store.players.some(({ person }) => person !== null && !store.people.includes(person))
    if (ended && others && undecided()) onask()
    if (!own?.legal.length || !document.hidden || notified) return
    notified = true
    document.title = `● ${document.title}`
    void notify(store.code, addressOf(store.code, view))
  }
  document.addEventListener('visibilitychange', back)
  return () => {
    store.onnews = null
    document.removeEventListener('visibilitychange', back)
  }
}
