"""The examples do what they say."""

import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.skipif(find_spec("torch") is None, reason="there is no PyTorch for this machine")
def test_a_small_network_learns_to_beat_who_plays_anything() -> None:
    result = subprocess.run(
        [
            sys.executable,
            "-W",
            "error",
            EXAMPLES / "maskable_ppo.py",
            "--steps=18000",
            "--games=12",
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    told = re.search(r"wins before (\d+)%, after (\d+)%", result.stdout)
    assert told, result.stderr
    before, after = map(int, told.groups())
    assert before <= 30
    assert after >= 70


@pytest.mark.skipif(find_spec("tianshou") is None, reason="Tianshou is not installed")
def test_a_learner_of_theirs_beats_who_plays_anything() -> None:
    result = subprocess.run(
        [
            sys.executable,
            "-W",
            "error",
            EXAMPLES / "tianshou_dqn.py",
            "--steps=12000",
            "--games=12",
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    told = re.search(r"wins before (\d+)%, after (\d+)%", result.stdout)
    assert told, result.stderr
    before, after = map(int, told.groups())
    assert before <= 30
    assert after >= 50


def test_their_searches_and_environment_run_and_tell_how_fast() -> None:
    result = subprocess.run(
        [
            sys.executable,
            "-W",
            "error",
            EXAMPLES / "openspiel_search.py",
            "--simulations=5",
            "--turns=2",
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    told = re.findall(r"^(\w+): .*?([\d,]+) (?:simulations|steps) a second$", result.stdout, re.M)
    assert [name for name, _ in told] == ["ISMCTS", "MCTS", "rl_environment"], result.stderr
