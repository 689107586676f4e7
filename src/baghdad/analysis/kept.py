"""What has been judged of a game, in a file with a turn a line: a review goes on with it."""

import contextlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Self

import msgspec

from baghdad.rules.engine.material import Seat
from baghdad.rules.game import Game

from .lines import LineFile, name_of_game
from .reviewing import FORMAT, Review, TurnReview, weights_hash


class Kept(LineFile):
    """Turns that have been judged, in a file beside the game.

    Turns of another game, budget, seed or network are not taken for these, and the file begins
    anew. Where no file can be written nothing is kept.
    """

    def __init__(self, path: Path | None, game: Game, budget: int, seed: str) -> None:
        head = {
            "format": FORMAT,
            "game": name_of_game(game),
            "weights": weights_hash(),
            "budget": budget,
            "seed": seed,
        }
        super().__init__(path, head)
        self.turns: dict[Seat, dict[int, TurnReview]] = {}
        """By seat, and by the number of tokens before each."""

    def __enter__(self) -> Self:
        with contextlib.suppress(OSError):
            super().__enter__()
        return self

    def add(self, seat: Seat, turn: TurnReview) -> None:
        """Keep a turn; whatever happens next, it is in the file."""
        self.turns.setdefault(seat, {})[turn.at] = turn
        self.write([seat, msgspec.to_builtins(turn)])

    def take(self, line: str) -> bool:
        seat, turn = msgspec.json.decode(line, type=tuple[int, TurnReview])
        self.turns.setdefault(seat, {})[turn.at] = turn
        return True

    def begin_anew(self) -> None:
        """These turns can be judged again."""


def place_beside(file: str) -> Path | None:
    """Where the turns of a game in a file are kept; nowhere for standard input."""
    return None if file == "-" else Path(f"{file}.review.jsonl")


def as_json(reviews: Sequence[Review]) -> str:
    """Reviews of several seats, for other programs: seats count from 1 as in all records."""
    told = [
        msgspec.to_builtins(each) | {"seat": each.seat + 1, "given_up": round(each.given_up, 2)}
        for each in reviews
    ]
    return json.dumps({"format": FORMAT, "reviews": told})
