// The address bar is the only state of navigation: links are plain links, pages look at `at()`.
import { closest } from './dom'

let path = $state(location.pathname)

addEventListener('popstate', () => {
  path = location.pathname
})

export function at(): string {
  return path
}

export function go(to: string, replace = false): void {
  history[replace ? 'replaceState' : 'pushState'](null, '', to)
  path = location.pathname
  scrollTo(0, 0)
}

/** The parts of a pattern such as `/table/:code`, or null where the path does not fit. */
export function match(pattern: string, actual: string = path): Record<string, string> | null {
  const wanted = pattern.split('/')
  const found = actual.replace(/\/$/, '').split('/')
  if (wanted.length !== found.length) return null
  const parts: Record<string, string> = {}
  for (const [place, part] of wanted.entries()) {
    const here = found[place]!
    if (part.startsWith(':') && here) parts[part.slice(1)] = decoded(here)
    else if (part !== here) return null
  }
  return parts
}

/** A part of an address as it was meant; as it stands where it can't be decoded. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** Makes links to our own pages change the page without loading it; for `<svelte:document onclick>`. */
export function follow(event: MouseEvent): void {
  const link = closest(event, 'a')
  const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
  if (!link || !plain || event.defaultPrevented || link.target || link.hasAttribute('download')) return
  if (link.origin !== location.origin || link.pathname.startsWith('/api/')) return
  if (link.pathname === location.pathname && link.hash) return
  event.preventDefault()
  go(link.href)
}
