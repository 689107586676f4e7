// Keeps the page on this device, so that it opens without a network, and shows that it is somebody's turn where the page
// itself may not (phones). The build puts VERSION and FILES before this: by address, what every file has to be.
//
// A version is kept whole or not at all, and never mixed with another. The next one waits until no window shows the old
// one any more, or until somebody takes it; a window that stays at the old one finds the files of the old one as long as it is open.
/* global VERSION, FILES */

const HOME = new URL('./', self.location)
/** Others may be at home at the same host: the path is in the name. */
const OURS = `baghdad ${HOME.pathname} `
const KEPT = OURS + VERSION
/** Compressed or not, a file is the same. */
const AS_IT_IS = { ignoreVary: true }
/** Where a path leads to the page; all others, such as /api, are the server's. */
const PAGES = ['', 't', 'new', 'couch', 'rules', 'learn', 'replay', 'move', 'puzzles']

self.addEventListener('install', (event) => event.waitUntil(keep()))

async function keep() {
  const cache = await caches.open(KEPT)
  const add = async ([file, integrity]) => {
    // Files are named after their contents: what an earlier version had is not fetched again.
    const before = file.startsWith('assets/') && (await caches.match(new URL(file, HOME), AS_IT_IS))
    // What a hotel's network answers in the page's place is not what is to be kept.
    const answer = before || (await fetch(new URL(file, HOME), { integrity, cache: 'no-cache', priority: 'low' }))
    if (!answer.ok) throw new Error(`${file}: ${answer.status}`)
    await cache.put(new URL(file, HOME), answer)
  }
  await Promise.all(Object.entries(FILES).map(add))
}

self.addEventListener('activate', (event) => {
  // A page that was loaded before there was any of this finds its files without a network from now on.
  event.waitUntil(Promise.all([tidy(1), self.clients.claim()]))
})

/** Drops earlier versions, unless more windows than these are open: they may be at an earlier one. */
async function tidy(most) {
  const { waiting, installing } = self.registration
  const open = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  if (waiting || installing || open.length > most) return
  const names = await caches.keys()
  await Promise.all(names.filter((name) => name.startsWith(OURS) && name !== KEPT).map((name) => caches.delete(name)))
}

self.addEventListener('message', ({ data }) => {
  if (data === 'take') void self.skipWaiting()
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  const { href, pathname } = new URL(request.url)
  if (request.method !== 'GET' || !href.startsWith(HOME.href)) return
  const path = pathname.slice(HOME.pathname.length)
  if (request.mode === 'navigate') {
    if (!PAGES.includes(path.split('/')[0])) return
    event.waitUntil(tidy(0))
    event.respondWith(kept(HOME))
  } else if (path.startsWith('assets/') || path in FILES) event.respondWith(kept(request))
})

/** As it is kept, in this version before others; from the network where it is not, as after the browser has made room. */
async function kept(wanted) {
  const cache = await caches.open(KEPT)
  return (await cache.match(wanted, AS_IT_IS)) ?? (await caches.match(wanted, AS_IT_IS)) ?? fetch(wanted)
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  const wanted = new URL(event.notification.data?.path ?? '', HOME)
  const leads = ({ pathname, hash }) => pathname === wanted.pathname && hash === wanted.hash
  const go = async () => {
    const open = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
    const there = open.find(({ url }) => leads(new URL(url)))
    return there ? there.focus() : self.clients.openWindow(wanted.href)
  }
  event.waitUntil(go())
})
