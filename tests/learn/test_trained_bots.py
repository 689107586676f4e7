"""The bots with a network play fair, as every bot must; tested with weights that know nothing."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from baghdad import Game, Options, new_rng  # noqa: E402
from baghdad.bots import Bot, Budget, decide  # noqa: E402
from baghdad.bots.expert.bot import ExpertBot  # noqa: E402
from baghdad.bots.neural.batch import Array  # noqa: E402
from baghdad.bots.neural.bot import NeuralBot  # noqa: E402
from baghdad.bots.neural.network import Network  # noqa: E402
from baghdad.bots.neural.weights_file import load_network  # noqa: E402
from baghdad.bots.search.seq_halving import (  # noqa: E402
    FOREVER,
    UNLIMITED,
    begin_halving,
    new_halving,
    next_deals,
)
from baghdad.learn.export import arrays_of, export  # noqa: E402
from support.networks import SHAPE, lively  # noqa: E402
from support.positions import FEW, decisions  # noqa: E402
from support.tables import EVERY_TABLE, table  # noqa: E402

NETWORK = Network(arrays_of(lively()), SHAPE)
BOTS: dict[str, Bot] = {"neural": NeuralBot(NETWORK), "expert": ExpertBot(NETWORK)}
BOTS["neural, warm"] = NeuralBot(NETWORK, temperature=1.0)


def test_weights_of_a_run_can_be_tried_out_before_they_ship(tmp_path: Path) -> None:
    export(lively(), tmp_path / "new.bin", {})
    code = (
        "from baghdad.bots import bot_names, make_bot\n"
        "print('expert' in bot_names(), make_bot('neural').network.shape.palace)"
    )
    result = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"BAGHDAD_WEIGHTS": str(tmp_path / "new.bin")},
    )
    assert result.stdout == f"True {SHAPE.palace}\n"


@pytest.mark.parametrize("name", ["neural", "expert", "scheherazade"])
def test_weights_that_are_not_there_are_named(name: str, tmp_path: Path) -> None:
    missing = tmp_path / "new.bin"
    match = ["arena", name, "random", "--games", "2", "--lang", "en"]
    result = subprocess.run(
        [sys.executable, "-m", "baghdad", *match],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"BAGHDAD_WEIGHTS": str(missing)},
    )
    assert result.returncode == 2
    assert f"{missing} can't be read" in result.stderr
    assert "BAGHDAD_WEIGHTS" in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize("name", sorted(BOTS))
@pytest.mark.parametrize("options", EVERY_TABLE[::5], ids=str)
def test_decisions_are_legal_and_repeatable(name: str, options: Options) -> None:
    for number, game in enumerate(decisions(options, seed=1, steps=120, every=13)):
        seat = game.to_move
        assert seat is not None
        choices = [
            decide(BOTS[name], game.view(seat), game.legal(), FEW, new_rng("same", number))
            for _ in range(2)
        ]
        assert list(choices[0]) == list(choices[1])
        for action in choices[0]:
            assert game.to_move == seat
            game.play(action, seat=seat)


@pytest.mark.parametrize("name", sorted(BOTS))
@pytest.mark.parametrize("options", EVERY_TABLE[1::7], ids=str)
def test_what_a_seat_cannot_see_changes_no_decision(name: str, options: Options) -> None:
    for number, game in enumerate(decisions(options, seed=2, steps=120, every=13)):
        seat = game.to_move
        assert seat is not None
        other = Game.from_state(game.view(seat).determinize(new_rng("hidden", number)))
        choices = [
            list(decide(BOTS[name], each.view(seat), each.legal(), FEW, new_rng("same", number)))
            for each in (game, other)
        ]
        assert choices[0] == choices[1]


def test_weights_from_their_file_play_the_same(tmp_path: Path) -> None:
    export(lively(), tmp_path / "neural.bin", {})
    loaded, same = NeuralBot(load_network(tmp_path / "neural.bin")), 0
    positions = list(decisions(Options(3), seed=3, steps=200, every=5))
    for game in positions:
        seat = game.to_move
        assert seat is not None
        choices = [
            decide(each, game.view(seat), game.legal(), FEW, new_rng(1))
            for each in (loaded, BOTS["neural"])
        ]
        same += choices[0] == choices[1]
    assert same >= 0.9 * len(positions)  # half precision may turn a near tie


def test_the_expert_wins_where_it_can() -> None:
    game = table(
        guards={"R": "1n", "G": "1n", "W": "n"},
        thieves={"R": "111", "G": "111", "W": "111", "P": "1"},
        hands=["RRGWW"],
        loot=[3],
    )
    for action in decide(BOTS["expert"], game.view(0), game.legal(), FEW, new_rng("win")):
        game.play(action)
    assert game.winner == 0


def test_the_expert_keeps_to_its_simulations() -> None:
    expert, most = ExpertBot(NETWORK), 0
    for game in decisions(Options(2), seed=5, steps=60, every=7):
        seat = game.to_move
        assert seat is not None
        expert.choose(game.view(seat), game.legal(), Budget(simulations=300), new_rng("count"))
        assert expert.simulations <= 300
        most = max(most, expert.simulations)
    assert most > 200


def test_the_expert_plays_a_turn_that_its_network_would_regret_less() -> None:
    """Tried out far enough, the turn is at least as good as the policy's own, by the network."""
    expert, gains = ExpertBot(NETWORK), list[float]()
    for number, game in enumerate(decisions(Options(2), seed=6, steps=80, every=11)):
        view = game.view(game.to_move)
        turns, _ = expert.propose(view, new_rng("turns", number))
        if len(turns) < 2:
            continue
        chosen = expert.choose(
            view, game.legal(), Budget(simulations=600), new_rng("turns", number)
        )
        both = np.full((2, turns.shape[1]), -1, np.int16)
        both[0, : len(chosen)], both[1] = chosen, turns[0]
        rngs = np.stack([new_rng("judge", deal) for deal in range(200)])
        mine, policy = expert.try_out(view, both, rngs)
        gains.append((mine - policy) / len(rngs))
    assert len(gains) > 3
    assert min(gains) >= -0.05
    assert np.mean(gains) > 0  # and so it does not always play the policy's most likely turn


def halve(worth: Array, simulations: int, batch_size: int, priors: Array) -> tuple[int, list[int]]:
    """The best of several candidates by what each is worth, and how many were asked for at once."""
    count = len(worth)
    halving, asked = new_halving(count), list[int]()
    begin_halving(halving, count, FOREVER, simulations)
    halving.priors[:] = priors
    while deals := int(next_deals(halving, batch_size, 0.0)):
        alive = halving.candidates[: halving.progress[0].alive]
        halving.batch[alive] = worth[alive] * deals
        asked += [len(alive)] * deals
    return int(halving.candidates[0]), asked


def test_halving_finds_the_best_and_counts() -> None:
    worth = np.array([0.1, 0.2, 0.9, 0.3, 0.5])
    best, asked = halve(worth, 100, 20, np.zeros(5))
    assert (best, sum(asked)) == (2, 99)
    assert asked == sorted(asked, reverse=True)
    assert set(asked) == {5, 3, 2}


def test_a_prior_decides_between_equals_and_no_more() -> None:
    worth = np.array([0.5, 0.5, 0.52])

    def best(*priors: float) -> int:
        return halve(worth, 90, 20, np.array(priors))[0]

    assert best(0.0, 0.01, 0.0) == 2
    assert best(0.0, 0.03, 0.0) == 1


def test_a_search_stops_in_time() -> None:
    """The clock is the caller's: a batch takes a second here, and ten seconds are given."""
    halving, now = new_halving(4), 0.0
    begin_halving(halving, 4, 10.0, UNLIMITED)
    while next_deals(halving, 8, now):
        now += 1.0
    assert 8.0 <= now <= 10.0


def test_an_expert_that_trusts_its_policy_alone_plays_what_it_draws_most() -> None:
    trusting = ExpertBot(NETWORK, prior_weight=100.0)
    other = 0
    for number, game in enumerate(decisions(Options(3), seed=8, steps=80, every=11)):
        view, seed = game.view(game.to_move), ("trust", number)
        turns, drawn = trusting.propose(view, new_rng(*seed))
        most = [action for action in turns[drawn.argmax()] if action >= 0]
        assert trusting.choose(view, game.legal(), FEW, new_rng(*seed)) == most
        other += ExpertBot(NETWORK).choose(view, game.legal(), FEW, new_rng(*seed)) != most
    assert other
