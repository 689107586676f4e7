// A QR code (ISO/IEC 18004) for a short text: bytes, correction level L, versions 1 to 5, which have one
// block and need no version bits. That is room for an address of 106 letters.
const DATA = [0, 19, 34, 55, 80, 108] as const
const CHECK = [0, 7, 10, 15, 20, 26] as const
const LEVEL_L = 0b01

/** Powers of two in the field of 256 elements, and their logarithms. */
const POWER: number[] = []
const LOG: number[] = []
for (let n = 0, value = 1; n < 255; n++) {
  POWER[n] = value
  LOG[value] = n
  value <<= 1
  if (value & 256) value ^= 0x11d
}
const times = (a: number, b: number) => (a && b ? POWER[(LOG[a]! + LOG[b]!) % 255]! : 0)

/** The text as a square of dark (true) and light modules; null where it is too long. */
export function qrCode(text: string): boolean[][] | null {
  const bytes = [...new TextEncoder().encode(text)]
  const version = DATA.findIndex((room, version) => version > 0 && bytes.length + 2 <= room)
  if (version < 0) return null
  const words = [...dataWords(bytes, DATA[version]!)]
  const bits = [...words, ...checkWords(words, CHECK[version]!)].flatMap((word) =>
    Array.from({ length: 8 }, (_, n) => (word >> (7 - n)) & 1),
  )
  let best: { grid: boolean[][]; cost: number } | null = null
  for (let mask = 0; mask < 8; mask++) {
    const grid = drawn(version, bits, mask)
    const cost = penalty(grid)
    if (!best || cost < best.cost) best = { grid, cost }
  }
  return best!.grid
}

function dataWords(bytes: number[], room: number): number[] {
  // Four bits of mode, eight of length, the bytes, four bits of end: all moved by half a byte.
  const halves = [4, bytes.length >> 4, bytes.length & 15, ...bytes.flatMap((byte) => [byte >> 4, byte & 15]), 0]
  const words: number[] = []
  for (let n = 0; n < halves.length; n += 2) words.push((halves[n]! << 4) | (halves[n + 1] ?? 0))
  for (let pad = 0xec; words.length < room; pad ^= 0xec ^ 0x11) words.push(pad)
  return words
}

/** Reed–Solomon: what is left of the data, divided by the generator polynomial. */
function checkWords(data: number[], count: number): number[] {
  let generator = [1]
  for (let n = 0; n < count; n++) {
    const next = [...generator, 0]
    generator.forEach((factor, place) => (next[place + 1]! ^= times(factor, POWER[n]!)))
    generator = next
  }
  const rest = [...data, ...Array<number>(count).fill(0)]
  for (let n = 0; n < data.length; n++) {
    const lead = rest[n]!
    generator.forEach((factor, place) => (rest[n + place]! ^= times(factor, lead)))
  }
  return rest.slice(data.length)
}

function drawn(version: number, bits: number[], mask: number): boolean[][] {
  const size = 17 + 4 * version
  const grid: (boolean | null)[][] = Array.from({ length: size }, () => Array<boolean | null>(size).fill(null))
  const set = (x: number, y: number, dark: boolean) => {
    if (grid[y]?.[x] !== undefined) grid[y][x] = dark
  }
  for (const [left, top] of [
    [0, 0],
    [size - 7, 0],
    [0, size - 7],
  ] as const) {
    for (let y = -1; y <= 7; y++) {
      for (let x = -1; x <= 7; x++) {
        const ring = Math.max(Math.abs(x - 3), Math.abs(y - 3))
        set(left + x, top + y, ring !== 2 && ring !== 4)
      }
    }
  }
  if (version > 1)
    for (let y = -2; y <= 2; y++)
      for (let x = -2; x <= 2; x++) set(size - 7 + x, size - 7 + y, Math.max(Math.abs(x), Math.abs(y)) !== 1)
  for (let n = 8; n < size - 8; n++) {
    set(n, 6, n % 2 === 0)
    set(6, n, n % 2 === 0)
  }
  format(set, size, mask)
  const hides = MASKS[mask]!
  let next = 0
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right = 5
    for (let n = 0; n < size; n++) {
      const y = ((right + 1) & 2) === 0 ? size - 1 - n : n
      for (const x of [right, right - 1]) {
        if (grid[y]![x] === null) grid[y]![x] = !!((bits[next++] ?? 0) ^ (hides(x, y) ? 1 : 0))
      }
    }
  }
  return grid as boolean[][]
}

const MASKS: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
]

/** Level and mask, protected by a code of their own, twice. */
function format(set: (x: number, y: number, dark: boolean) => void, size: number, mask: number): void {
  const data = (LEVEL_L << 3) | mask
  let rest = data
  for (let n = 0; n < 10; n++) rest = (rest << 1) ^ ((rest >> 9) * 0x537)
  const code = ((data << 10) | rest) ^ 0x5412
  for (let n = 0; n < 15; n++) {
    const dark = !!((code >> n) & 1)
    set(8, n < 6 ? n : n < 8 ? n + 1 : size - 15 + n, dark)
    set(n < 8 ? size - 1 - n : n < 9 ? 7 : 14 - n, 8, dark)
  }
  set(8, size - 8, true)
}

/** How hard a pattern is to read: long runs, blocks, and things that look like the corners. */
function penalty(grid: boolean[][]): number {
  const size = grid.length
  let cost = 0
  let dark = 0
  for (let n = 0; n < size; n++) {
    const row = grid[n]!.map(Number).join('')
    const column = grid.map((each) => Number(each[n])).join('')
    for (const line of [row, column]) {
      for (const [run] of line.matchAll(/0{5,}|1{5,}/g)) cost += run.length - 2
      cost += 40 * [...line.matchAll(/(?=10111010000|00001011101)/g)].length
    }
    for (let x = 0; n + 1 < size && x + 1 < size; x++) {
      const four = [grid[n]![x], grid[n]![x + 1], grid[n + 1]![x], grid[n + 1]![x + 1]]
      if (four.every(Boolean) || !four.some(Boolean)) cost += 3
    }
    dark += grid[n]!.filter(Boolean).length
  }
  return cost + 10 * Math.floor(Math.abs((20 * dark) / (size * size) - 10))
}
