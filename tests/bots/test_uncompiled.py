"""Where Numba has no build the opponents play the same, if slowly."""

import json
import os
import subprocess
import sys

import pytest

from baghdad import Game
from baghdad.bots import Budget, decide, make_bot
from baghdad.rules.engine.dealer import new_rng

DECISIONS = 12
PLAY = """
import json, sys, warnings
warnings.simplefilter("error")
from bots.test_uncompiled import decisions
played = [decisions(name, int(players)) for name in sys.argv[2:] for players in sys.argv[1]]
print(json.dumps(played))
"""


def decisions(name: str, players: int) -> list[int]:
    """What an opponent does at first in a game against itself."""
    game, bot, rng = Game(players=players, seed="uncompiled"), make_bot(name), new_rng("same")
    played: list[int] = []
    while len(played) < DECISIONS + 4 * players:  # guards are placed first
        assert game.to_move is not None
        view, legal = game.view(game.to_move), game.legal()
        for action in decide(bot, view, legal, Budget(simulations=4), rng):
            game.play(action)
            played.append(int(action))
    return played


def uncompiled(players: str, *names: str) -> list[list[int]]:
    """The same in a process without compiled code, in which every warning is an error."""
    done = subprocess.run(
        [sys.executable, "-c", PLAY, players, *names],
        capture_output=True,
        text=True,
        env=os.environ | {"BAGHDAD_PLAIN": "1", "PYTHONPATH": os.pathsep.join(sys.path)},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: list[list[int]] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("players", ["23", "4"])
def test_opponents_decide_the_same(players: str) -> None:
    names = ["maruf", "khalifa", "kasim", "ali", "zubaida", "jafar", "duban"]
    found = uncompiled(players, *names)
    assert found == [decisions(name, int(each)) for name in names for each in players]


def test_the_beam_decides_the_same() -> None:
    assert uncompiled("2", "heuristic") == [decisions("heuristic", 2)]
