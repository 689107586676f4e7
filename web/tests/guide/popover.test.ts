import { afterAll, beforeEach, expect, test, vi } from 'vitest'

import { beside, overlap } from '../../src/guide/popover'

class Rectangle {
  constructor(
    readonly left: number,
    readonly top: number,
    readonly width: number,
    readonly height: number,
  ) {}
  get right() {
    return this.left + this.width
  }
  get bottom() {
    return this.top + this.height
  }
}

const box = (left: number, top: number, width: number, height: number) =>
  new Rectangle(left, top, width, height) as unknown as DOMRect
const thing = (rectangle: DOMRect) => ({ getBoundingClientRect: () => rectangle }) as unknown as Element
const popover = { offsetWidth: 200, offsetHeight: 100 } as HTMLElement
/** What lies on the page, by selector. */
const page = new Map<string, Element[]>()

beforeEach(() => {
  page.clear()
  vi.stubGlobal('DOMRect', Rectangle)
  vi.stubGlobal('innerWidth', 800)
  vi.stubGlobal('innerHeight', 600)
  vi.stubGlobal('document', {
    documentElement: { clientWidth: 800 },
    querySelectorAll: (selector: string) =>
      [...page].flatMap(([name, found]) => (selector.includes(name) ? found : [])),
  })
})
afterAll(() => {
  vi.unstubAllGlobals()
})

const placed = ({ left, top }: { left: number; top: number }) => box(left, top, 200, 100)

test('two boxes overlap by what they share', () => {
  expect(overlap(box(0, 0, 10, 10), box(5, 5, 10, 10))).toBe(25)
  expect(overlap(box(0, 0, 10, 10), box(10, 0, 10, 10))).toBe(0)
  expect(overlap(box(0, 0, 10, 10), box(50, 50, 1, 1))).toBe(0)
})

test('with nothing to keep free it stands in the first corner', () => {
  expect(beside(popover, null, null, false)).toEqual({ left: 4, top: 4 })
})

test('it stands near what it is about, without covering it, and within the page', () => {
  const about = box(600, 400, 60, 60)
  const found = placed(beside(popover, thing(about), null, true))
  expect(overlap(found, about)).toBe(0)
  expect(Math.hypot(found.left + 100 - 630, found.top + 50 - 430)).toBeLessThan(220)
  expect(found.left).toBeGreaterThanOrEqual(4)
  expect(found.right).toBeLessThanOrEqual(800)
  expect(found.bottom).toBeLessThanOrEqual(600)
})

test('it covers neither where the piece goes nor what can be acted on', () => {
  const [about, goal, target] = [box(380, 280, 40, 40), box(380, 160, 40, 40), box(250, 330, 300, 60)]
  page.set('[data-target]', [thing(target)])
  const found = placed(beside(popover, thing(about), thing(goal), true))
  for (const each of [about, goal, target]) expect(overlap(found, each)).toBe(0)
})

test('on a page that is too small it stays in the corner', () => {
  vi.stubGlobal('innerHeight', 90)
  vi.stubGlobal('document', { documentElement: { clientWidth: 150 }, querySelectorAll: () => [] })
  expect(beside(popover, null, null, false)).toEqual({ left: 4, top: 4 })
})
