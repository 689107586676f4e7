"""Games on file: what was to be played, then the games of a deal a line, as they are done.

A file says what is needed to play it again, and an interrupted match goes on where it stopped.
"""

import json
import lzma
from collections import Counter, defaultdict
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, TextIO

from .fingerprint import players_fingerprint
from .match import Match, Played
from .statistics import Interval, Wins, bootstrap, rate

FORMAT = 1


class ResultError(ValueError):
    """A result file that can't be gone on with."""


class FingerprintError(ResultError):
    """A result file of other players, though of the same names."""


@dataclass
class Results:
    """All deals of a match that are done, by number."""

    match: Match
    deals: dict[int, list[Played]] = field(default_factory=dict)
    players: str = ""
    """The fingerprint of those who played them."""
    about: dict[str, Any] = field(default_factory=dict)
    """What else a file tells: the machine, the cluster."""

    def games(self) -> list[Played]:
        return [game for number in sorted(self.deals) for game in self.deals[number]]

    def scores(self, one: str, other: str) -> list[float]:
        """By deal: the share of games that `one` won, sitting alone against `other`."""
        return [score(self.deals[number], one, other) for number in sorted(self.deals)]

    def share(self, one: str, other: str) -> Interval:
        return bootstrap(self.scores(one, other))

    def nobody(self) -> int:
        """Games that nobody won."""
        return sum(game.winner is None for game in self.games())

    def ratings(self) -> dict[str, Interval]:
        """Plackett–Luce ratings for this number of players."""
        by_deal: list[Wins] = []
        for number in sorted(self.deals):
            wins: Wins = Counter()
            for game in self.deals[number]:
                if game.winner is not None:
                    wins[tuple(sorted(game.seats)), game.seats[game.winner]] += 1
            by_deal.append(wins)
        names = list(self.match.bots)
        return dict(zip(names, rate(by_deal, names), strict=True))

    def seat_shares(self) -> list[float]:
        """How often each seat has won."""
        wins: dict[int, int] = defaultdict(int)
        for game in self.games():
            if game.winner is not None:
                wins[game.winner] += 1
        total = max(sum(wins.values()), 1)
        return [wins[seat] / total for seat in range(self.match.options.players)]


def score(games: list[Played], one: str, other: str) -> float:
    """The share of a deal's games that `one` won, sitting alone against `other`.

    A game that nobody has won is everybody's in equal parts: so either bot may be `one`.
    """
    alone = [
        game for game in games if game.seats.count(one) == 1 and set(game.seats) == {one, other}
    ]
    won = sum(
        1 / len(game.seats) if game.winner is None else game.seats[game.winner] == one
        for game in alone
    )
    return won / len(alone)


def open_results(path: Path, match: Match, about: dict[str, Any]) -> tuple[Results, TextIO]:
    """A new result file, or one to go on with; the match must be the same."""
    players = players_fingerprint(match.bots)
    if path.exists() and path.stat().st_size:
        results = read_results(path)
        if results.match != match:
            raise ResultError(str(path))
        if results.players != players:
            raise FingerprintError(results.players)
        file = path.open("a", encoding="utf-8", newline="\n")
        if not path.read_bytes().endswith(b"\n"):
            file.write("\n")  # what was cut off must not swallow the next deal
        return results, file
    file = path.open("w", encoding="utf-8", newline="\n")
    head = {"format": FORMAT, "match": match.as_json(), "players": players, "about": about}
    write_line(file, head)
    return Results(match, players=players, about=about), file


def read_results(path: Path) -> Results:
    """All whole lines of a result file, which may be packed (`.xz`).

    One that was cut off or damaged is left out.
    """
    data = path.read_bytes()
    head, *lines = (lzma.decompress(data) if path.suffix == ".xz" else data).splitlines() or [b""]
    try:
        given = json.loads(head)
        match, players = Match.from_json(given["match"]), str(given["players"])
        results = Results(match, players=players, about=given["about"])
        if given["format"] != FORMAT:
            raise ResultError(str(path))
    except (ValueError, KeyError, TypeError, IndexError):
        raise ResultError(str(path)) from None
    seatings = results.match.seatings()
    for line in lines:
        try:
            games = [_played(game) for game in json.loads(line)]
        except (ValueError, KeyError, TypeError, IndexError):
            continue
        if [game.seats for game in games] == seatings:
            results.deals[games[0].deal] = games
    return results


def write_deal(file: TextIO, games: list[Played]) -> None:
    """One line; of decisions it tells only where they were timed."""
    data = [asdict(game) for game in games]
    for game in data:
        if not game["thinking"]:
            del game["thinking"]
    write_line(file, data)


def write_line(file: TextIO, data: object) -> None:
    print(json.dumps(data), file=file, flush=True)


def _played(data: dict[str, Any]) -> Played:
    robberies = tuple((turn, seat) for turn, seat in data["robberies"])
    thinking = tuple((seat, took, count) for seat, took, count in data.get("thinking", ()))
    seats = tuple(data["seats"])
    return Played(data["deal"], seats, data["winner"], data["turns"], robberies, thinking)
