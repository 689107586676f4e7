// Cards in words.
import { say, tell } from './say.svelte'

/** What a way to end the turn draws. */
export interface Drawn {
  cards: number
  dancer: boolean
  /** A card of a palace still to be named. */
  naming?: boolean
}

/** Cards in words: `RR*` becomes "2 × red, 1 × dancer". */
export function cardsInWords(letters: string): string {
  const counts = new Map<string, number>()
  for (const letter of letters) counts.set(letter, (counts.get(letter) ?? 0) + 1)
  return [...counts]
    .map(([letter, n]) => `${n} × ${letter === '*' ? say('dancer') : tell(`palace.${letter}`)}`)
    .join(', ')
}

/** What an end of the turn draws, in short. */
export function drawn({ cards, dancer, naming }: Drawn): string {
  return say(naming ? 'turn.draws_named' : dancer ? 'turn.draws_dancer' : 'turn.draws', { n: cards })
}
