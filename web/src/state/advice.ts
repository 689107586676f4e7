// What the analyst says, in words: facts that speak for a turn, and chances.
import type { Fact } from '../analysis/analyst'
import type { Player } from '../board/position'
import { say, spoken, tell } from '../i18n/say.svelte'
import { sentence } from '../i18n/sentence'
import type { Palace } from '../wire/names'

/** A fact as a sentence. */
export function factInWords({ kind, palace, seat, n, number }: Fact, players: readonly Player[]): string {
  const values = {
    n,
    number,
    ...(palace ? { palace: say(`palace.${palace as Palace}`) } : {}),
    ...(seat >= 0 ? { seat: players[seat]?.name ?? '' } : {}),
  }
  return sentence(tell(`analysis.fact.${kind}`, values))
}

/** A chance to win. */
export function percent(chance: number): string {
  const possible = Math.min(1, Math.max(0, chance))
  return new Intl.NumberFormat(spoken(), { style: 'percent' }).format(possible)
}
