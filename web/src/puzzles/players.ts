// Who sits at a position that names nobody.
import type { Player } from '../board/position'
import { say } from '../i18n/say.svelte'
import type { Position } from '../wire/attempt'
import { charactersOf } from '../wire/characters'
import type { Seat } from '../wire/names'

/** Whoever plays, and others by their number. */
export function playersAt({ shown, seat }: Position): Player[] {
  const seats = Array.from({ length: shown.players }, (_, each) => each as Seat)
  const names = seats.map((each) => (each === seat ? say('you') : say('chair.guest', { n: each + 1 })))
  const characters = charactersOf(seats.map((each) => ({ colour: each, name: names[each]! })))
  return seats.map((each) => ({
    seat: each,
    name: names[each]!,
    colour: each,
    person: null,
    bot: null,
    absent: false,
    character: characters[each]!,
  }))
}
