// The puzzles that come with the page, as `tools/puzzle_file.py` has written them; fetched when the first is wanted.
import type { Fact } from '../analysis/analyst'
import { noteComing } from '../net/coming.svelte'
import { part } from '../net/parts'
import type { Position } from '../wire/attempt'
import { LEVELS, type Shown } from '../wire/messages'

export interface Puzzle {
  id: string
  /** Its place among all, from 1. */
  number: number
  position: Position
  /** The best turn, as tokens. */
  turn: readonly string[]
  /** The next best. */
  next: readonly string[]
  /** To win after the best. */
  chance: number
  /** Points by which that is ahead of the next best. */
  ahead: number
  /** The weakest opponent who finds the turn; null where none does. */
  level: (typeof LEVELS)[number] | null
  /** What speaks for it. */
  facts: readonly Fact[]
}

/** Points by which the best turn is ahead of every other, 99 times in 100. */
export const AHEAD = 10

type Row = [
  id: string,
  seat: number,
  shown: number[],
  hand: number[],
  turn: string,
  next: string,
  chance: number,
  ahead: number,
  level: number,
  facts: [kind: Fact['kind'], palace: string, seat: number, n: number, number: number][],
]

export interface PuzzleFile {
  format: number
  /** What stands in a position, in its order: nothing for a number, else the sizes of a list or a table. */
  fields: Readonly<Record<string, readonly number[]>>
  puzzles: readonly Row[]
}

let asked: Promise<readonly Puzzle[]> | null = null

/** All puzzles, always in the same order. Rejects where they can't be fetched; then they may be asked for again. */
export function puzzles(): Promise<readonly Puzzle[]> {
  return (asked ??= fetched().catch((error: unknown) => {
    asked = null
    throw error
  }))
}

async function fetched(): Promise<readonly Puzzle[]> {
  const tell = (share: number) => noteComing('puzzles', share)
  tell(0)
  try {
    return puzzlesOf(JSON.parse(new TextDecoder().decode(await part('puzzles', tell))) as PuzzleFile)
  } finally {
    noteComing('puzzles', null)
  }
}

export function puzzlesOf({ fields, puzzles }: PuzzleFile): Puzzle[] {
  return puzzles.map(([id, seat, shown, hand, turn, next, chance, ahead, level, facts], place) => ({
    id,
    number: place + 1,
    position: { shown: shownOf(fields, shown), seat, hand },
    turn: turn.split(' '),
    next: next.split(' '),
    chance,
    ahead,
    level: LEVELS[level] ?? null,
    facts: facts.map(([kind, palace, seat, n, number]) => ({ kind, palace, seat, n, number })),
  }))
}

/** What all see. */
function shownOf(fields: PuzzleFile['fields'], row: readonly number[]): Shown {
  let at = 0
  const taken = (length: number) => row.slice(at, (at += length))
  const found = Object.entries(fields).map(([name, [rows, columns]]) => {
    if (rows === undefined) return [name, taken(1)[0]!]
    if (columns === undefined) return [name, taken(rows)]
    return [name, Array.from({ length: rows }, () => taken(columns))]
  })
  const shown = Object.fromEntries(found) as Shown
  const { players, hand_sizes, hand_dancers } = shown
  // As a server tells them: of those who are there.
  return { ...shown, hand_sizes: hand_sizes.slice(0, players), hand_dancers: hand_dancers.slice(0, players) }
}

/** The puzzle of a day, the same for everybody: one after another, and again from the first. */
export const puzzleOf = (all: readonly Puzzle[], day: number): Puzzle | undefined =>
  all[((day % all.length) + all.length) % all.length]
