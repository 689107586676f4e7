// What modules look for in a browser as soon as they are loaded. Anything more a test brings itself.
import { vi } from 'vitest'

const kept = new Map<string, string>()
const page = new EventTarget()

vi.stubGlobal('location', new URL('https://baghdad.example/'))
vi.stubGlobal('matchMedia', () => ({ matches: false }))
vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page))
vi.stubGlobal('dispatchEvent', page.dispatchEvent.bind(page))
vi.stubGlobal('localStorage', {
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, value: string) => void kept.set(key, value),
  removeItem: (key: string) => void kept.delete(key),
})
vi.stubGlobal('document', { documentElement: { lang: '', dataset: {} } })
