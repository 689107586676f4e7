// Against the second tap: what can't be taken back waits a moment before it can be pressed, and a tap that was
// meant for something else never reaches what has appeared beneath it.
import { closest } from '../device/dom'

/** Milliseconds in which nobody can have read what has just come up. */
export const TO_SEE = 600
/** Milliseconds in which a second tap is still a slip of the finger that has made the first. */
export const TO_LIFT = 1200
/** Pixels: as near as this, two taps are at the same place. */
const SAME_PLACE = 32
/** To pick a piece up does no harm: it can be let go of. */
const HARMLESS = '[data-piece], [data-home]'

/** Something that waits: `over` when it may be pressed. */
export class Cooldown {
  over = $state(true)
  #until = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  /** Waits for so long from now on, or for as long as it would have done anyway. */
  hold(milliseconds: number): void {
    this.#until = Math.max(this.#until, performance.now() + milliseconds)
    this.over = false
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => (this.over = true), this.#until - performance.now())
  }
}

/** The pointer's taps on a page; its two handlers come before all others. */
export class Taps {
  /** Called with every tap on the table; true where the tap has thereby done what it can do. */
  readonly spends: (tap: PointerEvent) => boolean
  /** Keys were used last, not a pointer. */
  keys = false
  #spent = false
  #last: { x: number; y: number; at: number } | null = null
  #kept: { x: number; y: number; until: number } | null = null

  constructor(spends: (tap: PointerEvent) => boolean = () => false) {
    this.spends = spends
  }

  down = (event: PointerEvent): void => {
    this.keys = false
    this.#last = { x: event.clientX, y: event.clientY, at: performance.now() }
    this.#spent = this.spends(event)
    // A finger that has been elsewhere since means what it does.
    if (this.#kept && Math.hypot(event.clientX - this.#kept.x, event.clientY - this.#kept.y) >= SAME_PLACE)
      this.#kept = null
    // Nor does it begin to drag anything.
    if (this.#spent) event.stopPropagation()
  }

  click = (event: MouseEvent): void => {
    // Keys and screen readers click without a place.
    if (!event.detail) return
    const again = this.#kept && performance.now() < this.#kept.until && !closest(event, HARMLESS)
    if (!this.#spent && !again) return
    this.#spent = false
    event.stopPropagation()
    event.preventDefault()
  }

  /** A key that is held down presses a button once. */
  key = (event: KeyboardEvent): void => {
    this.keys = true
    if (event.repeat && event.key === 'Enter' && closest(event, 'button')) event.preventDefault()
  }

  /** The tap that is being handled has done something: another one at its place does nothing for a while. */
  absorb(): void {
    const last = this.#last
    // A key may have done it, long after the last tap.
    if (last && performance.now() - last.at < TO_LIFT) this.#kept = { x: last.x, y: last.y, until: last.at + TO_LIFT }
  }
}
