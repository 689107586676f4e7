// How a game has ended, in words: who has won, who gave up, why nobody has won.
import { say } from '../i18n/say.svelte'
import type { Shown, ShownTable } from '../wire/messages'

export interface Ending {
  winner: number | null
  termination?: ShownTable['termination']
  /** Seats whose players gave up: they have lost, even if the seat has won. */
  resigned?: readonly number[]
  loot: readonly number[]
}

export function endingOf(table: Pick<ShownTable, 'termination' | 'resigned'>, shown: Shown): Ending {
  return {
    winner: shown.winner < 0 ? null : shown.winner,
    termination: table.termination,
    resigned: table.resigned ?? [],
    loot: shown.loot,
  }
}

/** Who has won, or how it ended; `own`: the seat of whoever reads it. */
export function endInWords(
  { winner, termination, resigned = [], loot }: Ending,
  names: readonly string[],
  own: number | null = null,
): string {
  if (winner === null) {
    if (termination === 'resigned') return say('end.resigned')
    if (termination === 'agreed') return say('end.agreed')
    if (termination === 'abandoned') return say('end.abandoned')
    return say(termination === 'turn limit' ? 'end.turn_limit' : 'end.stalemate')
  }
  const name = names[winner] ?? ''
  if (termination === 'resigned') {
    const other = names[1 - winner] ?? ''
    if (own === winner) return say('end.you_resigned', { name: other })
    return own === null ? say('end.won_resigned', { name, other }) : say('end.gave_up', { name })
  }
  if (resigned.includes(winner)) return own === winner ? say('end.you_bot_won') : say('end.bot_won', { name })
  return own === winner ? say('end.you') : say('end.won', { name, n: loot[winner] ?? 0 })
}

/** What is to be said of an ending besides; nothing of one that is won by chests. */
export function whyInWords({ winner, termination, resigned = [] }: Ending, shown: Shown): string {
  if (winner !== null && resigned.includes(winner)) return say('end.why.bot_won')
  if (termination === 'resigned') return say('end.why.resigned')
  if (winner !== null) return ''
  if (termination === 'agreed') return say('end.why.agreed')
  if (termination === 'abandoned') return say('end.why.abandoned')
  if (termination === 'turn limit') return say('end.why.turn_limit')
  return say(shown.rob && !shown.stock.some(Boolean) ? 'end.why.dead' : 'end.why.stalemate')
}
