"""What has been judged of a game, in a file with a turn a line: a review goes on with it."""

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import TextIO

import msgspec

from baghdad.files import atomic_write
from baghdad.rules.engine.material import Seat
from baghdad.rules.game import Game

from .reviewing import FORMAT, Review, TurnReview, weights_hash


class Kept:
    """Turns that have been judged, in a file beside the game.

    Turns of another game, budget, seed or network are not taken for these, and the file begins
    anew. Where no file can be written nothing is kept.
    """

    def __init__(self, path: Path | None, game: Game, budget: int, seed: str) -> None:
        record = " ".join(game.tokens)
        self._head = {
            "format": FORMAT,
            "game": hashlib.sha256(f"{game.options} {record}".encode()).hexdigest(),
            "weights": weights_hash(),
            "budget": budget,
            "seed": seed,
        }
        self._path = path
        self._file: TextIO | None = None
        self.turns: dict[Seat, dict[int, TurnReview]] = {}
        """By seat, and by the number of tokens before each."""

    def __enter__(self) -> "Kept":
        if self._path is None:
            return self
        lines = self._read()
        try:
            with atomic_write(self._path) as part:  # without a line that was cut off, or old ones
                part.write_text("".join(f"{line}\n" for line in lines), "utf-8", newline="\n")
            self._file = self._path.open("a", encoding="utf-8", newline="\n")
        except OSError:
            self._file = None
        return self

    def add(self, seat: Seat, turn: TurnReview) -> None:
        """Keep a turn; whatever happens next, it is in the file."""
        self.turns.setdefault(seat, {})[turn.at] = turn
        if self._file is not None:
            self._file.write(f"{json.dumps([seat, msgspec.to_builtins(turn)])}\n")
            self._file.flush()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._file is not None:
            self._file.close()

    def _read(self) -> list[str]:
        """The lines that can be gone on with; fills `turns`."""
        assert self._path is not None
        head = json.dumps(self._head)
        try:
            found = self._path.read_text("utf-8").splitlines()
        except (OSError, UnicodeDecodeError):
            found = []
        if not found or found[0] != head:
            return [head]
        good = [head]
        for line in found[1:]:
            try:
                seat, turn = msgspec.json.decode(line, type=tuple[int, TurnReview])
            except msgspec.DecodeError:
                break
            self.turns.setdefault(seat, {})[turn.at] = turn
            good.append(line)
        return good


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
