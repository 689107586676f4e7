// Dragging says the same as pointing twice: first at the piece, then at the palace where it is let go.
import type { Palace } from '../wire/names'

const FAR_ENOUGH = 8

/** An attachment for a piece: `start` when it leaves its place, `drop` with the palace under the pointer. */
export function drag(start: () => void, drop: (palace: Palace | null) => void) {
  return (piece: HTMLElement) => {
    function down(event: PointerEvent) {
      if (event.button !== 0) return
      const { clientX: x, clientY: y, pointerId } = event
      let ghost: HTMLElement | null = null

      function move(to: PointerEvent) {
        if (to.pointerId !== pointerId) return
        const [right, below] = [to.clientX - x, to.clientY - y]
        if (!ghost && Math.hypot(right, below) > FAR_ENOUGH) {
          start()
          const box = piece.getBoundingClientRect()
          ghost = piece.cloneNode(true) as HTMLElement
          ghost.inert = true
          ghost.classList.add('ghost')
          ghost.style.cssText = `left:${box.left}px;top:${box.top}px;width:${box.width}px;height:${box.height}px`
          piece.parentElement?.append(ghost)
        }
        if (ghost) ghost.style.translate = `${right}px ${below}px`
      }

      function stop(at: PointerEvent) {
        if (at.pointerId !== pointerId) return
        removeEventListener('pointermove', move)
        removeEventListener('pointerup', stop)
        removeEventListener('pointercancel', stop)
        if (!ghost) return
        ghost.remove()
        // The click that follows belongs to the drag.
        addEventListener('click', swallow, { capture: true, once: true })
        setTimeout(() => removeEventListener('click', swallow, { capture: true }))
        const under = at.type === 'pointerup' ? document.elementFromPoint(at.clientX, at.clientY) : null
        drop((under?.closest<HTMLElement>('[data-palace]')?.dataset.palace as Palace | undefined) ?? null)
      }

      addEventListener('pointermove', move)
      addEventListener('pointerup', stop)
      addEventListener('pointercancel', stop)
    }

    piece.addEventListener('pointerdown', down)
    return () => piece.removeEventListener('pointerdown', down)
  }
}

function swallow(event: Event) {
  event.stopPropagation()
  event.preventDefault()
}
