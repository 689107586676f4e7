"""Makes the puzzles of the page, `src/baghdad/analysis/puzzles.json`, of those found in games.

Run `python tools/puzzle_file.py FILE...` on files by `baghdad puzzles`. Each is played through
first. In the file are only the fields that the page shows, and a position is a row of numbers
in the order that `fields` tells; so the file does not depend on how the module lays a state out.
Puzzles lie in the order of their ids, which is as good as chance: the one of the day is the next.
"""

import argparse
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from baghdad.analysis.kept_puzzles import read_puzzles
from baghdad.analysis.puzzling import Puzzle
from baghdad.analysis.reasons import Reason
from baghdad.bots import LEVELS
from baghdad.files import atomic_write
from baghdad.rules.engine.dealer import new_rng
from baghdad.rules.engine.views import VIEW
from baghdad.rules.game import Game

FORMAT = 1
PLACE = Path(__file__).parents[1] / "src" / "baghdad" / "analysis" / "puzzles.json"
NOT_SHOWN = ("viewer", "hand")
"""What of a view is the seat's own."""


def shapes() -> dict[str, list[int]]:
    """The fields of a position, in the order of their numbers, and how many these are."""
    assert VIEW.names is not None, "a record has fields"
    return {name: list(VIEW[name].shape) for name in VIEW.names if name not in NOT_SHOWN}


def row_of(shown: dict[str, Any]) -> list[int]:
    """A position as numbers; what is shorter than it might be goes on with zeros."""
    row: list[int] = []
    for name, shape in shapes().items():
        given = np.asarray(shown[name])
        whole = np.zeros(shape, int)
        whole[tuple(slice(n) for n in given.shape)] = given
        row += [int(each) for each in whole.ravel()]
    return row


def told(puzzle: Puzzle) -> list[Any]:
    """A puzzle as the page has it: web/src/puzzles/file.ts reads it in this order."""
    easiest = puzzle.solved_by[0] if puzzle.solved_by else ""
    return [
        puzzle.id,
        puzzle.seat,
        row_of(puzzle.shown),
        list(puzzle.hand),
        " ".join(puzzle.turn),
        " ".join(puzzle.next),
        round(puzzle.chance, 2),
        round(puzzle.ahead),
        LEVELS.index(easiest) if easiest else -1,
        [fact_of(reason) for reason in puzzle.reasons],
    ]


def fact_of(reason: Reason) -> list[Any]:
    fact = reason.fact
    return [fact.kind, fact.palace, fact.seat, fact.n, fact.number]


def check(puzzle: Puzzle) -> None:
    """Both turns can be played, and lead to two positions."""
    ends = [end_of(puzzle, turn) for turn in (puzzle.turn, puzzle.next)]
    assert ends[0] != ends[1], puzzle.id


def end_of(puzzle: Puzzle, turn: Sequence[str]) -> bytes:
    game = Game.from_state(puzzle.view().determinize(new_rng("end")))
    for token in turn:
        game.play(token)
    assert game.to_move != puzzle.seat, puzzle.id
    return game.states().tobytes()


def file_of(puzzles: Iterable[Puzzle]) -> str:
    """The whole file: a line a puzzle."""
    different = {puzzle.id: puzzle for puzzle in puzzles}
    for puzzle in different.values():
        check(puzzle)
    lines = [json.dumps(told(different[each]), separators=(",", ":")) for each in sorted(different)]
    head = json.dumps({"format": FORMAT, "fields": shapes()}, separators=(",", ":"))
    return head[:-1] + ',"puzzles":[\n' + ",\n".join(lines) + "\n]}\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("-o", "--output", type=Path, default=PLACE)
    options = parser.parse_args()
    text = file_of(puzzle for file in options.files for puzzle in read_puzzles(file))
    with atomic_write(options.output) as part:
        part.write_text(text, "utf-8")
    print(f"{options.output}: {text.count(chr(10)) - 2} puzzles, {len(text) / 1000:.0f} kB")


if __name__ == "__main__":
    main()
