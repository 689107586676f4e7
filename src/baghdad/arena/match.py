"""What is played: pairs of bots, every deal in all seats with the same cards to come.

With two players the two change seats. With three or four, one of the two sits alone against copies
of the other, in every seat in turn, and then the reverse.
"""

from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

from baghdad.bots import Bot, Budget, make_bot
from baghdad.bots.playing import MAX_TURNS, moves
from baghdad.rules.engine.material import Seat
from baghdad.rules.game import Game
from baghdad.rules.options import Options


@dataclass(frozen=True, slots=True)
class Match:
    """All that decides what is played, so that it can be played again."""

    bots: tuple[str, ...]
    options: Options
    seed: str
    budget: Budget
    max_turns: int = MAX_TURNS

    def pairs(self) -> list[tuple[str, str]]:
        """Who sits alone against whom."""
        return [
            way
            for one, other in combinations(self.bots, 2)
            for way in ways(one, other, self.options.players)
        ]

    def seatings(self) -> list[tuple[str, ...]]:
        """Who sits where in the games of one deal."""
        return [
            seating
            for alone, rest in self.pairs()
            for seating in lone_seatings(alone, rest, self.options.players)
        ]

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "Match":
        return cls(
            tuple(data["bots"]),
            Options(**data["options"]),
            data["seed"],
            Budget(**data["budget"]),
            data["max_turns"],
        )


def ways(one: str, other: str, players: int) -> list[tuple[str, str]]:
    """Which of two sits alone against which. Between two players one way says it all.

    >>> ways("a", "b", 2)
    [('a', 'b')]
    >>> ways("a", "b", 3)
    [('a', 'b'), ('b', 'a')]
    """
    return [(one, other)] if players == 2 else [(one, other), (other, one)]


def lone_seatings(alone: str, rest: str, players: int) -> list[tuple[str, ...]]:
    """Every seat for the bot that sits alone.

    >>> lone_seatings("a", "b", 3)
    [('a', 'b', 'b'), ('b', 'a', 'b'), ('b', 'b', 'a')]
    """
    places = range(players)
    return [tuple(alone if place == seat else rest for place in places) for seat in places]


@dataclass(frozen=True, slots=True)
class Played:
    """How one game went."""

    deal: int
    seats: tuple[str, ...]
    winner: Seat | None
    turns: int
    robberies: tuple[tuple[int, Seat], ...]
    """(turn, seat) of every chest taken."""

    @property
    def length(self) -> int:
        """Turns, with the one that has won it."""
        return self.turns + (self.winner is not None)


_bots: dict[str, Bot] = {}
"""Bots of this process: they remember nothing, so one of each will do."""


def play_game(match: Match, deal: int, seats: tuple[str, ...]) -> Played:
    """One game of a deal. The deal's number decides all chance in it."""
    for name in seats:
        if name not in _bots:
            _bots[name] = make_bot(name)
    seed = f"{match.seed} {deal}"
    game = Game.with_options(match.options, seed=seed)
    robberies: list[tuple[int, Seat]] = []
    loot = [0] * match.options.players
    bots = [_bots[name] for name in seats]
    for seat, _ in moves(game, bots, seed, match.budget, match.max_turns):
        if game.loot[seat] > loot[seat]:
            loot[seat] += 1
            robberies.append((game.turns, seat))
    return Played(deal, seats, game.winner, game.turns, tuple(robberies))


def play_deal(match: Match, deal: int) -> list[Played]:
    """All games of one deal."""
    return [play_game(match, deal, seats) for seats in match.seatings()]
