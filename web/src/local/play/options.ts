// What an agreement means: a rulebook or single options, and the first hands.
import { BALANCED, FIRST_HANDS, LARGEST_HAND, PRESETS, type Agreement } from '../../wire/messages'
import type { Options } from './rules'

const RULED = ['rob', 'hands', 'spare'] as const

/** A rulebook was named, and an option that contradicts it. */
export class RulebookError extends Error {
  constructor(
    readonly rulebook: string,
    readonly option: string,
    readonly wanted: string,
    readonly given: string,
  ) {
    super(option)
  }
}

/** First hands that can't be dealt. */
export class DealError extends Error {}

const presetOf = (rulebook: string | null | undefined) =>
  PRESETS[(rulebook ?? 'ours') as keyof typeof PRESETS] as Pick<Options, (typeof RULED)[number]>

/** The options of a game for those who are there; `all` who could have sat there chose the first hands. */
export function optionsFor(agreement: Agreement, players: number): Options {
  const preset = presetOf(agreement.rulebook)
  for (const name of RULED) {
    const given = agreement[name]
    if (agreement.rulebook && given && given !== preset[name])
      throw new RulebookError(agreement.rulebook, name, preset[name], given)
  }
  return {
    players,
    variant: agreement.variant ?? 'standard',
    rob: agreement.rob ?? preset.rob,
    hands: agreement.hands ?? preset.hands,
    spare: agreement.spare ?? preset.spare,
    deal: firstHands(agreement.deal ?? 'usual', agreement.players ?? 2, players),
    rulebook: agreement.rulebook ?? null,
  }
}

function firstHands(deal: string, all: number, players: number): readonly number[] {
  if (deal === 'balanced') return BALANCED[players as 2 | 3 | 4]
  if (deal === 'usual' || deal === '') return FIRST_HANDS.slice(0, players)
  const numbers = /^([0-9]{1,2}-)*[0-9]{1,2}$/.test(deal) ? deal.split('-').map(Number) : []
  if (numbers.length !== all || numbers.some((n) => n < 1 || n > LARGEST_HAND)) throw new DealError(deal)
  return numbers.slice(0, players)
}

/** Whether the first hands are R7's. */
export const usualDeal = ({ deal, players }: Options): boolean => deal.join() === FIRST_HANDS.slice(0, players).join()

/** What differs from the usual among that which a rulebook decides. */
export function unusual(options: Options): Partial<Pick<Options, (typeof RULED)[number]>> {
  const usual = presetOf(null)
  return Object.fromEntries(RULED.flatMap((name) => (options[name] === usual[name] ? [] : [[name, options[name]]])))
}
