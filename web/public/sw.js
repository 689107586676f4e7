// Shows that it is somebody's turn where the page itself may not (phones); a click leads to the table.
self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  const path = event.notification.data?.path ?? '/'
  const go = async () => {
    const open = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
    const there = open.find(({ url }) => new URL(url).pathname === path)
    return there ? there.focus() : self.clients.openWindow(new URL(path, self.location.origin).href)
  }
  event.waitUntil(go())
})
