"""The weights that ship: small, whole, and stronger than what was made by hand."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from baghdad import Game, Options, new_rng
from baghdad.bots import (
    BUILTIN_BOTS,
    Budget,
    make_bot,
)
from baghdad.bots.neural import WEIGHTS_FILE
from baghdad.bots.neural.bot import NeuralBot
from baghdad.bots.neural.network import encode
from baghdad.bots.neural.versions import FIRST_READING, FIRST_VERSIONS
from baghdad.bots.neural.weights_file import load_network, read_weights
from baghdad.bots.playing import MAX_TURNS, moves
from baghdad.envs.vector import VectorEnv
from baghdad.jit.compiler import COMPILED
from baghdad.rules.engine.actions import ACTION_COUNT, PASS_CARDS, PASSES_BY_NAME
from baghdad.rules.engine.observation import (
    FEATURES,
    LATER_AT,
    OBSERVATION_SIZE,
    VersionError,
    versions,
)

pytestmark = pytest.mark.skipif(not COMPILED, reason="whole games need compiled rules")


def test_they_are_small_and_bring_two_bots() -> None:
    assert WEIGHTS_FILE.stat().st_size < 10_000_000
    assert {"neural", "expert"} <= set(BUILTIN_BOTS)


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
        for _ in moves(game, bots, f"shipped {number}", Budget(), max_turns=MAX_TURNS):
            pass
        won += game.winner == seat
    assert won >= at_least


def some_rows() -> npt.NDArray[np.int8]:
    """Observations of games in all numbers of players, a card to be named in some."""
    tables = [Options(2), Options(3, spare="chosen", deal=(6, 7, 9)), Options(4, "neutral")]
    env = VectorEnv(tables, 60, seed="rows")
    for _ in range(40):
        env.step(env.sample())
    return env.now.observations.copy()


def test_it_reads_what_it_read_before_and_nothing_that_came_later() -> None:
    network, rows = load_network(), some_rows()
    assert rows.shape == (60, OBSERVATION_SIZE)
    other = rows.copy()
    other[:, LATER_AT:] = 1 - (other[:, LATER_AT:] > 0)
    for before, after in zip(network(rows), network(other), strict=True):
        assert (before == after).all()


def test_it_measures_by_the_first_edition() -> None:
    """The most that a number can be has changed, and what the weights were made for has not."""
    table, palace = FIRST_READING.table, FIRST_READING.palace
    scale = {
        FEATURES[column]: most for column, most in zip(table.columns, table.scale, strict=True)
    }
    assert scale["table: cards to come"] == 9
    assert scale["seat : cards in hand"] == 20
    assert palace.scale[FEATURES.index("palace 1: chests left")] == 4
    palaces, tables = encode(some_rows(), FIRST_READING)
    assert (palaces.shape, tables.shape) == ((360, 71), (60, 213))


def test_a_card_of_any_palace_has_the_logit_of_the_plain_pass() -> None:
    logits, _ = load_network()(some_rows())
    assert logits.shape == (60, ACTION_COUNT)
    assert (logits[:, PASSES_BY_NAME] == logits[:, [PASS_CARDS]]).all()


def test_where_a_card_may_be_named_it_passes_as_before_and_when_warm_names_one() -> None:
    game = Game(2, spare="chosen", seed=1)
    while not game.turns:
        game.play(game.legal()[0])
    state = game.state
    state.hands[:] = 0
    state.hands[1, 6], state.dancers = 8, 0
    state.guards[:] = 0  # nothing else can be done
    game = Game.from_state(state)
    legal = game.legal()
    assert {PASS_CARDS, *PASSES_BY_NAME} == set(legal)
    network, seat = load_network(), game.to_move
    chosen = {
        warmth: {
            NeuralBot(network, temperature=warmth).choose(
                game.view(seat), legal, Budget(), new_rng(number)
            )
            for number in range(60)
        }
        for warmth in (0.0, 1.0)
    }
    assert chosen[0.0] == {PASS_CARDS}
    assert chosen[1.0] == set(legal)


def test_only_what_it_was_made_for_is_accepted(tmp_path: Path) -> None:
    assert read_weights(WEIGHTS_FILE)
    assert json.loads(WEIGHTS_FILE.read_bytes().partition(b"\n")[0])["versions"] == FIRST_VERSIONS
    line, _, numbers = WEIGHTS_FILE.read_bytes().partition(b"\n")
    other = tmp_path / "other.bin"
    for wrong in (
        versions() | {"observation": 3},
        FIRST_VERSIONS | {"action_table": 2},
        FIRST_VERSIONS | {"observation": 2},
        {},
    ):
        head = json.loads(line) | {"versions": wrong}
        other.write_bytes(json.dumps(head).encode() + b"\n" + numbers)
        with pytest.raises(VersionError, match="networks read"):
            load_network(other)
