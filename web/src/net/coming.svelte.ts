// Large parts of the page that somebody waits for: how much of each has come.
import type { Part } from './parts'

/** From 0 to 1; null where nothing is waited for, `away` where it does not come, and is tried again. */
type Share = number | 'away' | null

/** Parts without which nothing goes on. */
export type Waited = Extract<Part, 'engine' | 'network' | 'puzzles'>

const shares = $state<Record<Waited, Share>>({ engine: null, network: null, puzzles: null })

export const coming = (part: Waited): Share => shares[part]

export function noteComing(part: Waited, now: Share): void {
  shares[part] = now
}
