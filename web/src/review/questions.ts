// A turn as a question: what was played, what was better, and something else that could have been played.
import type { TurnReview } from '../analysis/analyst'
import type { Detour } from '../replay/replay.svelte'
import { ACTIONS } from '../wire/actions'
import { PALACES } from '../wire/names'
import type { ReviewStore } from './review.svelte'

export interface Answer {
  kind: 'best' | 'played' | 'other'
  course: Detour
}

/** The answers, in an order that does not tell which is which. */
export async function answersTo(review: ReviewStore, turn: TurnReview): Promise<Answer[]> {
  const [best, played] = await Promise.all([review.course(turn, turn.best), review.course(turn, turn.played)])
  const other = await another(review, turn)
  const all: Answer[] = [
    { kind: 'best', course: best },
    { kind: 'played', course: played },
    ...(other ? [{ kind: 'other' as const, course: other }] : []),
  ]
  const first = turn.at % all.length
  return [...all.slice(first), ...all.slice(0, first)]
}

/** Another turn, of those that the analyst has tried, too. */
async function another(review: ReviewStore, turn: TurnReview): Promise<Detour | null> {
  for (const tokens of others(turn))
    try {
      return await review.course(turn, tokens)
    } catch {
      // It can't be played here.
    }
  return null
}

/** To do nothing, or to place the guard elsewhere. */
function others({ best, played }: TurnReview): string[][] {
  const guard = ACTIONS.find(({ token }) => token === best[0])?.kind
  const sign = { place: '@', place_neutral: '@n' }[guard as string]
  const all = sign ? PALACES.map((palace) => [sign + palace]) : [['-']]
  return all.filter((tokens) => ![best, played].some((turn) => turn.join() === tokens.join()))
}
