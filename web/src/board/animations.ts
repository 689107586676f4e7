// Pieces and cards that travel. Where they were is noted before the position changes; then copies travel from
// there to where they are now. Nothing waits for them, so a hurried click finds the position as it is.
import { settings } from '../device/settings.svelte'
import { ACTIONS } from '../wire/actions'
import { PALACE_LETTERS, type EventMessage } from '../wire/messages'

/** Milliseconds that a piece is on its way. */
const LASTS = { slow: 480, normal: 220, fast: 110, none: 0 } as const

interface PieceAnimation {
  from: DOMRect
  /** What to copy, looked for after the change. */
  find: () => Element | null | undefined
  to: () => Element | null | undefined
  delay: number
}

const one = (selector: string, within: ParentNode = document) => within.querySelector<HTMLElement>(selector)
const palace = (letter: string) => one(`[data-palace="${letter}"]`)
const piece = (key: string) => [...document.querySelectorAll<HTMLElement>(`[data-piece="${key}"]`)].at(-1)
const home = (seat: number, own: number | null) =>
  (seat === own ? one('[data-home]') : null) ?? one(`[data-player="${seat}"]`)

/** Looks where everything is; the function returned starts it, once the new position is drawn. */
export function prepareAnimations(
  event: Pick<EventMessage, 'seat' | 'action' | 'robbed' | 'drawn'>,
  own: number | null,
): () => void {
  const animations: PieceAnimation[] = []
  const add = (
    from: Element | null | undefined,
    find: PieceAnimation['find'],
    to: PieceAnimation['to'] = find,
    delay = 0,
  ) => {
    if (from) animations.push({ from: from.getBoundingClientRect(), find, to, delay })
  }
  const action = event.action == null ? undefined : ACTIONS[event.action]
  const seat = event.seat ?? -1
  if (action?.to) {
    const { from, to } = action
    const guard = (at: string) => `guard ${at} ${action.guard === 'neutral' ? 'n' : seat}`
    const thief = (at: string) => `thief ${at} ${seat}`
    const drawing = (key: string) => () => piece(key)?.querySelector('svg')
    if (action.guard) add(from ? drawing(guard(from))() : home(seat, own), drawing(guard(to)))
    if (action.thief) add(from ? drawing(thief(from))() : home(seat, own), drawing(thief(to)))
    for (const [n, card] of action.price.entries()) {
      const from = seat === own ? piece(`card ${card}`)?.querySelector('svg') : home(seat, null)
      const pile = () => one(`[data-pile="${card === '*' ? 'dancers' : 'discard'}"]`)
      add(
        from,
        () => pile()?.querySelector('svg'),
        () => pile()?.querySelector('svg'),
        n * 50,
      )
    }
  }
  for (const robbed of event.robbed ?? []) {
    const chest = palace(PALACE_LETTERS[robbed]!)?.querySelector('[data-chests] svg')
    const copy = chest?.cloneNode(true) as Element | undefined
    add(
      chest,
      () => copy,
      () => one(`[data-player="${seat}"]`),
      120,
    )
  }
  for (const [to, count] of event.drawn ?? []) {
    const stack = one('[data-pile="stack"] svg')
    for (let n = 0; n < Math.min(count, 4); n++)
      add(
        stack,
        () => one('[data-pile="stack"] svg'),
        () => home(to, own),
        n * 60,
      )
  }
  return () => animations.forEach(launch)
}

function launch({ from, find, to, delay }: PieceAnimation): void {
  const drawing = find()
  const goal = to()?.getBoundingClientRect()
  if (!drawing || !goal || !from.width || !goal.width) return
  const ghost = drawing.cloneNode(true) as SVGElement
  // A card that goes to a player shrinks to the size of a card, not of the board.
  const width = Math.min(goal.width, from.width, 120)
  const height = (width * from.height) / from.width
  ghost.classList.add('travelling')
  Object.assign(ghost.style, { left: '0', top: '0', width: `${width}px`, height: 'auto' })
  document.body.append(ghost)
  const centre = (box: DOMRect) =>
    `translate(${box.left + (box.width - width) / 2}px, ${box.top + (box.height - height) / 2}px)`
  const moving = ghost.animate([{ transform: centre(from) }, { transform: centre(goal) }], {
    duration: LASTS[settings.pieces],
    delay: (delay * LASTS[settings.pieces]) / LASTS.normal,
    easing: 'cubic-bezier(.3,.1,.3,1)',
    fill: 'backwards',
  })
  moving.onfinish = moving.oncancel = () => ghost.remove()
}
