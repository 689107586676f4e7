"""How a game ends that its moves don't end (R27, R28), and what a record may say of it."""

import re
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from baghdad.rules.engine.material import Seat

from .errors import CutRecordError, OutOfTurnError, RecordError

if TYPE_CHECKING:
    from .game import Game
    from .notation import Record, Token

Termination: TypeAlias = Literal["resigned", "agreed", "abandoned", "turn limit"]
"""Somebody gave up, all agreed to end it, nobody touched it for long, or a limit was reached."""
TERMINATIONS: tuple[Termination, ...] = get_args(Termination)
TERMINATION_HEADER, RESIGNED_HEADER = "Termination", "Resigned"
ENDING_HEADERS = (TERMINATION_HEADER, RESIGNED_HEADER)

Resigned: TypeAlias = dict[Seat, int]
"""By seat that has given up: how many tokens were played before it did."""

_GAVE_UP = re.compile(r"\s*([1-4])@([1-9][0-9]{0,8})\s*")


def read_resigned(text: str, players: int) -> Resigned | None:
    """The value of a header; None where it is not a possible one.

    >>> read_resigned("2@57, 1@60", 3), read_resigned("3@57", 2)
    ({1: 56, 0: 59}, None)
    """
    found: Resigned = {}
    for part in text.split(","):
        match = _GAVE_UP.fullmatch(part)
        if match is None or int(match[1]) > players or int(match[1]) - 1 in found:
            return None
        found[int(match[1]) - 1] = int(match[2]) - 1
    return found


def ending_headers(termination: Termination | None, resigned: Resigned) -> dict[str, str]:
    """The headers of an ending; the seat that gave up first comes first.

    >>> ending_headers("resigned", {1: 56})
    {'Termination': 'resigned', 'Resigned': '2@57'}
    """
    headers = {} if termination is None else {TERMINATION_HEADER: str(termination)}
    if resigned:
        told = sorted(resigned.items(), key=lambda each: (each[1], each[0]))
        headers[RESIGNED_HEADER] = ", ".join(f"{seat + 1}@{number + 1}" for seat, number in told)
    return headers


def ends_with(players: int, resigned: Resigned) -> int | None:
    """The number of tokens after which giving up has ended the game; None where it goes on.

    With two players the other one has won; with more a bot plays each seat on, as long as there
    is a player who has not given up.

    >>> ends_with(2, {1: 56}), ends_with(3, {1: 56}), ends_with(3, {1: 56, 0: 60, 2: 58})
    (56, None, 60)
    """
    if players == 2:
        return min(resigned.values(), default=None)
    return max(resigned.values()) if len(resigned) == players else None


def over_by(game: "Game") -> OutOfTurnError:
    """Why nothing can be played any more in a game that its moves have not ended."""
    assert game.termination is not None, "it was ended"
    if game.winner is not None:
        return OutOfTurnError("over_resigned", "R28", seat=2 - game.winner)
    if game.termination == "turn limit":
        return OutOfTurnError("over_turn_limit", "R27")
    key = "all_resigned" if game.termination == "resigned" else game.termination
    return OutOfTurnError(f"over_{key}", "R28")


def conclude(game: "Game", record: "Record") -> None:
    """End a game as its record does, after all tokens were played; raise what contradicts."""
    end = ends_with(record.options.players, record.resigned)
    if end is not None and end < len(record.tokens):
        raise _wrong(record.tokens[end], "after_resigning")
    if record.options.players == 2 and len(record.resigned) == 2:  # the first has ended it
        raise _wrong(record.places[RESIGNED_HEADER], "resigned_both")
    for seat, number in record.resigned.items():
        if number < len(record.tokens) or (number == len(record.tokens) and not game.over):
            game.resigned = game.resigned | {seat: number}
            continue
        at = record.places[RESIGNED_HEADER]
        values = {"seat": seat + 1, "number": number + 1}
        if game.over:
            raise _wrong(at, "resigned_after", seat=seat + 1)
        raise CutRecordError(at.line, at.column, at.text, game, key="cut_resigned", **values)
    if game.over:
        if record.termination is not None:
            raise _wrong(record.places[TERMINATION_HEADER], "ended_by_moves")
        _check(record, game.result)
    elif record.termination is not None:
        _end(game, record, record.termination)
    elif end is not None:
        raise _wrong(record.places[RESIGNED_HEADER], "resigning_ends")
    elif record.result != "*":
        _cut(game, record)


def _end(game: "Game", record: "Record", termination: Termination) -> None:
    """An ending that the moves don't bring about: who can have won by it?"""
    players = record.options.players
    if termination == "resigned":
        if not record.resigned:
            raise _wrong(record.places[TERMINATION_HEADER], "nobody_resigned")
    elif ends_with(players, record.resigned) is not None:
        raise _wrong(record.places[RESIGNED_HEADER], "resigning_ends")
    game.end(termination)
    _check(record, game.result, "result_ending")


def _check(record: "Record", result: str, key: str = "result") -> None:
    if record.result != result:
        raise _wrong(record.result_at, key, result=result)


def _cut(game: "Game", record: "Record") -> None:
    at = record.tokens[-1] if record.tokens else record.result_at
    end = at.column + len(at.text)
    if record.result == "-":
        raise CutRecordError(at.line, end, "", game, key="cut_nobody")
    raise CutRecordError(at.line, end, "", game, key="cut", seat=int(record.result))


def _wrong(at: "Token", key: str, **values: object) -> RecordError:
    return RecordError(at.line, at.column, at.text, None, key=key, **values)
