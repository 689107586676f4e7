// Where a popover goes: near what it is about, and over as little as possible of what is needed.

/** How bad it would be to cover all of what is pointed at first, however small it is, and last. */
const WORST = [60, 12] as const
/** What else not to cover, and how bad it would be. */
const NEEDED: readonly (readonly [selector: string, weight: number])[] = [
  ['.can, [data-target], [data-end]', 6],
  ['[data-step], [data-player]', 3],
  ['[data-palace], [data-home]', 1],
]
const STEPS = 24

export function overlap(a: DOMRect, b: DOMRect): number {
  const width = Math.min(a.right, b.right) - Math.max(a.left, b.left)
  const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)
  return width > 0 && height > 0 ? width * height : 0
}

/** The best of a grid of places on the screen. */
export function beside(
  popover: HTMLElement,
  about: Element | null,
  goal: Element | null,
  /** Something is to be done. */ acting: boolean,
): { left: number; top: number } {
  const [width, height] = [popover.offsetWidth, popover.offsetHeight]
  const [across, down] = [
    Math.max(0, document.documentElement.clientWidth - width - 8),
    Math.max(0, innerHeight - height - 8),
  ]
  const things = NEEDED.flatMap(([selector, weight]) =>
    [...document.querySelectorAll(selector)].map((thing) => ({
      box: thing.getBoundingClientRect(),
      weight: acting ? weight : 1,
    })),
  )
  ;[about, goal].forEach((thing, n) => {
    const box = thing?.getBoundingClientRect()
    if (box) things.push({ box, weight: (WORST[n]! * width * height) / Math.max(1, box.width * box.height) })
  })
  const aim = about?.getBoundingClientRect()
  let [best, least] = [{ left: 4, top: 4 }, Infinity]
  for (let row = 0; row <= STEPS; row++) {
    for (let column = 0; column <= STEPS; column++) {
      const box = new DOMRect(4 + (across * column) / STEPS, 4 + (down * row) / STEPS, width, height)
      const covered = things.reduce((sum, thing) => sum + thing.weight * overlap(box, thing.box), 0) / (width * height)
      const far = aim
        ? Math.hypot(box.left + width / 2 - aim.left - aim.width / 2, box.top + height / 2 - aim.top - aim.height / 2) /
          Math.hypot(innerWidth, innerHeight)
        : 0
      if (covered + 1.5 * far < least) [best, least] = [{ left: box.left, top: box.top }, covered + 1.5 * far]
    }
  }
  return best
}
