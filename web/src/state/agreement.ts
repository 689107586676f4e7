// What a table agrees on: a rulebook or single options, and the first hands; and all of it in words.
import { duration, say, tell } from '../i18n/say.svelte'
import { BALANCED, FIRST_HANDS, PRESETS, RULEBOOKS, type Agreement } from '../wire/messages'

export type Rulebook = (typeof RULEBOOKS)[number]
/** What a rulebook decides. */
export type Ruled = { [option in 'rob' | 'hands' | 'spare']: NonNullable<Agreement[option]> }

const DECIDED = ['rob', 'hands', 'spare'] as const

export function presetOf(rulebook: Rulebook): Ruled {
  const { rob, hands, spare } = PRESETS[rulebook]
  return { rob, hands, spare } as Ruled
}

/** The rulebook that still holds with these options: the one chosen, or ours where nothing differs from it. */
export function holding(rulebook: Rulebook | null, options: Ruled): Rulebook | null {
  const fits = (book: Rulebook) => DECIDED.every((name) => options[name] === presetOf(book)[name])
  return rulebook && fits(rulebook) ? rulebook : fits('ours') ? 'ours' : null
}

/** Cards of the first hands, by seat, for so many players: of own numbers the first ones count. */
export function firstHands(deal: string | undefined, players: number): readonly number[] {
  if (deal === 'balanced') return BALANCED[players as 2 | 3 | 4]
  return (deal && deal !== 'usual' ? deal.split('-').map(Number) : FIRST_HANDS).slice(0, players)
}

/** All that is agreed on and worth a word; `players` are those who are there or still expected. */
export function agreedInWords(agreement: Agreement, players: number = agreement.players ?? 2): string[] {
  const { rulebook, variant, rob, hands, spare, deal, move_seconds, game_seconds, teaching } = agreement
  const book = rulebook ?? (rob || hands || spare ? null : 'ours')
  return [
    ...(teaching ? [say('teaching')] : []),
    ...(book ? [`${say('new.rulebook')}: ${tell(`rulebook.${book}`)}`] : []),
    say(`variant.${variant ?? 'standard'}`),
    ...(rob === 'smuggle' ? [say('agreed.smuggle')] : []),
    ...(hands === 'seen' ? [`${say('new.hands')}: ${say('hands.seen')}`] : []),
    ...(spare === 'chosen' ? [`${say('new.spare')}: ${say('spare.chosen')}`] : []),
    ...(deal && deal !== 'usual' ? [say('deal.agreed', { hands: firstHands(deal, players).join(', ') })] : []),
    ...(move_seconds ? [`${say('new.clock')}: ${duration(move_seconds)}`] : []),
    ...(game_seconds ? [`${say('new.game_clock')}: ${duration(game_seconds)}`] : []),
  ]
}
