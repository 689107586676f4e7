"""Facts of a position that may be why one turn is better than another, and how to take each away.

A fact is found by rules, and is true. Whether it matters is another question: `reasons` asks it of
the same position without the fact.
"""

from collections.abc import Iterator, Sequence

import numpy as np
from msgspec import Struct

from baghdad.rules.engine.actions import (
    ACTIONS,
    CARRY,
    END_TURN,
    MOVE,
    MOVE_NEUTRAL,
    NAME,
    PASS,
    PASS_CARDS,
    PASS_WITH_DANCER,
    SMUGGLE,
    Action,
)
from baghdad.rules.engine.dealer import new_rng
from baghdad.rules.engine.material import (
    CHESTS,
    CHESTS_TO_WIN,
    GUARD_FIELDS,
    HEAVIEST_CHEST,
    NEUTRAL,
    PALACE_LETTERS,
    PALACES,
    TURN,
    Palace,
    Seat,
)
from baghdad.rules.engine.views import VIEW
from baghdad.rules.game import Game
from baghdad.rules.views import View

from .turns import robberies

NEAR = 2
"""Thieves that a rival may lack for a chest and still take it in a turn, as a rule."""
FEW_LEFT = 3
"""Cards of a palace that may still come, at most, where hardly one is to be hoped for."""


class Fact(Struct, frozen=True):
    """Something that is so in a position."""

    kind: str
    """One of `KINDS`."""
    palace: str = ""
    """Its letter, where it is about one."""
    seat: int = -1
    """Of a rival, from 0, where it is about one."""
    n: int = 0
    """Thieves that are missing, cards that can still come, or cards in the hand."""
    number: int = 0
    """On the chest."""


KINDS = ("win", "ready", "threat", "dear", "cheap", "dancer", "gone", "hand")
"""The turn takes the chest that wins; few thieves are missing for one; a rival is near one; a
neutral guard makes a palace dearer; a palace is cheap; a dancer can be taken; hardly a card of a
palace can come any more; the hand pays for little."""


def facts(view: View, best: Sequence[Action], other: Sequence[Action]) -> Iterator[Fact]:
    """What speaks for the best turn and not for the other."""
    fields, seat = view.fields, view.viewer
    assert seat is not None
    if fields.phase != TURN:
        return
    mine, theirs = ({rob[0] for rob in robberies(view, turn) if rob} for turn in (best, other))
    robbed = [PALACE_LETTERS.index(letter) for letter in sorted(mine - theirs)]
    taken = len([rob for rob in robberies(view, best) if rob])
    if fields.loot[seat] + taken >= CHESTS_TO_WIN[fields.players]:
        yield Fact("win")
    for palace in robbed:
        own, number = int(fields.thieves[palace, seat]), top_chest(view, palace)
        if own:
            yield Fact("ready", PALACE_LETTERS[palace], n=number - own, number=number)
    touched = sorted(set(robbed) | (places_of(best) - places_of(other)))
    for palace in touched:
        yield from _threats(view, palace)
    for palace in sorted(_neutrals_sent_off(best) - _neutrals_sent_off(other)):
        yield Fact("dear", PALACE_LETTERS[palace])
    for palace in sorted(_smuggled(best) - _smuggled(other)):
        if view.price(palace) == 1 and fields.guards[palace].sum() < GUARD_FIELDS:
            yield Fact("cheap", PALACE_LETTERS[palace])
    if PASS_WITH_DANCER in best and PASS_WITH_DANCER not in other:
        yield Fact("dancer")
    for palace in sorted(_arrivals(other) - _arrivals(best) | _left(best)):
        if view.unseen(palace) <= FEW_LEFT and fields.discard[palace]:
            yield Fact("gone", PALACE_LETTERS[palace], n=view.unseen(palace))
    if _passes(best) and not _passes(other):
        yield Fact("hand", n=sum(view.hand))


def without(view: View, fact: Fact) -> View:
    """The same position, but for the fact."""
    views = np.zeros(1, VIEW)
    views[0] = view.fields
    edited, seat = views[0], int(view.fields.viewer)
    palace = PALACE_LETTERS.index(fact.palace) if fact.palace else -1
    match fact.kind:
        case "win":
            edited.loot[seat] -= 1
            for place in PALACES:  # where it came from
                if edited.chests[place] < CHESTS and place not in _near(view, seat):
                    edited.chests[place] += 1
                    break
        case "ready" | "threat":
            owner = seat if fact.kind == "ready" else fact.seat
            edited.stock[owner] += edited.thieves[palace, owner]
            edited.thieves[palace, owner] = 0
        case "dear":
            edited.guards[palace, NEUTRAL] -= 1
        case "cheap":
            edited.guards[palace, NEUTRAL] += 1
        case "dancer":
            edited.dancers = 0
        case "gone":
            edited.deck_size += edited.discard[palace]
            edited.discard[palace] = 0
        case "hand":
            for place in PALACES:
                if view.unseen(place) and edited.deck_size:
                    edited.hand[place] += 1
                    edited.hand_sizes[seat] += 1
                    edited.deck_size -= 1
    views.flags.writeable = False
    return View(views[0])


def fitted(view: View, turn: Sequence[Action]) -> tuple[Action, ...]:
    """A turn as far as it can be played in another position, with an end."""
    game, kept = Game.from_state(view.determinize(new_rng("fitted"))), list[Action]()
    seat = game.to_move
    for action in turn:
        if game.to_move == seat and action in game.legal():
            game.play(action)
            kept.append(action)
    if game.to_move == seat:
        kept.append(END_TURN if game.acted else PASS_CARDS)
    return tuple(kept)


def top_chest(view: View, palace: Palace) -> int:
    """The number on the chest that lies on top; 8 where none is left."""
    return HEAVIEST_CHEST + 1 - int(view.fields.chests[palace])


def places_of(turn: Sequence[Action]) -> set[Palace]:
    """The palaces at which a turn does something."""
    places = set()
    for action in turn:
        meaning = ACTIONS[action]
        if meaning.kind not in (PASS, NAME) and action != END_TURN:
            places |= {meaning.palace, meaning.to}
    return places


def _threats(view: View, palace: Palace) -> Iterator[Fact]:
    fields, number = view.fields, top_chest(view, palace)
    if not fields.chests[palace]:
        return
    for rival in range(fields.players):
        missing = number - int(fields.thieves[palace, rival])
        if rival != fields.viewer and fields.thieves[palace, rival] and missing <= NEAR:
            yield Fact("threat", PALACE_LETTERS[palace], rival, missing, number)


def _near(view: View, seat: Seat) -> set[Palace]:
    """Palaces at which a seat has thieves: there a chest more would change more than the count."""
    return {palace for palace in PALACES if view.fields.thieves[palace, seat]}


def _neutrals_sent_off(turn: Sequence[Action]) -> set[Palace]:
    return {ACTIONS[action].palace for action in turn if ACTIONS[action].kind == MOVE_NEUTRAL}


def _smuggled(turn: Sequence[Action]) -> set[Palace]:
    return {ACTIONS[action].palace for action in turn if ACTIONS[action].kind == SMUGGLE}


def _arrivals(turn: Sequence[Action]) -> set[Palace]:
    """Palaces at which a thief or an own guard of it arrives."""
    meanings = (ACTIONS[action] for action in turn)
    return {meaning.to for meaning in meanings if meaning.kind in (SMUGGLE, MOVE, CARRY)}


def _left(turn: Sequence[Action]) -> set[Palace]:
    """Palaces from which it moves an own guard away."""
    moved = [ACTIONS[action] for action in turn if ACTIONS[action].to != ACTIONS[action].palace]
    return {meaning.palace for meaning in moved if meaning.kind != MOVE_NEUTRAL}


def _passes(turn: Sequence[Action]) -> bool:
    return all(ACTIONS[action].kind in (PASS, NAME) for action in turn)
