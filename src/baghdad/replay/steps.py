"""A game as the steps of a replay: what every token did, in words and on the table."""

from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from baghdad.rules.ending import Termination
from baghdad.rules.engine.actions import ACTION_OF
from baghdad.rules.engine.material import Seat
from baghdad.rules.errors import CutRecordError
from baghdad.rules.game import Game

from .headers import COLOURS_HEADER, SEATS_HEADER, colours_in, names_in
from .log import LogLine, action_line, ending, reshuffled, robbed, robberies


class Shown(Struct, frozen=True):
    """The position as everybody sees it; fields as in a view."""

    guards: tuple[tuple[int, ...], ...]
    """[palace, owner]: the four seats, then neutral."""
    thieves: tuple[tuple[int, ...], ...]
    """[palace, seat]"""
    chests: tuple[int, ...]
    """[palace]: left on the terrace; the top one needs 8 minus that many thieves."""
    discard: tuple[int, ...]
    dancers: int
    stock: tuple[int, ...]
    loot: tuple[int, ...]
    unplaced: tuple[tuple[int, ...], ...]
    players: int
    variant: int
    rob: int
    seen: int
    spare: int
    """1: a seat that does nothing may name a palace where no dancer is left (R23)."""
    first_hands: tuple[int, ...]
    """[seat]: cards dealt at first; 0 where nobody sits."""
    phase: int
    """0 placing, 1 dealing, 2 a turn, 3 drawing, 4 over"""
    seat: int
    acted: int
    thief_actions: int
    due: int
    named: int
    """The palace whose card is asked for while the draw is pending, or -1."""
    idle: int
    winner: int
    turn: int
    hand_sizes: tuple[int, ...]
    hand_dancers: tuple[int, ...]
    deck_size: int


class Step(Struct, frozen=True, omit_defaults=True):
    """A token of a record, and what came of it.

    The first step, the beginning, has no token; nor has giving up, or an end without a move.
    """

    token: str = ""
    lines: tuple[LogLine, ...] = ()
    seat: int | None = None
    """Whose decision it was, or who got the cards."""
    action: int | None = None
    cards: str = ""
    """The letters of the cards that were dealt or drawn."""
    robbed: tuple[int, ...] = ()
    """Palaces where a chest was taken."""
    hand: tuple[int, ...] | None = None
    """The hand of that seat after it, where it has changed."""
    changed: dict[str, Any] = {}
    """The fields of the position, as in `Shown`, that are other than before."""


class Replay(Struct, frozen=True):
    """A game that can be looked at step by step, with all hands open."""

    names: tuple[str, ...]
    """By seat; none where the record does not name the players."""
    colours: tuple[Annotated[int, Meta(ge=0, le=3)], ...]
    """By seat: what the pieces wear."""
    headers: dict[str, str]
    """The free headers of the record: when and where it was."""
    result: str
    """The winning seat from 1, `-` where nobody has won, `*` for an unfinished game."""
    termination: Termination | None
    """How it has ended where no move has ended it."""
    resigned: tuple[int, ...]
    """Seats that were given up."""
    shown: Shown
    """The position before the first token."""
    hands: tuple[tuple[int, ...], ...]
    """By seat: the hand before the first token."""
    steps: tuple[Step, ...]
    record: str
    """The same as text."""
    cut: LogLine | None = None
    """That the record stops before the end, where it does."""


def replay_of(game: Game, cut: CutRecordError | None = None) -> Replay:
    """All steps of a game, played once more from its beginning; `cut` where its record stops."""
    players = game.options.players
    again = Game.with_options(game.options)
    again.resigned = game.resigned
    first = again.shown()
    return Replay(
        names=names_in(game.headers.get(SEATS_HEADER, ""), players),
        colours=colours_in(game.headers.get(COLOURS_HEADER, ""), players),
        headers=game.headers,
        result=game.result,
        termination=game.termination,
        resigned=tuple(sorted(game.resigned)),
        shown=msgspec.convert(first, Shown),
        hands=tuple(tuple(again.hand(seat)) for seat in range(players)),
        steps=tuple(_steps(game, again, first)),
        record=game.record(),
        cut=None if cut is None else _stops(cut),
    )


def _steps(game: Game, again: Game, before: dict[str, Any]) -> list[Step]:
    """Play `again` what was played in a game. `before` is the position as everybody sees it."""
    players = game.options.players
    steps = [Step(lines=(LogLine("log.started", "R5", 0),))]
    dealt = 0
    resigned = sorted(game.resigned.items(), key=lambda each: each[1])
    for number, token in enumerate(game.tokens):
        steps += (_gave_up(seat) for seat, before_it in resigned if before_it == number)
        # A hand is dealt to every seat in turn (R7); later the seat that ends a turn draws.
        dealing = token[0] == "=" and dealt < players
        seat = dealt if dealing else int(before["seat"])
        dealt += dealing
        held = again.hand(seat)
        again.play(token)
        hand, after = again.hand(seat), again.shown()
        lines = _cards_come(seat, token, dealing, before, after) or _decided(
            seat, token, before, after
        )
        steps.append(
            Step(
                token,
                tuple(lines + ending(again)),
                seat,
                ACTION_OF.get(token),
                token[1:] if token[0] == "=" else "",
                robbed(before["chests"], after["chests"]),
                None if hand == held else tuple(hand),
                _changed(before, after),
            )
        )
        before = after
    steps += (_gave_up(seat) for seat, number in resigned if number == len(game.tokens))
    if game.termination is not None:
        changed = _changed(before, game.shown())
        steps.append(Step(lines=tuple(ending(game)), seat=game.winner, changed=changed))
    return steps


def _changed(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in after.items() if value != before[name]}


def _gave_up(seat: Seat) -> Step:
    """Somebody gives up: nothing changes on the table."""
    return Step(lines=(LogLine("log.resigned", "R28", seat),), seat=seat)


def _stops(cut: CutRecordError) -> LogLine:
    """That a record stops early, and the winner by its header."""
    seat = cut.values.get("seat")
    return LogLine(f"record.{cut.key}", seat=seat - 1 if isinstance(seat, int) else None)


def _cards_come(
    seat: Seat, token: str, dealing: bool, before: dict[str, Any], after: dict[str, Any]
) -> list[LogLine]:
    """How many cards a seat gets, not which ones: other seats may not know."""
    if token[0] != "=":
        return []
    came = len(token) - 1
    if dealing:
        return [LogLine("log.dealt_to", "R7", seat, {"n": came})]
    shuffled = reshuffled(sum(before["discard"]), sum(after["discard"]))
    return [LogLine("log.drawn", "R22", seat, {"n": came}), *shuffled]


def _decided(
    seat: Seat, token: str, before: dict[str, Any], after: dict[str, Any]
) -> list[LogLine]:
    return [
        action_line(seat, ACTION_OF[token], int(after["due"])),
        *robberies(seat, before["chests"], after["chests"]),
    ]
