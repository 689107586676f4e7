/** Places for signs that must not cover each other: as near as can be to where they belong, in the same order. */
export function spread(wanted: readonly number[], gap: number, least: number, most: number): number[] {
  const order = wanted.map((_, sign) => sign).sort((a, b) => wanted[a]! - wanted[b]! || a - b)
  const room = Math.min(gap, (most - least) / Math.max(1, order.length - 1))
  const places = [...wanted]
  let free = least
  for (const sign of order) {
    places[sign] = Math.max(free, wanted[sign]!)
    free = places[sign] + room
  }
  free = most
  for (const sign of order.reverse()) {
    places[sign] = Math.min(free, places[sign]!)
    free = places[sign] - room
  }
  return places
}
