// What others have done since one's own last action: what is marked on the board, and said in one sentence.
import type { News } from '../board/model'
import type { Player } from '../board/position'
import { say, type Key } from '../i18n/say.svelte'
import { ACTIONS, type Action } from '../wire/actions'
import type { EventMessage } from '../wire/messages'
import { PALACES, type CardKind, type Owner, type Palace, type Seat } from '../wire/names'

export interface OthersStep {
  seat: Seat
  action: Action
  robbed: readonly Palace[]
  /** Cards that came to the hand with it. */
  drawn: number
}

/** Whether an event is an action of a seat. */
const moved = (event: EventMessage) => event.action != null && event.seat != null

/**
 * The steps of others since a seat's last own action, in order, without those that were taken back.
 * Somebody who only watches gets those of the turn that was played last.
 */
export function stepsOfOthers(log: readonly EventMessage[], own: Seat | null): OthersStep[] {
  const last = own === null ? log.findLast(moved)?.seat : undefined
  const before =
    own === null
      ? log.findLastIndex((event) => moved(event) && event.seat !== last)
      : log.findLastIndex((event) => event.seat === own && (moved(event) || event.kind === 'undone'))
  const steps: OthersStep[] = []
  for (const event of log.slice(before + 1)) {
    const seat = event.seat as Seat
    if (event.kind === 'undone') steps.splice(steps.findLastIndex((step) => step.seat === seat) >>> 0, 1)
    if (!moved(event)) continue
    const drawn = event.drawn?.find(([to]) => to === seat)?.[1] ?? 0
    steps.push({
      seat,
      action: ACTIONS[event.action!]!,
      robbed: (event.robbed ?? []).map((place) => PALACES[place]!),
      drawn,
    })
  }
  return steps
}

/** What is other than it was, palace by palace: who came, who left, who robbed. */
export function newsOf(steps: readonly OthersStep[]): News {
  const news: Partial<
    Record<Palace, { guards: Partial<Record<Owner, number>>; thieves: Partial<Record<Seat, number>>; robbed: Seat[] }>
  > = {}
  const at = (palace: Palace) => (news[palace] ??= { guards: {}, thieves: {}, robbed: [] })
  for (const { seat, action, robbed } of steps) {
    const { from, to } = action
    const owner: Owner = action.guard === 'neutral' ? 'n' : seat
    const guard = (palace: Palace, n: number) => (at(palace).guards[owner] = (at(palace).guards[owner] ?? 0) + n)
    const thief = (palace: Palace, n: number) => (at(palace).thieves[seat] = (at(palace).thieves[seat] ?? 0) + n)
    if (from && action.guard) guard(from, -1)
    if (from && action.thief) thief(from, -1)
    if (to && action.guard) guard(to, 1)
    if (to && action.thief) thief(to, 1)
    for (const palace of robbed) {
      at(palace).robbed.push(seat)
      // They are home again, with the chest.
      at(palace).thieves[seat] = 0
    }
  }
  return news
}

/** The palace card that an action leaves on top of the discard pile; dancers go back to their supply. */
export function discardedBy(action: number): CardKind | undefined {
  return ACTIONS[action]!.price.findLast((card) => card !== '*')
}

/** The cards that others have paid with last. */
export function lastPaid(steps: readonly OthersStep[]): readonly CardKind[] {
  return steps.findLast(({ action }) => action.price.length)?.action.price ?? []
}

/** What each of the others did, in one sentence: "Ali: 2 thieves into Red, robs Red; Dalila: draws 4 cards." */
export function roundInWords(steps: readonly OthersStep[], players: readonly Player[]): string {
  const seats = [...new Set(steps.map(({ seat }) => seat))]
  const told = seats.flatMap((seat) => {
    const counts = new Map<string, { key: Key; palace: Palace; n: number }>()
    const count = (key: Key, palace: Palace) => {
      const found = counts.get(key + palace) ?? { key, palace, n: 0 }
      counts.set(key + palace, { ...found, n: found.n + 1 })
    }
    const own = steps.filter((step) => step.seat === seat)
    for (const { action, robbed } of own) {
      const { from, to, guard, thief } = action
      if (to && thief) count(from ? 'round.carried' : 'round.smuggled', to)
      else if (to) count(guard === 'neutral' ? 'round.neutral' : 'round.moved', to)
      for (const palace of robbed) count('round.robbed', palace)
    }
    const parts = [...counts.values()].flatMap(({ key, palace, n }) => {
      const told = say(key, { n, palace: say(`palace.${palace}`) })
      return key === 'round.robbed' ? Array<string>(n).fill(told) : [told]
    })
    const last = own.at(-1)!
    const { ends, takes } = last.action
    if (!parts.length && ends)
      parts.push(
        takes && takes !== '*'
          ? say('round.named', { n: last.drawn, palace: say(`palace.${takes}`) })
          : say(takes ? 'round.dancer' : 'round.drew', { n: last.drawn }),
      )
    return parts.length ? [`${players[seat]?.name ?? ''}: ${parts.join(', ')}`] : []
  })
  return told.length ? `${told.join('; ')}.` : ''
}
