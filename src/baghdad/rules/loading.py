"""From a position as JSON back to a state: `position.position_of` turned round, and checked."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from baghdad.jit.lazy import LazyModule
from baghdad.rules.engine.material import (
    DANCER,
    DANCERS,
    OVER,
    PALACE_LETTERS,
    PLACING,
    THIEF_ACTIONS,
    THIEVES,
    TURN,
    Seat,
)
from baghdad.rules.engine.state import State, States

from .errors import PositionError, RecordError
from .notation import read_options
from .options import Options
from .position import PHASES
from .setup import new_states

if TYPE_CHECKING:
    from .engine import soundness
else:
    soundness = LazyModule("baghdad.rules.engine.soundness")

MOST_TURNS = 10**9
"""Turns that may be finished: nobody plays as long, and they can still be counted on."""


def load(position: Mapping[str, Any]) -> tuple[Options, States]:
    """The options and the state, as an array of one, that a position tells.

    `legal` follows from the rest and is not read. Raises `PositionError`.
    """
    options = _options(position)
    players = options.players
    states = new_states(options)
    state = states[0]
    for name in ("guards", "thieves"):
        rows = _part(position, name, dict)
        if set(rows) != set(PALACE_LETTERS):
            raise PositionError(name)
        for palace, letter in enumerate(PALACE_LETTERS):
            state[name][palace] = _numbers(rows[letter], len(state[name][palace]), name)
    chests = _part(position, "chests", dict)
    state.chests[:] = _numbers([chests.get(letter) for letter in PALACE_LETTERS], 6, "chests")
    for seat, hand in enumerate(_rows(position, "hands", players)):
        state.hands[seat] = _numbers(hand, DANCER + 1, "hands")
    for seat, left in enumerate(_rows(position, "unplaced", players)):
        state.unplaced[seat] = _numbers(left, 2, "unplaced")
    state.deck[:] = _numbers(position.get("deck"), 6, "deck")
    state.discard[:] = _numbers(position.get("discard"), 6, "discard")
    state.loot[:players] = _numbers(position.get("loot"), players, "loot")
    state.stock[:players] = THIEVES - state.thieves.sum(axis=0)[:players]
    state.dancers = _number(position, "dancers", DANCERS)
    state.thief_actions = _number(position, "thief_actions", THIEF_ACTIONS)
    state.due = _number(position, "due", 102)
    state.idle = _number(position, "idle", players)
    state.turn = _number(position, "turn", MOST_TURNS)
    state.acted = _part(position, "acted", bool)
    named, winner, phase = (position.get(name) for name in ("named", "winner", "phase"))
    if phase not in PHASES:
        raise PositionError("phase")
    state.phase = PHASES.index(phase)
    if named is not None and (not isinstance(named, str) or named not in tuple(PALACE_LETTERS)):
        raise PositionError("named")
    state.named = -1 if named is None else PALACE_LETTERS.index(named)
    if winner is not None and (type(winner) is not int or winner not in range(1, players + 1)):
        raise PositionError("winner")
    state.winner = -1 if winner is None else winner - 1
    state.seat = _seat(position, options, state)
    part = soundness.wrong_part(state)
    if part != soundness.SOUND:
        raise PositionError(soundness.PARTS[part])
    return options, states


def _options(position: Mapping[str, Any]) -> Options:
    headers = _part(position, "options", dict)
    try:
        return read_options({str(name): str(value) for name, value in headers.items()})
    except (RecordError, KeyError):
        raise PositionError("options") from None


def _seat(position: Mapping[str, Any], options: Options, state: State) -> Seat:
    """The seat whose turn it is (R5), or the first one without cards while they are dealt."""
    if state.phase == PLACING:
        seat = position.get("to_move")
        if type(seat) is not int or seat not in range(1, options.players + 1):
            raise PositionError("to_move")
        return seat - 1
    seat = soundness.seat_in_turn(state)
    if seat < 0:
        raise PositionError("hands")
    expected = {TURN: seat + 1, OVER: None}.get(int(state.phase), "chance")
    if position.get("to_move") != expected:
        raise PositionError("to_move")
    return seat


def _part(position: Mapping[str, Any], name: str, kind: type) -> Any:
    value = position.get(name)
    if not isinstance(value, kind):
        raise PositionError(name)
    return value


def _number(position: Mapping[str, Any], name: str, most: int) -> int:
    value = position.get(name)
    if type(value) is not int or not 0 <= value <= most:
        raise PositionError(name)
    return value


def _numbers(value: Any, count: int, name: str) -> list[int]:
    """Small numbers, as many as there must be."""
    right = isinstance(value, list) and len(value) == count
    if not right or not all(type(each) is int and 0 <= each <= 110 for each in value):
        raise PositionError(name)
    return list(value)


def _rows(position: Mapping[str, Any], name: str, players: int) -> list[Any]:
    rows: list[Any] = _part(position, name, list)
    if len(rows) != players:
        raise PositionError(name)
    return rows
