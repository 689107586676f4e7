"""A record as the steps of a replay: what every token did, in words and on the table."""

from typing import Any

import msgspec

from baghdad.rules.engine.actions import ACTION_OF
from baghdad.rules.engine.material import Seat
from baghdad.rules.errors import CutRecordError, RecordError
from baghdad.rules.game import Game
from baghdad.server.domain.finished import COLOURS_HEADER, SEATS_HEADER
from baghdad.server.domain.refusals import RefusedError
from baghdad.server.wire.log import (
    action_line,
    ending,
    reshuffled,
    robbed,
    robberies,
)
from baghdad.server.wire.messages import (
    Line,
    Replay,
    Shown,
    Step,
)

MOST_STEPS = 20_000
"""Twice as many as the longest of some hundred games between random players."""


def game_of(text: str, language: str) -> Game:
    """The game of a record; one with a mistake is refused with the place and the rule."""
    try:
        return Game.from_record(text)
    except RecordError as error:
        raise RefusedError("not_a_record", error.rule, why=error.said(language)) from error


def replay_of(text: str, language: str = "en") -> Replay:
    """All steps of a record, as far as it goes. Whoever has a record knows all hands."""
    cut = None
    try:
        game = game_of(text, language)
    except RefusedError as error:
        if not isinstance(error.__cause__, CutRecordError):
            raise
        cut = error.__cause__
        game = cut.game
    if len(game.tokens) >= MOST_STEPS:
        raise RefusedError("too_long")
    return steps_of(game, cut)


def steps_of(game: Game, cut: CutRecordError | None = None) -> Replay:
    """All steps of a game, played once more from its beginning; `cut` where its record stops."""
    players = game.options.players
    again = Game.with_options(game.options)
    again.resigned = game.resigned
    first = before = again.shown()
    hands = tuple(tuple(again.hand(seat)) for seat in range(players))
    steps = [Step(lines=(Line("log.started", "R5", 0),))]
    dealt = 0
    resigned = sorted(game.resigned.items(), key=lambda each: each[1])
    for number, token in enumerate(game.tokens):
        steps += (_gave_up(seat) for seat, before_it in resigned if before_it == number)
        # A hand is dealt to every seat in turn (R7); later whoever ends a turn draws.
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
                {name: value for name, value in after.items() if value != before[name]},
            )
        )
        before = after
    steps += (_gave_up(seat) for seat, number in resigned if number == len(game.tokens))
    if game.termination is not None:
        last = game.shown()
        changed = {name: value for name, value in last.items() if value != before[name]}
        steps.append(Step(lines=tuple(ending(game)), seat=game.winner, changed=changed))
    return Replay(
        names=names_in(game.headers.get(SEATS_HEADER, ""), players),
        colours=colours_in(game.headers.get(COLOURS_HEADER, ""), players),
        headers=game.headers,
        result=game.result,
        termination=game.termination,
        resigned=tuple(sorted(game.resigned)),
        shown=msgspec.convert(first, Shown),
        hands=hands,
        steps=tuple(steps),
        record=game.record(),
        cut=None if cut is None else _stops(cut),
    )


def _gave_up(seat: Seat) -> Step:
    """Somebody gives up: nothing changes on the table."""
    return Step(lines=(Line("log.resigned", "R28", seat),), seat=seat)


def _stops(cut: CutRecordError) -> Line:
    """That a record stops early, and who has won by its header."""
    seat = cut.values.get("seat")
    return Line(f"record.{cut.key}", seat=seat - 1 if isinstance(seat, int) else None)


def _cards_come(
    seat: Seat, token: str, dealing: bool, before: dict[str, Any], after: dict[str, Any]
) -> list[Line]:
    """How many cards a seat gets. Which ones is not said here: other seats may not know."""
    if token[0] != "=":
        return []
    came = len(token) - 1
    if dealing:
        return [Line("log.dealt_to", "R7", seat, {"n": came})]
    shuffled = reshuffled(sum(before["discard"]), sum(after["discard"]))
    return [Line("log.drawn", "R22", seat, {"n": came}), *shuffled]


def _decided(seat: Seat, token: str, before: dict[str, Any], after: dict[str, Any]) -> list[Line]:
    return [
        action_line(seat, ACTION_OF[token], int(after["due"])),
        *robberies(seat, before["chests"], after["chests"]),
    ]


def names_in(header: str, players: int) -> tuple[str, ...]:
    """Who played, by seat. A name with a comma in it can't be told apart: then nobody is named.

    >>> names_in("Ali, Morgiana", 2), names_in("Ali, the baker, Morgiana", 2)
    (('Ali', 'Morgiana'), ())
    """
    names = tuple(name.strip() for name in header.split(","))
    return names if len(names) == players and all(names) else ()


def colours_in(header: str, players: int) -> tuple[int, ...]:
    """What the seats' pieces wear; each seat its own colour where the record does not say.

    >>> colours_in("2, 1", 2), colours_in("", 3), colours_in("1, 1", 2)
    ((1, 0), (0, 1, 2), (0, 1))
    """
    usual = tuple(range(players))
    given = [part.strip() for part in header.split(",")]
    if not all(part in ("1", "2", "3", "4") for part in given):
        return usual
    colours = tuple(int(part) - 1 for part in given)
    return colours if len(set(colours)) == len(colours) == players else usual
