"""The examples do what they say."""

import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"


def run(example: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """An example in a process of its own, in which a warning is an error."""
    command = [sys.executable, "-W", "error", str(EXAMPLES / example), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def wins(learned: subprocess.CompletedProcess[str]) -> tuple[int, int]:
    """In a hundred games, before and after."""
    told = re.search(r"wins before (\d+)%, after (\d+)%", learned.stdout)
    assert told, learned.stderr
    return int(told[1]), int(told[2])


@pytest.mark.skipif(find_spec("torch") is None, reason="there is no PyTorch for this machine")
def test_a_small_network_learns_to_beat_who_plays_anything() -> None:
    before, after = wins(run("maskable_ppo.py", "--steps=18000", "--games=12"))
    assert before <= 30
    assert after >= 70


@pytest.mark.skipif(find_spec("tianshou") is None, reason="Tianshou is not installed")
def test_a_learner_of_theirs_beats_who_plays_anything() -> None:
    before, after = wins(run("tianshou_dqn.py", "--steps=12000", "--games=12"))
    assert before <= 30
    assert after >= 50


def test_their_searches_and_environment_run_and_tell_how_fast() -> None:
    result = run("openspiel_search.py", "--simulations=5", "--turns=2")
    told = re.findall(r"^(\w+): .*?([\d,]+) (?:simulations|steps) a second$", result.stdout, re.M)
    assert [name for name, _ in told] == ["ISMCTS", "MCTS", "rl_environment"], result.stderr
