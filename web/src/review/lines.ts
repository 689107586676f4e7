// How the lines of the chances look: by pattern as well as by colour, for each seat's colour.
import type { Moment } from '../analysis/chances'
import type { Seat } from '../wire/names'

export interface Line {
  /** What it stands for. */
  name: string
  /** The colour of its seat; null where it stands for nobody. */
  colour: Seat | null
  chance: (moment: Moment) => number
  /** Only to be compared with. */
  faint?: boolean
}

/** Lengths of strokes and gaps; the ends are round, so a stroke of nothing is a dot. */
const PATTERNS = ['none', '8 5', '0 5', '11 5 0 5'] as const
const COLOURS = [
  'light-dark(#0b7d5a, #3fc79c)',
  'light-dark(#2462b3, #6aa5ee)',
  'light-dark(#c23219, #f0765f)',
  'light-dark(#8f6700, #f4c531)',
] as const

export const patternOf = ({ colour }: Line) => (colour === null ? '1 4' : PATTERNS[colour])
export const colourOf = ({ colour }: Line) => (colour === null ? 'var(--ink-soft)' : COLOURS[colour])
