// What the analyst says, in words: facts that speak for a turn, and chances.
import type { Fact } from '../analysis/analyst'
import type { Player } from '../board/position'
import { drawn } from '../i18n/cards'
import { say, spoken, tell } from '../i18n/say.svelte'
import { sentence } from '../i18n/sentence'
import { ACTIONS } from '../wire/actions'
import { CARDS_AFTER_ACTIONS, CARDS_AFTER_NONE } from '../wire/messages'
import type { Palace } from '../wire/names'
import { actionInWords } from './turn.svelte'

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

/** A turn by its tokens, an action a line, with what each of them robs. */
export function turnInWords(turn: readonly string[], robs: readonly string[]): string[] {
  return turn.map((token, n) => {
    const words = tokenInWords(token)
    const rob = robs[n]
    return rob
      ? `${words}. ${say('own.rob', { palace: say(`palace.${rob[0] as Palace}`), number: rob.slice(1) })}`
      : words
  })
}

function tokenInWords(token: string): string {
  const action = ACTIONS.find((each) => each.token === token)!
  const { kind, takes } = action
  const dancer = takes === '*'
  if (kind === 'name') return say('end_turn.named', { palace: say(`palace.${takes as Palace}`), n: CARDS_AFTER_NONE })
  if (kind !== 'end' && kind !== 'pass') return actionInWords(action)
  const cards = kind === 'end' ? CARDS_AFTER_ACTIONS : CARDS_AFTER_NONE - Number(dancer)
  return `${say('turn.end')}: ${drawn({ cards, dancer })}`
}
