"""The weights that ship: small, whole, and stronger than what was made by hand."""

import subprocess
import sys

import pytest

from baghdad import Game
from baghdad.bots import OURS, WEIGHTS, Budget, make_bot
from baghdad.bots.playing import moves
from baghdad.rules.compiled import COMPILED

pytestmark = pytest.mark.skipif(not COMPILED, reason="whole games need compiled rules")


def test_they_are_small_and_bring_two_bots() -> None:
    assert WEIGHTS.stat().st_size < 10_000_000
    assert {"neural", "expert"} <= set(OURS)


def test_playing_with_them_needs_no_framework() -> None:
    code = (
        "import sys; sys.modules['torch'] = sys.modules['jax'] = None\n"
        "from baghdad.bots import make_bot\n"
        "make_bot('neural'), make_bot('expert')\n"
        "print('ready')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout == "ready\n", done.stderr


@pytest.mark.parametrize(("players", "at_least"), [(2, 19), (3, 14), (4, 10)])
def test_neural_beats_the_heuristic(players: int, at_least: int) -> None:
    """Alone against all others, of 24 games; an equal share would be 12, 8, 6."""
    neural, heuristic, won = make_bot("neural"), make_bot("heuristic"), 0
    for number in range(24):
        seat = number % players
        game = Game(players, seed=f"shipped {number // players}")
        bots = [neural if place == seat else heuristic for place in range(players)]
        for _ in moves(game, bots, f"shipped {number}", Budget(), max_turns=400):
            pass
        won += game.winner == seat
    assert won >= at_least
