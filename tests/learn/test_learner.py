"""Whole iterations: learning, repeatable, and only from the learner's own decisions."""

from dataclasses import replace
from typing import Any

import pytest

torch = pytest.importorskip("torch")

from torch.utils._python_dispatch import TorchDispatchMode  # noqa: E402

from baghdad.jit.compiler import COMPILED  # noqa: E402
from baghdad.learn.config import (  # noqa: E402
    EXPLOITER,
    SMALL,
)
from baghdad.learn.learner import Learner  # noqa: E402
from baghdad.learn.network import PolicyNetwork  # noqa: E402
from support.training import TINY  # noqa: E402


@pytest.mark.skipif(not COMPILED, reason="learning needs compiled games")
def test_a_tiny_run_learns_to_beat_random_play() -> None:
    config = SMALL.with_values(
        ["players=2", "games=128", "max_turns=60", "total_steps=1e6", "shaping_until=1",
         "palace=16", "table=24", "pair=8", "league_share=0.4", "league_slots=2",
         "learning_rate=0.003"]
    )  # fmt: skip
    torch.set_num_threads(1)
    learner, won = Learner(config, "cpu"), []
    for iteration in range(1, 41):
        learner.iterate(learner.steps / config.total_steps)
        if iteration in (10, 30, 40):
            won.append(learner.league.results()["won"].get("random 2", 0.0))
    assert won[0] < 0.2
    assert won[-1] > 0.8


def test_what_ships_is_the_mean_of_late_selves() -> None:
    learner = Learner(TINY.with_values(["average=0.75"]), "cpu")
    expected: list[Any] = []
    for iteration in range(6):
        learner.iterate(0.0)
        now = learner.network.of_table.weight.detach().clone()
        # At first each counts alike, then a new one counts a quarter.
        part = max(0.25, 1 / (iteration + 1))
        expected.append(now if not expected else expected[-1] + part * (now - expected[-1]))
    assert torch.allclose(learner.average["of_table.weight"], expected[-1], atol=1e-6)
    assert not torch.equal(expected[-1], now)
    earlier = {name: torch.zeros_like(each) for name, each in learner.average.items()}
    learner.roll_back(earlier)
    assert not any(each.any() for each in learner.average.values())


@pytest.mark.skipif(not COMPILED, reason="learning needs compiled games")
def test_an_exploiter_meets_nobody_but_its_target() -> None:
    config = replace(EXPLOITER, games=64, minibatch=256, palace=8, table=12, pair=4, compile=False)
    torch.manual_seed(1)
    target, own = PolicyNetwork(config.shape), PolicyNetwork(config.shape)
    learner = Learner(config, "cpu", target=target, network=own)
    assert learner.league.frozen.sum(1).tolist() == [1] * 64
    theirs = learner.league.frozen.clone()
    assert learner.iterate(0.0)["games_over"] == 0
    assert learner.network is own
    assert 0.3 < learner.self_play.rollout.on_policy.float().mean() < 0.7
    seats = learner.self_play.rollout.seats.long()
    assert torch.equal(learner.self_play.rollout.on_policy, ~theirs[torch.arange(64), seats])
    learner.league.update(learner.network, remember=True)
    for name, weight in learner.league.networks[0].state_dict().items():
        assert torch.equal(weight, target.state_dict()[name])
    learner.league.count_results(torch.ones(64, dtype=torch.bool), torch.zeros(64, 4))
    assert learner.league.results()["won"] == {"target 2": 0.0}


@pytest.mark.skipif(not COMPILED, reason="learning needs compiled games")
def test_the_same_seed_learns_the_same() -> None:
    torch.set_num_threads(1)
    metrics = [Learner(TINY, "cpu").iterate(0.0) for _ in range(2)]
    assert metrics[0] == metrics[1]
    other = Learner(TINY.with_values(["seed=2"]), "cpu").iterate(0.0)
    assert other != metrics[0]


@pytest.mark.skipif(not COMPILED, reason="learning needs compiled games")
def test_a_rollout_in_which_chance_decides_all_teaches_nothing() -> None:
    config = TINY.with_values(["opening_share=1", "opening_decisions=100000"])
    learner = Learner(config, "cpu")
    learner.self_play.opening.fill_(100_000)
    before = [weight.clone() for weight in learner.network.parameters()]
    assert learner.iterate(0.0)["learned_share"] == 0
    assert all(map(torch.equal, before, learner.network.parameters()))


@pytest.mark.skipif(not COMPILED, reason="learning needs compiled games")
def test_a_second_chunk_has_other_luck() -> None:
    openings = [
        Learner(SMALL, "cpu", games_seed=f"from {steps}").self_play.opening.tolist()
        for steps in (0, 0, 512)
    ]
    assert openings[0] == openings[1]
    assert openings[0] != openings[2]


class Watched(TorchDispatchMode):  # type: ignore[misc]
    """Notes the name of everything that PyTorch is asked to do."""

    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()

    def __torch_dispatch__(self, work: Any, types: Any, given: Any = (), named: Any = None) -> Any:
        self.names.add(work._overloadpacket.__name__)
        return work(*given, **(named or {}))


def test_what_a_gpu_records_asks_nothing_of_the_cpu() -> None:
    """A number that comes from outside, or is looked at there, can't be recorded."""
    learner = Learner(TINY, "cpu")
    shaping = torch.tensor(0.5)
    learner.self_play.play(TINY.rollout_length)
    part = [each[:64] for each in learner.rollout_batch(shaping)]
    for work, given in (
        (learner.self_play.decide, ()),
        (learner.self_play.take_stock, ()),
        (learner.rollout_batch, (shaping,)),
        (learner.updater.step, (*part, torch.tensor(0.01))),
    ):
        with Watched() as watched:
            work(*given)
        assert watched.names
        assert watched.names & {"lift_fresh", "_local_scalar_dense", "nonzero"} == set(), work
