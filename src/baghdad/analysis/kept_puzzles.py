"""Puzzles in a file, and which games were looked through: the search goes on where it was."""

from collections.abc import Collection
from pathlib import Path

import msgspec

from baghdad.rules.game import Game

from .lines import LineFile, name_of_game
from .puzzling import FORMAT, Puzzle
from .reviewing import weights_hash

LOOKED = "looked"


class OtherPuzzlesError(ValueError):
    """The file has something else: puzzles by another budget, seed or network, or none at all."""


class KeptPuzzles(LineFile):
    """The puzzles in a file, a line each; and a line for each game that was looked through."""

    def __init__(self, path: Path, budget: int, seed: str, withdrawn: Collection[str] = ()) -> None:
        """Entering it raises `OtherPuzzlesError` where a file is there that can't be gone on with,
        and `OSError` where none can be written.

        `withdrawn`: names of games that may not be used any more. What came of them goes.
        """
        head = {"format": FORMAT, "weights": weights_hash(), "budget": budget, "seed": seed}
        super().__init__(path, head)
        self.puzzles: dict[str, Puzzle] = {}
        """By their id, in the order in which they were found."""
        self._looked: set[str] = set()
        self._withdrawn = withdrawn

    def add(self, puzzle: Puzzle) -> None:
        """Keep a puzzle, unless it is there."""
        if puzzle.id not in self.puzzles:
            self.puzzles[puzzle.id] = puzzle
            self.write(msgspec.to_builtins(puzzle))

    def looked(self, game: Game) -> None:
        """Note that a game was looked through to its end."""
        self._looked.add(name_of_game(game))
        self.write({LOOKED: name_of_game(game)})

    def has_looked(self, game: Game) -> bool:
        return name_of_game(game) in self._looked

    def take(self, line: str) -> bool:
        name = msgspec.json.decode(line, type=dict[str, object]).get(LOOKED)
        if isinstance(name, str):
            if name in self._withdrawn:
                return False
            self._looked.add(name)
            return True
        puzzle = msgspec.json.decode(line, type=Puzzle)
        if puzzle.game in self._withdrawn:
            return False
        self.puzzles[puzzle.id] = puzzle
        return True

    def begin_anew(self) -> None:
        """It took hours to find those."""
        raise OtherPuzzlesError


def read_puzzles(path: Path) -> list[Puzzle]:
    """The puzzles of a file, however they were made."""
    lines = path.read_text("utf-8").splitlines()[1:]
    found = (msgspec.json.decode(line, type=dict[str, object]) for line in lines)
    return [msgspec.convert(each, Puzzle) for each in found if LOOKED not in each]
