// A part of the page that somebody waits for: how much of it has come.

/** From 0 to 1; null where nothing is waited for, `away` where it does not come, and is tried again. */
let share = $state<number | 'away' | null>(null)

export const coming = {
  get share(): number | 'away' | null {
    return share
  },
}

export function noteComing(now: number | 'away' | null): void {
  share = now
}
