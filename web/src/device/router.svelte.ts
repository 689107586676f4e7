// The address bar is the only state of navigation: links are plain links, pages look at `at()`. A file or a folder
// without a server has one address only; there ours stands behind the #, with a # of its own before its fragment.
import { ALONE } from '../net/server.svelte'
import { closest } from './dom'

interface Place {
  path: string
  fragment: string
}

// A link into a copy without a server means the same page here.
if (!ALONE && location.pathname === '/' && location.hash.startsWith('#/'))
  history.replaceState(null, '', location.origin + location.hash.slice(1)) // else `//` would lead to another host

let place = $state.raw(read(location))

addEventListener('popstate', () => {
  place = read(location)
})

/** The place that an address leads to. */
export function read({ pathname, hash }: { pathname: string; hash: string }, alone = ALONE): Place {
  if (!alone) return { path: pathname, fragment: hash.slice(1) }
  const [path = '', fragment = ''] = hash.slice(1).split(/#(.*)/s)
  return { path: path.startsWith('/') ? path.replace(/\?.*/s, '') : '/', fragment }
}

export function at(): string {
  return place.path
}

/** What stands behind the address, such as the rule to show. */
export function fragment(): string {
  return place.fragment
}

/** How a link to a path of ours is written here. */
export function to(path: string, alone = ALONE): string {
  return alone ? `#${path}` : path
}

export function go(path: string, replace = false): void {
  history[replace ? 'replaceState' : 'pushState'](null, '', to(path))
  place = read(location)
  scrollTo(0, 0)
}

/** Writes another address for what is on the screen already. */
export function rename(path: string): void {
  history.replaceState(null, '', to(path))
}

/** The parts of a pattern such as `/table/:code`, or null where the path does not fit. */
export function match(pattern: string, actual: string = place.path): Record<string, string> | null {
  const wanted = pattern.split('/')
  const found = actual.replace(/\/$/, '').split('/')
  if (wanted.length !== found.length) return null
  const parts: Record<string, string> = {}
  for (const [place, part] of wanted.entries()) {
    const here = found[place]!
    if (part.startsWith(':') && here) parts[part.slice(1)] = decoded(here)
    else if (part !== here) return null
  }
  // With a stroke inside, as in `..%2f`, a request about it would go to another address.
  return Object.values(parts).some((part) => /[/\\]/.test(part)) ? null : parts
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
  const inside = ALONE ? link.hash.startsWith('#/') : link.origin === location.origin
  if (!inside || link.pathname.startsWith('/api/')) return
  const { path, fragment } = read(link)
  if (path === at() && fragment) return
  event.preventDefault()
  go(ALONE ? link.hash.slice(1) : link.href)
}
