"""Styles of play that take games to where a rule is rarely needed.

A style sees the whole position and names a legal token: it is no bot, and knows every card.
"""

from collections.abc import Callable
from random import Random
from typing import Any

from support.naive import DANCER, PALACES
from support.tables import any_move, hoarding, thieving

Position = dict[str, Any]
Style = Callable[[Position, Random], str]


def at_random(position: Position, random: Random) -> str:
    return any_move(position["legal"], random)


def with_thieves(position: Position, random: Random) -> str:
    return thieving(position["legal"], random)


def for_chests(position: Position, random: Random) -> str:
    """Brings thieves in, most often where it has the most, so that games are won."""
    legal: list[str] = position["legal"]
    mine = {palace: position["thieves"][palace][position["to_move"] - 1] for palace in PALACES}
    smuggles = [token for token in legal if token.startswith("+")]
    if smuggles and random.random() < 0.9:
        return max(smuggles, key=lambda token: mine[token[1]])
    ends = [token for token in legal if token in (".", "-")]
    if ends and random.random() < 0.6:
        return ends[0]
    return thieving(legal, random)


def for_cards(position: Position, random: Random) -> str:
    """Takes cards until there are none left, and dancers first, so that palaces are named."""
    legal: list[str] = position["legal"]
    return "-*" if "-*" in legal and random.random() < 0.8 else hoarding(legal, random)


def for_dancers(position: Position, random: Random) -> str:
    """Takes dancers and never pays with one, so that palaces are named; spends the other cards."""
    legal: list[str] = position["legal"]
    if "-*" in legal:
        return "-*"
    ends = [token for token in legal if token[0] in "-."]
    actions = [token for token in legal if token[0] not in "-." and DANCER not in token]
    if actions and random.random() < 0.7:
        return thieving(actions, random)
    return random.choice(ends or legal)


def for_nothing(position: Position, random: Random) -> str:
    """Smuggles as long as no chest comes of it, so that the stocks run empty."""
    legal: list[str] = position["legal"]
    seat = position["to_move"] - 1
    mine = {palace: position["thieves"][palace][seat] for palace in PALACES}
    calm = [p for p in PALACES if mine[p] < 7 - position["chests"][p] or not position["chests"][p]]
    smuggles = [token for token in legal if token[0] == "+" and token[1] in calm]
    if smuggles:
        return random.choice(smuggles)
    moves = [token for token in legal if token[1:2] == ">" and token[2] != ">"]
    if moves and random.random() < 0.6:  # to where there are few of one's own
        return min(moves, key=lambda token: (mine[token[2]] - mine[token[0]], random.random()))
    ends = [token for token in legal if token[0] in "-."]
    return random.choice(ends or legal)
