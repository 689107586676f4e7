// Who thinks for the bots at tables on this device.

export interface Bots {
  readonly levels: readonly string[]
  /** What a bot wants to play, one action after another; null where it has no answer. `stream`: its chance. */
  think(level: string, view: Uint8Array, stream: string): Promise<readonly number[] | null>
  /** Whether a bot agrees to end the game without a winner (R28); one that fails does not. */
  agrees(level: string, view: Uint8Array, stream: string): Promise<boolean>
}
