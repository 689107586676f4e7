// How marks look: by shape as well as by colour.
import type { Mark } from '../analysis/analyst'

/** Within a square of 20. */
export const SHAPES: Readonly<Record<Mark, string>> = {
  best: 'M10 2a8 8 0 1 1 0 16 8 8 0 0 1 0-16z',
  fine: 'M10 2a8 8 0 1 1 0 16 8 8 0 0 1 0-16zm0 4.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7z',
  inaccuracy: 'M10 2 19 18H1z',
  mistake: 'M10 1l9 9-9 9-9-9z',
  blunder: 'M2.5 2.5h15v15h-15z',
  unclear: 'M2 8h16v4H2z',
}

/** From the best to the worst; last, what nobody can tell. */
export const COLOURS: Readonly<Record<Mark, string>> = {
  best: 'light-dark(#17603f, #7fd6ad)',
  fine: 'light-dark(#557519, #b3d163)',
  inaccuracy: 'light-dark(#8a6400, #f0c04e)',
  mistake: 'light-dark(#b1500d, #f79c5a)',
  blunder: 'light-dark(#a3122b, #ff8190)',
  unclear: 'light-dark(#614a37, #cdbfd8)',
}

export const MARKS = Object.keys(COLOURS) as Mark[]

/** Whether a turn with this mark surely gave something up. */
export const surely = (mark: Mark): boolean => mark !== 'best' && mark !== 'unclear'

/** Whether somebody should look at it again. */
export const wrong = (mark: Mark): boolean => mark === 'inaccuracy' || mark === 'mistake' || mark === 'blunder'
