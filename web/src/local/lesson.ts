// The opponent in the guided game: it knows its part, and plays as the easiest level otherwise. As `bots/lesson`.
import lesson from '../../../src/baghdad/bots/lesson/lesson.json'
import { LEVELS } from '../wire/messages'
import type { Bots } from './bots'
import { dealt } from './play/fair'
import { Game } from './play/game'
import { optionsFor } from './play/options'
import type { Rules } from './play/rules'
import { ACTION_OF } from './play/tokens'
import { LESSON, RIVAL } from './table'

/** Bots among which is the one of the guided game. */
export function withLesson(rules: Rules, bots: Bots): Bots {
  let part: ReadonlyMap<string, readonly number[]> | null = null
  return {
    levels: bots.levels,
    think: async (level, view, stream) => {
      if (level !== LESSON) return bots.think(level, view, stream)
      part ??= partOf(rules)
      return part.get(view.join()) ?? (await bots.think(LEVELS[0], view, stream))
    },
    agrees: (level, view, stream) => bots.agrees(level === LESSON ? LEVELS[0] : level, view, stream),
  }
}

/** By what it sees: the rest of its turn in the script. */
function partOf(rules: Rules): ReadonlyMap<string, readonly number[]> {
  const part = new Map<string, number[]>()
  let game = Game.begin(rules, optionsFor({}, 2))
  let turn: string[] = []
  for (const { move } of lesson.script) {
    if (move === undefined) continue
    if (game.toMove === RIVAL) {
      turn.push(game.view(RIVAL).join())
      for (const seen of turn) part.set(seen, [...(part.get(seen) ?? []), ACTION_OF.get(move)!])
    }
    game = dealt(game.play(move), lesson.seed).game
    // A guard that is placed is a turn of its own, and so is whatever ends in a draw.
    if (game.toMove !== RIVAL) turn = []
  }
  return part
}
