import type { EventMessage } from './messages'

/** Whether somebody has said something, or made a face. Whoever may not hear it is sent the event without its words. */
export function isChat(event: Partial<Pick<EventMessage, 'kind' | 'text'>>): boolean {
  return (event.kind === 'chatted' || event.kind === 'emoted') && event.text != null
}
