// Petals, rays and thorns: one shape, drawn many times around a point, as one path.
// One path each, and no transforms: the browser has far less to keep and to paint.

/** A path of M, L, C and their small letters, turned by degrees, made larger, and moved. */
export function turned(
  path: string,
  degrees: readonly number[],
  [x, y] = [0, 0],
  sizes: readonly number[] = [],
): string {
  return degrees
    .map((turn, n) => {
      const [cos, sin] = [Math.cos((turn * Math.PI) / 180), Math.sin((turn * Math.PI) / 180)].map(
        (part) => part * (sizes[n] ?? 1),
      ) as [number, number]
      let [dx, dy] = [x, y]
      return path.replace(/([a-z])|(-?\d*\.?\d+) ?(-?\d*\.?\d+)/gi, (_, letter?: string, a?: string, b?: string) => {
        if (letter) {
          ;[dx, dy] = letter < 'a' ? [x, y] : [0, 0] // small letters count from where the pen is
          return letter
        }
        const [u, v] = [Number(a), Number(b)]
        return `${round(u * cos - v * sin + dx)} ${round(u * sin + v * cos + dy)} `
      })
    })
    .join('')
}

/** So many equal parts of a whole turn. */
export const around = (count: number): number[] => Array.from({ length: count }, (_, n) => (n * 360) / count)

const round = (value: number): number => Math.round(value * 100) / 100
