// What has happened, in words: the lines of the log, as the server names them.
import type { Player } from '../board/position'
import { cardsInWords } from '../i18n/cards'
import { say, tell, type Key } from '../i18n/say.svelte'
import { titled } from '../wire/characters'
import type { EventMessage, LogLine } from '../wire/messages'
import type { Emote } from '../wire/names'
import { isChat } from '../wire/chat'

/** Lines that speak to the player whose own action it was. */
const OWN = new Set([
  'place',
  'place_neutral',
  'smuggle',
  'move',
  'carry',
  'move_neutral',
  'rob',
  'end',
  'pass',
  'pass_dancer',
  'pass_name',
  'end_none',
  'pass_none',
  'pass_dancer_none',
  'undone',
  'stood_in',
  'returned',
  'left_out',
  'resigned',
  'wins_resigned',
  'lost_all_the_same',
  'end_proposed',
  'end_agreed',
  'end_refused',
])

/** A line of the log; one's own actions are told as such. */
export function lineInWords(line: LogLine, players: readonly Player[], own?: number | null): string {
  const values: Record<string, string | number> = { ...line.values }
  for (const name of ['palace', 'to']) if (name in values) values[name] = tell(`palace.${values[name]}`)
  if (typeof values.cards === 'string') values.cards = cardsInWords(values.cards)
  if (typeof values.level === 'string') values.level = titled(values.level)
  const who = line.seat == null ? undefined : players[line.seat]
  if (line.key === 'log.won' && who) return say('end.won', { name: who.name, n: Number(values.loot) })
  const [, action] = line.key.split('.')
  if (own != null && line.seat === own && OWN.has(action!)) return say(`own.${action}` as Key, values)
  const text = tell(line.key, values)
  return who && line.key !== 'log.started' ? `${who.name}: ${text}` : titled(text)
}

/** Of what somebody says, as much as fits beside a player's name. */
const SHORT = 60

/** What a player has said just now, for the player's board. */
export function saidBy(
  event: EventMessage | undefined,
): { emote: Emote; words: string } | { words: string } | undefined {
  if (!event?.text) return undefined
  if (event.kind === 'emoted') return { emote: event.text as Emote, words: say(`emote.${event.text}` as Key) }
  return { words: event.text.length > SHORT ? `${event.text.slice(0, SHORT).trimEnd()} …` : event.text }
}

/** An event in one sentence, for the live region. */
export function eventInWords(
  event: EventMessage,
  players: readonly Player[],
  names: ReadonlyMap<number, string>,
  own?: number | null,
): string {
  const who = event.person == null ? '' : (names.get(event.person) ?? '')
  if (isChat(event)) return `${who}: ${event.kind === 'emoted' ? say(`emote.${event.text}` as Key) : event.text}`
  return (event.lines ?? []).map((line) => lineInWords(line, players, own)).join('. ')
}
