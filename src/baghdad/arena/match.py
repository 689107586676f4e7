"""What is played: pairs of bots, every deal in all seats with the same cards to come.

With two players the two change seats. With three or four, one of the two sits alone against copies
of the other, in every seat in turn, and then the reverse.
"""

import secrets
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from itertools import combinations
from typing import Any

from baghdad.bots import Bot, Budget, decide, make_bot
from baghdad.bots.playing import MAX_TURNS, moves
from baghdad.rules.engine.actions import Action
from baghdad.rules.engine.dealer import Rng
from baghdad.rules.engine.material import Seat
from baghdad.rules.game import Game
from baghdad.rules.options import Options
from baghdad.rules.views import View


@dataclass(frozen=True, slots=True)
class Match:
    """All that decides what is played, so that it can be played again.

    >>> Match(("heuristic", "random"), Options(players=3), seed="1").pairs()
    [('heuristic', 'random'), ('random', 'heuristic')]
    """

    bots: tuple[str, ...]
    """By name, two or more that differ."""
    options: Options = field(default_factory=Options)
    seed: str = field(default_factory=lambda: str(secrets.randbits(64)))
    budget: Budget = field(default_factory=Budget)
    """For each decision; it may be empty for bots that need none."""
    max_turns: int = MAX_TURNS
    """A game that goes on for longer is reported, and won by nobody."""
    first_alone: bool = False
    """With three and four players: only the first of two bots sits alone, and not the other."""
    timed: bool = False
    """Whether to note how long every decision took. Such results are never the same twice."""

    def pairs(self) -> list[tuple[str, str]]:
        """Which bot sits alone against which other."""
        return [
            pairing
            for one, other in combinations(self.bots, 2)
            for pairing in pairings(one, other, 2 if self.first_alone else self.options.players)
        ]

    def seatings(self) -> list[tuple[str, ...]]:
        """Which bot sits in which seat in the games of one deal."""
        return [
            seating
            for alone, rest in self.pairs()
            for seating in lone_seatings(alone, rest, self.options.players)
        ]

    def as_json(self) -> dict[str, Any]:
        """As it stands in a result file; what few matches use is there only where it is used."""
        data = asdict(self)
        for name in ("first_alone", "timed"):
            if not data[name]:
                del data[name]
        return data

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "Match":
        return cls(
            tuple(data["bots"]),
            Options(**data["options"]),
            data["seed"],
            Budget(**data["budget"]),
            data["max_turns"],
            data.get("first_alone", False),
            data.get("timed", False),
        )


def pairings(one: str, other: str, players: int) -> list[tuple[str, str]]:
    """Which of two sits alone against which. Between two players one pairing says it all.

    >>> pairings("a", "b", 2)
    [('a', 'b')]
    >>> pairings("a", "b", 3)
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
    thinking: tuple[tuple[Seat, int, int], ...] = ()
    """(seat, milliseconds, simulations) of every decision, where the match is timed."""

    @property
    def length(self) -> int:
        """Turns, with the one that has won it."""
        return self.turns + (self.winner is not None)


@cache
def bot_named(name: str) -> Bot:
    """The bot of this process: bots remember nothing, so one of each will do."""
    return make_bot(name)


class TimedBot:
    """A bot whose decisions are timed, and its simulations counted."""

    def __init__(self, bot: Bot, thinking: list[tuple[Seat, int, int]]) -> None:
        self.bot = bot
        self.thinking = thinking

    def choose(
        self, view: View, legal: Sequence[Action], budget: Budget, rng: Rng
    ) -> Sequence[Action]:
        began = time.perf_counter()
        chosen = decide(self.bot, view, legal, budget, rng)
        took = round(1000 * (time.perf_counter() - began))
        seat = int(view.fields.seat)
        self.thinking.append((seat, took, getattr(self.bot, "simulations", 0)))
        return chosen


def play_game(match: Match, deal: int, seats: tuple[str, ...]) -> Played:
    """One game of a deal. The deal's number decides all chance in it."""
    seed = f"{match.seed} {deal}"
    game = Game.with_options(match.options, seed=seed)
    robberies: list[tuple[int, Seat]] = []
    loot = [0] * match.options.players
    bots = [bot_named(name) for name in seats]
    thinking: list[tuple[Seat, int, int]] = []
    if match.timed:
        bots = [TimedBot(bot, thinking) for bot in bots]
    for seat, _ in moves(game, bots, seed, match.budget, match.max_turns):
        if game.loot[seat] > loot[seat]:
            loot[seat] += 1
            robberies.append((game.turns, seat))
    return Played(deal, seats, game.winner, game.turns, tuple(robberies), tuple(thinking))


def play_deal(match: Match, deal: int) -> list[Played]:
    """All games of one deal."""
    return [play_game(match, deal, seats) for seats in match.seatings()]
