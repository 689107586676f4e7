// Who sits at a table, and as whom. Each level of the bots is a figure of the Arabian Nights; the second
// bot of a level, the third and the fourth are others, so that no two have one name or one face.
import { CHARACTERS } from './messages'

/** Bots that other people have written may sit here, too: they have no such names. */
const NAMES: Readonly<Record<string, readonly string[]>> = CHARACTERS

/** Somebody at a table: a person has a name, a bot a level. */
export interface Sitter {
  name?: string | null | undefined
  level?: string | null | undefined
  colour: number
}

export interface Character {
  name: string
  /** The bot's level; null for a person. */
  level: string | null
  /** Which of its level's figures a bot is, from 0. */
  nth: number
}

/** A bot's level as it is written. */
export function titled(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}

/**
 * A name and a face for everybody, in the order given. Names are handed out in the order of the colours, which a
 * record keeps: so everybody is called the same before the game, in it and in its replay.
 */
export function charactersOf(sitting: readonly Sitter[]): Character[] {
  const taken = new Set<string>()
  const free = (name: string) => !taken.has(name.toLowerCase())
  const found = new Map<Sitter, Character>()
  const take = (sitter: Sitter, name: string, nth: number) => {
    taken.add(name.toLowerCase())
    found.set(sitter, { name, level: sitter.name == null ? (sitter.level ?? null) : null, nth })
  }
  const numbered = (name: string) => {
    for (let n = 1; ; n++) if (free(n > 1 ? `${name} ${n}` : name)) return n > 1 ? `${name} ${n}` : name
  }
  const ordered = [...sitting].sort((a, b) => a.colour - b.colour)
  for (const sitter of ordered) if (sitter.name != null) take(sitter, numbered(sitter.name), 0)
  const met = new Map<string, number>()
  for (const sitter of ordered) {
    if (sitter.name != null) continue
    const level = sitter.level ?? ''
    const names = NAMES[level] ?? []
    let nth = met.get(level) ?? 0
    while (names[nth] !== undefined && !free(names[nth]!)) nth++
    met.set(level, nth + 1)
    take(sitter, names[nth] ?? numbered(titled(level)), nth)
  }
  return sitting.map((sitter) => found.get(sitter)!)
}

/** By chair: as whom somebody sits there; undefined where nobody does. */
export function charactersAt(chairs: readonly Sitter[]): (Character | undefined)[] {
  const sitting = chairs.filter(({ name, level }) => name ?? level)
  const found = charactersOf(sitting)
  return chairs.map((chair) => found[sitting.indexOf(chair)])
}
