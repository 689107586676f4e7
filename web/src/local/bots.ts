// Who thinks for the bots at tables on this device.

export interface Bots {
  readonly levels: readonly string[]
  /** What a bot wants to play, one action after another; null where it has no answer. `stream`: its chance. */
  think(level: string, view: Uint8Array, stream: string): Promise<readonly number[] | null>
  /** Whether a bot agrees to end the game without a winner (R28); one that fails does not. */
  agrees(level: string, view: Uint8Array, stream: string): Promise<boolean>
}

/** What a bot is asked: it is given what its seat sees, and nothing else. */
export interface Question {
  level: string
  view: Uint8Array
  stream: string
  /** Whether it would agree to end the game without a winner, and not what it would do. */
  end: boolean
}

/** What it wants to play, or 1 where it agrees and 0 where not; null where it has failed or is late. */
export type Reply = readonly number[] | null

/** Bots that are asked elsewhere. */
export function botsAsked(levels: readonly string[], ask: (question: Question) => Promise<Reply>): Bots {
  return {
    levels,
    think: (level, view, stream) => ask({ level, view, stream, end: false }),
    agrees: async (level, view, stream) => (await ask({ level, view, stream, end: true }))?.[0] === 1,
  }
}
