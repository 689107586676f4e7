import { afterEach, expect, test, vi } from 'vitest'

import { drag } from '../../src/board/drag'

/** A piece, a pointer over it, and a page in which a palace lies wherever the pointer is let go. */
function scene(palace: string | null) {
  const piece = Object.assign(new EventTarget(), {
    getBoundingClientRect: () => ({ left: 10, top: 20, width: 30, height: 40 }),
    cloneNode: () => ghost,
    parentElement: { append: vi.fn() },
  })
  const ghost = { inert: false, classList: { add: vi.fn() }, style: { cssText: '', translate: '' }, remove: vi.fn() }
  const under = { closest: () => (palace ? { dataset: { palace } } : null) }
  vi.stubGlobal('document', { elementFromPoint: () => under })
  const [start, drop] = [vi.fn(), vi.fn()]
  const detach = drag(start, drop)(piece as unknown as HTMLElement)
  const at = (type: string, x: number, y: number, pointerId = 1) =>
    Object.assign(new Event(type), { clientX: x, clientY: y, pointerId, button: 0 })
  return {
    start,
    drop,
    ghost,
    detach,
    down: (x: number, y: number, button = 0) => piece.dispatchEvent(Object.assign(at('pointerdown', x, y), { button })),
    move: (x: number, y: number, id?: number) => dispatchEvent(at('pointermove', x, y, id)),
    up: (x: number, y: number) => dispatchEvent(at('pointerup', x, y)),
    cancel: () => dispatchEvent(at('pointercancel', 0, 0)),
  }
}

afterEach(() => {
  vi.useRealTimers()
})

test('a piece that is dragged onto a palace is pointed at, and then the palace', () => {
  const { start, drop, ghost, down, move, up } = scene('R')
  down(0, 0)
  move(5, 5)
  expect(start).not.toHaveBeenCalled()
  move(20, 0)
  move(30, 10)
  expect(start).toHaveBeenCalledOnce()
  expect(ghost.inert).toBe(true)
  expect(ghost.style.translate).toBe('30px 10px')
  up(30, 10)
  expect(drop).toHaveBeenCalledExactlyOnceWith('R')
  expect(ghost.remove).toHaveBeenCalledOnce()
})

test('let go of elsewhere it goes nowhere', () => {
  const { drop, down, move, up } = scene(null)
  down(0, 0)
  move(50, 0)
  up(50, 0)
  expect(drop).toHaveBeenCalledExactlyOnceWith(null)
})

test('a touch that is taken away drops nothing onto a palace', () => {
  const { drop, down, move, cancel } = scene('R')
  down(0, 0)
  move(50, 0)
  cancel()
  expect(drop).toHaveBeenCalledExactlyOnceWith(null)
})

test('a click without a way is no drag', () => {
  const { start, drop, down, move, up } = scene('R')
  down(0, 0)
  move(3, 3)
  up(3, 3)
  expect(start).not.toHaveBeenCalled()
  expect(drop).not.toHaveBeenCalled()
})

test('another finger and another button drag nothing', () => {
  const { start, down, move, up } = scene('R')
  down(0, 0, 2)
  move(50, 0)
  expect(start).not.toHaveBeenCalled()
  down(0, 0)
  move(50, 0, 7)
  expect(start).not.toHaveBeenCalled()
  up(0, 0)
})

test('the click that ends a drag reaches nobody, the next one does', () => {
  vi.useFakeTimers()
  const { down, move, up } = scene('R')
  down(0, 0)
  move(50, 0)
  up(50, 0)
  const click = () => {
    const event = new Event('click', { cancelable: true })
    dispatchEvent(event)
    return event.defaultPrevented
  }
  expect(click()).toBe(true)
  vi.runAllTimers()
  expect(click()).toBe(false)
})

test('a piece that is gone listens no more', () => {
  const { start, detach, down, move } = scene('R')
  detach()
  down(0, 0)
  move(50, 0)
  expect(start).not.toHaveBeenCalled()
})
