// How the page fits its window: each media query once, by the name that scripts and styles call it. A style writes
// `@media (--flat)`, as of CSS custom media queries; the build puts the query there, since browsers don't know them yet.
export const MEDIA = {
  /** A phone or a tablet held upright: everything lies below each other. */
  upright: '(max-width: 559px), (max-width: 899px) and (orientation: portrait)',
  /** A phone held flat: hardly any height. */
  flat: '(max-height: 559px) and (min-width: 560px) and (orientation: landscape)',
  /** Room for the table alone: the log is a sheet above it. */
  narrow: '(max-width: 1199px), (orientation: portrait), (max-height: 559px)',
  /** Room for the log beside the table. */
  wide: '(min-width: 1200px) and (min-height: 560px) and (orientation: landscape)',
  /** Room for symbols, but not for their names. */
  small: '(max-width: 899px), (max-height: 559px)',
} as const
