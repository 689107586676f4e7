/** The nearest element around what an event happened to, itself included; the document has none. */
export function closest<Tag extends keyof HTMLElementTagNameMap>(
  event: Event,
  tag: Tag,
): HTMLElementTagNameMap[Tag] | null
export function closest(event: Event, selector: string): Element | null
export function closest(event: Event, selector: string): Element | null {
  return event.target instanceof Element ? event.target.closest(selector) : null
}
