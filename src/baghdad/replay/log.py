"""The public log of a game: what happens in it as lines, each with the rule behind it."""

from collections.abc import Sequence
from functools import cache

from msgspec import Struct

from baghdad.rules.engine.actions import (
    ACTIONS,
    CARRY,
    END_TURN,
    MOVE,
    MOVE_NEUTRAL,
    NAME,
    PASS_CARDS,
    PASS_WITH_DANCER,
    PAYMENTS,
    PLACE,
    PLACE_NEUTRAL,
    SMUGGLE,
)
from baghdad.rules.engine.material import HEAVIEST_CHEST, PALACE_LETTERS, Seat
from baghdad.rules.game import Game
from baghdad.rules.narration import ending_key, outcome_of

_KINDS = {
    PLACE: ("log.place", "R6"),
    PLACE_NEUTRAL: ("log.place_neutral", "R8"),
    SMUGGLE: ("log.smuggle", "R12"),
    MOVE: ("log.move", "R13"),
    CARRY: ("log.carry", "R14"),
    MOVE_NEUTRAL: ("log.move_neutral", "R15"),
    NAME: ("log.pass_name", "R23"),
}
_ENDS = {
    END_TURN: ("end", "R22"),
    PASS_CARDS: ("pass", "R23"),
    PASS_WITH_DANCER: ("pass_dancer", "R23"),
}


class LogLine(Struct, frozen=True, gc=False, omit_defaults=True):
    """A line of the public log: a message of the catalogue, and the rule behind it."""

    key: str
    rule: str | None = None
    seat: int | None = None
    values: dict[str, str | int] = {}


@cache
def action_line(seat: Seat, action: int, cards: int) -> LogLine:
    """What a seat does, by which rule, and how many palace cards come with it (R25)."""
    if action in _ENDS:
        end, rule = _ENDS[action]
        return LogLine(ending_key(end, cards), rule, seat, {"n": cards})
    meaning = ACTIONS[action]
    key, rule = _KINDS[meaning.kind]
    values: dict[str, str | int] = {"palace": PALACE_LETTERS[meaning.palace]}
    if meaning.to != meaning.palace:
        values["to"] = PALACE_LETTERS[meaning.to]
    if PAYMENTS[action]:
        values["cards"] = PAYMENTS[action]
    if meaning.kind == NAME:
        values["n"] = cards
    return LogLine(key, rule, seat, values)


def robbed(before: Sequence[int], after: Sequence[int]) -> tuple[int, ...]:
    """Palaces that have fewer chests than before."""
    if before == after:
        return ()
    both = zip(before, after, strict=True)
    return tuple(palace for palace, (was, left) in enumerate(both) if left < was)


def robberies(seat: Seat, before: Sequence[int], after: Sequence[int]) -> list[LogLine]:
    """The chests that a seat has carried off."""
    return [
        LogLine(
            "log.rob",
            "R19",
            seat,
            {"palace": PALACE_LETTERS[palace], "number": HEAVIEST_CHEST + 1 - before[palace]},
        )
        for palace in robbed(before, after)
    ]


def reshuffled(before: int, after: int) -> list[LogLine]:
    """That a draw has used the stack up, by the size of the discard pile before and after it."""
    return [LogLine("log.reshuffled", "R24")] if before and not after else []


def ending(game: Game) -> list[LogLine]:
    """How a game has ended, if it has."""
    winner = game.winner
    if not game.over:
        return []
    if winner is None:
        key, counted = outcome_of(game)
        rule = "R27" if game.termination in (None, "turn limit") else "R28"
        return [LogLine(f"log.{key}", rule, values=counted)]
    if game.termination == "resigned":
        return [LogLine("log.wins_resigned", "R28", winner)]
    values: dict[str, str | int] = {
        "seat": winner + 1,
        "loot": game.loot[winner],
        "turns": game.turns + 1,
    }
    lines = [LogLine("log.won", "R21", winner, values)]
    if winner in game.resigned:
        lines.append(LogLine("log.lost_all_the_same", "R28", winner))
    return lines
