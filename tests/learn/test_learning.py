"""Learning: what a decision was worth, who sits where, a run that improves and goes on."""

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import Mock
from xml.etree import ElementTree

import pytest

torch = pytest.importorskip("torch")

from torch.utils._python_dispatch import TorchDispatchMode  # noqa: E402

from baghdad.cli import main  # noqa: E402
from baghdad.jit.compiler import COMPILED  # noqa: E402
from baghdad.learn.advantages import (  # noqa: E402
    Trajectory,
    generalized_advantages,
    outcomes_by_seat,
    relative_seats,
)
from baghdad.learn.config import (  # noqa: E402
    EXPLOITER,
    SMALL,
    Config,
    read_config,
)
from baghdad.learn.cuda_graphs import compiled  # noqa: E402
from baghdad.learn.export import import_network  # noqa: E402
from baghdad.learn.league import (  # noqa: E402
    League,
    StateDict,
    elo,
    snapshot,
)
from baghdad.learn.learner import Learner  # noqa: E402
from baghdad.learn.network import PolicyNetwork  # noqa: E402
from baghdad.learn.rollout import DECORRELATION_STEPS  # noqa: E402
from baghdad.learn.run import (  # noqa: E402
    CHECKPOINT,
    CONFIG,
    METRICS,
    PAST,
    WEIGHTS,
    Run,
)
from baghdad.learn.sampling import sample, select  # noqa: E402
from baghdad.learn.scripted import SCRIPTS  # noqa: E402
from baghdad.learn.scripted import script_logits as logits_of  # noqa: E402
from baghdad.learn.update import Batch  # noqa: E402
from support.programs import call  # noqa: E402

TINY = SMALL.with_values(["games=32", "rollout_length=16", "palace=8", "table=12", "pair=4"])


def one_game(expected: list[float], seats: list[int]) -> tuple[Any, Any]:
    """[t, 1, 1] and [t, 1], for an excerpt of one game."""
    return torch.tensor(expected)[:, None, None], torch.tensor(seats)[:, None]


def told(what: Any) -> list[float]:
    return [round(float(number), 6) for number in what.flatten()]


def test_actions_are_drawn_as_often_as_the_policy_says() -> None:
    likely = torch.tensor([0.0, 0.1, 0.0, 0.6, 0.3, 0.0])
    lots = torch.rand(20_000, generator=torch.Generator().manual_seed(1))
    actions = sample(likely.expand(20_000, -1), lots)
    counts = torch.bincount(actions, minlength=6)
    assert counts[[0, 2, 5]].sum() == 0
    assert torch.allclose(counts / 20_000, likely, atol=0.02)


@pytest.mark.parametrize("lot", [0.0, 0.4999999, 1 - 2**-24, 1.0])
def test_no_lot_draws_what_is_not_legal(lot: float) -> None:
    """Whatever is rounded: the sum of all likelihoods may stay below the lot."""
    masks = torch.rand(1000, 369, generator=torch.Generator().manual_seed(1)) < 0.3
    masks[:, 5] = True
    liked = torch.where(masks, torch.randn(1000, 369), -1e9)
    actions = sample(liked.softmax(1), torch.full((1000,), lot))
    assert select(masks.float(), actions).all()


def gae(gae_lambda: float, discount: float = 1.0, **trajectory: Any) -> tuple[Any, Any]:
    """Advantages, and which are known; results are nothing unless they are given."""
    values = trajectory["values"]
    done = trajectory.pop("done", torch.zeros(values.shape[:2], dtype=torch.bool))
    results = trajectory.pop("results", torch.zeros(len(values), 1, 4, values.shape[2]))
    return generalized_advantages(
        Trajectory(done=done, results=results, **trajectory), gae_lambda, discount
    )


def test_a_decision_is_compared_with_what_its_own_seat_expects_next() -> None:
    """Seats 0, 1, 1, 0 decide, then 1 would; nothing of what seat 1 expects is seat 0's."""
    values, seats = one_game([0.5, 0.3, 0.4, 0.7], [0, 1, 1, 0])
    yes, no = torch.ones(4, 1, dtype=torch.bool), torch.zeros(4, 1, dtype=torch.bool)
    advantages, valid = gae(
        0.5, values=values, seats=seats, on_policy=yes, done=no,
        next_values=torch.tensor([[0.9]]), next_seats=torch.tensor([1]),
    )  # fmt: skip
    # The last decision of seat 0 has no sequel in the excerpt: it has no advantage, cuts its trace.
    assert valid.flatten().tolist() == [True, True, True, False]
    assert told(advantages) == [0.2, 0.35, 0.5, 0.0]  # 0.35 = (0.4 - 0.3) + 0.5 * (0.9 - 0.4)


def test_the_end_is_told_to_every_seat_and_a_new_game_begins_after_it() -> None:
    """Seat 1 wins with the second decision; the third and fourth belong to another game."""
    values, seats = one_game([0.5, 0.6, 0.2, 0.1], [0, 1, 0, 0])
    yes = torch.ones(4, 1, dtype=torch.bool)
    done = torch.tensor([[False], [True], [False], [False]])
    results = torch.zeros(4, 1, 4, 1)
    results[1, 0, 1] = 1
    advantages, valid = gae(
        0.9, values=values, seats=seats, on_policy=yes, done=done, results=results,
        next_values=torch.tensor([[0.8]]), next_seats=torch.tensor([0]),
    )  # fmt: skip
    assert valid.all()
    assert told(advantages) == [-0.5, 0.4, 0.53, 0.7]  # 0.53 = (0.1 - 0.2) + 0.9 * 0.7


def test_what_others_or_chance_decided_has_no_advantage_and_cuts_the_trace() -> None:
    values, seats = one_game([0.5, 0.6, 0.7], [0, 0, 0])
    on_policy = torch.tensor([[True], [False], [True]])
    advantages, valid = gae(
        1.0, values=values, seats=seats, on_policy=on_policy,
        next_values=torch.tensor([[1.0]]), next_seats=torch.tensor([0]),
    )  # fmt: skip
    assert valid.flatten().tolist() == [True, False, True]
    assert told(advantages) == [0.1, 0.0, 0.3]


def test_with_a_discount_a_sure_win_is_better_this_turn_than_the_next() -> None:
    """Seat 0 decides, seat 1 does, then seat 0 twice and wins: only the first put it off."""
    sure = torch.tensor([1.0, 0.0, 0.0, 0.0, 0.0, 0.5]).expand(4, 1, -1)
    seats, yes = torch.tensor([[0], [1], [0], [0]]), torch.ones(4, 1, dtype=torch.bool)
    done = torch.tensor([[False], [False], [False], [True]])
    results = sure[0].expand(4, 1, 4, -1)
    advantages, _ = gae(
        0.5, 0.9, values=sure, seats=seats, on_policy=yes, done=done, results=results,
        next_values=torch.zeros(1, 6), next_seats=torch.tensor([0]),
    )  # fmt: skip
    assert told(advantages[[0, 2, 3], :, 0]) == [-0.1, 0.0, 0.0]
    assert told(advantages[[0, 2, 3], :, 4]) == [0.1, 0.0, 0.0]  # nobody
    assert told(advantages[[0, 2, 3], :, 5]) == [0.0, 0.0, 0.0]  # how far it is, is no outcome


def gradient_of(
    learner: Learner, advantage: float = 0, likelier: float = 1, entropy_coefficient: float = 0
) -> Any:
    """What decisions that have become likelier since say to the logits of passing and ending."""
    learner.self_play.play(TINY.rollout_length)
    observations, masks, actions, log_probs = (part[-1] for part in learner.self_play.rollout[:4])
    count = len(actions)
    batch = Batch(
        observations, masks, actions, log_probs - math.log(likelier),
        targets=torch.full((count, 5), 0.2),
        advantages=torch.full((count,), float(advantage)),
        weights=torch.ones(count),
    )  # fmt: skip
    updater = learner.updater
    updater.config = replace(updater.config, value_coefficient=0.0)
    loss, _ = updater.loss(learner.network, batch, torch.tensor(float(entropy_coefficient)))
    return torch.autograd.grad(loss, learner.network.of_table.bias)[0]


@pytest.mark.parametrize(
    ("advantage", "likelier", "teaches"),
    [(1, 1.1, True), (1, 1.3, False), (-1, 1.3, True), (-1, 2.9, True), (-1, 3.1, False)],
)
def test_what_has_changed_enough_teaches_no_more(
    advantage: float, likelier: float, teaches: bool
) -> None:
    said = gradient_of(Learner(TINY, "cpu"), advantage, likelier)
    assert bool(said.abs().sum() > 0) == teaches


def test_a_likelihood_may_grow_beyond_all_bounds() -> None:
    """The exponential of 100 is infinite in single precision."""
    assert torch.isfinite(gradient_of(Learner(TINY, "cpu"), -1, math.exp(100))).all()


def test_what_is_out_of_the_question_does_not_fall_for_ever() -> None:
    learner = Learner(TINY, "cpu")
    assert not gradient_of(learner).any()
    with torch.no_grad():
        learner.network.of_table.bias.fill_(-40.0)
    said = gradient_of(learner)
    assert (said <= 0).all()  # against the gradient: likelier
    assert said.any()


def test_entropy_counts_where_the_game_is_open() -> None:
    learner = Learner(TINY, "cpu")
    assert gradient_of(learner, entropy_coefficient=1).any()
    with torch.no_grad():
        learner.network.outcome.bias[0] = 200.0
        learner.network.outcome.bias[4] = 200.0  # it wins, unless nobody does
    assert not gradient_of(learner, entropy_coefficient=1).any()


def test_after_an_update_that_went_too_far_it_learns_more_slowly_for_a_while() -> None:
    learner = Learner(TINY.with_values(["target_kl=1e-9"]), "cpu")
    first, second = (learner.iterate(0.0)["learning_rate"] for _ in range(2))
    assert (first, second) == (0.001, 0.0005)
    learner.config = replace(learner.config, target_kl=0.0)
    rates = [learner.iterate(0.0)["learning_rate"] for _ in range(40)]
    assert rates == sorted(rates)
    assert (rates[0], rates[-1]) == (0.00025, 0.001)


def throw_over(learner: Learner) -> None:
    with torch.no_grad():
        for weight in learner.network.parameters():
            weight.normal_()


def same(one: StateDict, other: StateDict) -> bool:
    return all(torch.equal(one[name], other[name]) for name in one)


class Results:
    """A tiny run of games with two and three players, whose results are made up."""

    def __init__(self, folder: Path) -> None:
        self.run = Run(folder, TINY.with_values(["players=2,3", "league_games=100"]), "cpu")
        self.learner, self.league = self.run.learner, self.run.learner.league

    @property
    def now(self) -> StateDict:
        return snapshot(self.learner.network)

    def learn(self) -> StateDict:
        self.learner.iterate(0.0)
        return self.now

    def come(self, *won: float) -> StateDict:
        """Of 100 games against the reference, with each number of players."""
        self.league._against_reference = [[each, 100.0] for each in won]
        self.learner.iterations = 8
        self.run._update_league(self.learner.steps)
        return self.now


def test_a_learner_that_has_fallen_goes_back_to_when_it_was_good(tmp_path: Path) -> None:
    results = Results(tmp_path)
    run, learner, league = results.run, results.learner, results.league
    beginner, first = results.now, results.learn()
    assert same(results.come(25, 20), first)  # may be bad luck
    assert same(league.fallback, beginner)
    second = results.learn()
    assert same(results.come(50, 33), second)
    assert same(league.fallback, first)  # whose games they were: the second may be falling already
    league.update(learner.network, remember=True)
    assert len(league.past) == 2
    throw_over(learner)
    assert same(results.come(50, 2), first)  # fallen, with three players
    assert run.rollbacks == 1
    assert len(league.past) == 1  # nobody who came after the good one is remembered
    assert not any(
        each.any() for state in learner.updater.optimizer.state.values() for each in state.values()
    )
    assert league._against_reference == [[0, 0], [0, 0]]
    assert not league.frozen[: league.block].any()  # what was played until then counts for nobody
    assert learner.iterate(0.0)["learning_rate"] == pytest.approx(5e-5)
    throw_over(learner)
    assert same(results.come(2, 2), beginner)  # once more: further back, to the reference
    line = run._report([learner.iterate(0.0)], 1, 1.0)
    assert (line["rollbacks"], run.rollbacks) == (2, 0)
    assert learner.max_learning_rate_scale == 0.25
    assert learner.learning_rate_scale == pytest.approx(0.025 * 1.05)


def test_who_has_stood_the_test_becomes_the_reference(tmp_path: Path) -> None:
    results = Results(tmp_path)
    learner, league = results.learner, results.league
    learner.max_learning_rate_scale = 0.25
    beginner = results.now
    results.learn()
    results.come(90, 60)
    assert same(league.networks[0].state_dict(), beginner)  # the learner may be falling already
    best = results.learn()
    results.come(90, 15)
    assert same(league.networks[0].state_dict(), beginner)  # who began is worse with three players
    assert league.rating == 0
    results.learn()
    results.come(50, 33)
    assert same(league.networks[0].state_dict(), best)
    assert league.rating == pytest.approx(elo(91 / 102, 2))
    assert same(league.fallback, best)
    assert learner.max_learning_rate_scale == 0.5  # it has recovered
    assert not league.frozen[: league.block].any()


def test_a_run_that_is_stopped_while_it_falls_finds_its_way_back(tmp_path: Path) -> None:
    results = Results(tmp_path)
    results.come(50, 33)
    good = results.learn()
    for _ in range(2):
        results.come(50, 33)
    assert same(results.league.fallback, good)
    throw_over(results.learner)
    results.run.save()
    weights = import_network(tmp_path / WEIGHTS).state_dict()
    assert not same(weights, {name: each.half().float() for name, each in good.items()})
    results.league._against_reference = [[2.0, 100.0], [2.0, 100.0]]
    results.run.save()
    weights = import_network(tmp_path / WEIGHTS).state_dict()
    assert same(weights, {name: each.half().float() for name, each in good.items()})
    results.learner.max_learning_rate_scale = 0.125
    results.run.save()
    again = Results(tmp_path)
    assert again.learner.max_learning_rate_scale == 0.125
    assert not same(again.now, good)
    assert same(again.come(2, 2), good)


def test_a_game_or_two_make_no_rating() -> None:
    league = League(TINY, torch.tensor([2, 3, 4] * 10), PolicyNetwork(TINY.shape))
    assert league.results()["rating"] == 0
    league._against_reference[0] = [1.0, 1.0]
    assert 0 < league.results()["rating"] < 200


def test_a_fall_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(League, "update", lambda league, *_: league.fallback)
    config = TINY.with_values([f"total_steps={8 * TINY.games * TINY.rollout_length}"])
    config.write(tmp_path / CONFIG)
    assert main(["train", str(tmp_path), "--device", "cpu", "--lang", "en"]) == 0
    assert "continues from that one" in capsys.readouterr().out


def test_the_winner_is_told_from_every_chair() -> None:
    players = torch.tensor([2, 3, 4, 4])
    rewards = torch.tensor(
        [[1, -1, 0, 0], [-0.5, -0.5, 1, 0], [-1 / 3, 1, -1 / 3, -1 / 3], [0, 0, 0, 0]]
    )
    who = outcomes_by_seat(rewards, relative_seats(players)).argmax(2)
    assert who[0, :2].tolist() == [0, 1]
    assert who[1, :3].tolist() == [2, 1, 0]
    assert who[2].tolist() == [1, 0, 3, 2]
    assert who[3].tolist() == [4, 4, 4, 4]  # nobody


def test_the_learner_has_a_seat_at_every_table_of_the_league() -> None:
    config = TINY.with_values(["games=600", "league_share=0.5"])
    players = torch.tensor([2, 3, 4] * 200)
    torch.manual_seed(1)
    league = League(config, players, PolicyNetwork(config.shape))
    assert (league.games, league.block) == (256, 64)
    seats = torch.arange(4)[None] < players[:256, None]
    assert not (league.frozen & ~seats).any()
    assert (seats & ~league.frozen).any(1).all()
    assert league.frozen.any(1).float().mean() > 0.5


def test_the_league_counts_games_of_the_learner_alone_against_its_rivals() -> None:
    config = TINY.with_values(["games=8", "players=2", "league_share=1", "league_slots=2"])
    league = League(config, torch.full((8,), 2), PolicyNetwork(config.shape))
    league.frozen = torch.tensor([[False, True, False, False]] * 8)
    league.frozen[3] = False  # all seats are the learner's: not counted
    over = torch.tensor([True] * 4 + [False] * 2 + [True] * 2)
    rewards = torch.tensor([[1.0, -1, 0, 0]] * 3 + [[-1.0, 1, 0, 0]] * 5)
    league.count_results(over, rewards)
    won = {"reference 2": 1.0, "scripted 2": 0.0}
    assert league.results()["won"] == won
    assert league.results()["won"] == {}
    league.count_results(torch.ones(8, dtype=torch.bool), rewards)
    assert league.results()["won"] == won | {"random 2": 0.0}


@pytest.mark.skipif(not COMPILED, reason="learning needs compiled games")
def test_a_tiny_run_learns_to_beat_who_plays_at_random() -> None:
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


def test_where_pytorch_cannot_compile_it_goes_on_without(monkeypatch: pytest.MonkeyPatch) -> None:
    fail = Mock(side_effect=RuntimeError("no compiler"))
    monkeypatch.setattr(torch, "compile", Mock(return_value=fail))
    double = compiled(lambda number: 2 * number, True)
    with pytest.warns(UserWarning, match="no compiler"):
        assert double(4) == 8
    assert double(5) == 10
    fail.assert_called_once()
    assert compiled(len, False) is len


def test_too_little_memory_is_no_matter_of_compiling(monkeypatch: pytest.MonkeyPatch) -> None:
    fail = Mock(side_effect=torch.OutOfMemoryError("much"))
    monkeypatch.setattr(torch, "compile", Mock(return_value=fail))
    with pytest.raises(torch.OutOfMemoryError):
        compiled(lambda number: 2 * number, True)(4)


def run_figures(steps: int) -> dict[str, Any]:
    won = {"reference 2": 0.5, "random 2": 0.25, "random 3": 0.5}
    return {
        "steps": steps, "seconds": steps / 1e6, "steps_per_second": 10**6, "rating": steps / 1e6,
        "entropy": 1.5, "value_loss": 0.6, "length": 120.5, "passes": 0.25, "unfinished": 0.0,
        "won": won,
    }  # fmt: skip


def test_a_run_is_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    lines = [json.dumps(run_figures(number * 10**9)) for number in range(1, 30)]
    (tmp_path / METRICS).write_text("\n".join(lines))
    page = call("tools/training_page.py", monkeypatch, tmp_path, "--into", tmp_path)
    rows = capsys.readouterr().out.splitlines()
    assert rows[2] == "| 2 G | 2000 | 1 M | 2000 | 1.50 | 0.600 | 120 | 25% |"
    assert rows[-1].startswith("| 29 G |")
    for name in page.PICTURES:
        picture = ElementTree.fromstring((tmp_path / f"{name}.svg").read_text())
        assert any("polyline" in part.tag for part in picture.iter())


@pytest.mark.skipif(not COMPILED, reason="learning needs compiled games")
def test_the_same_seed_learns_the_same() -> None:
    torch.set_num_threads(1)
    figures = [Learner(TINY, "cpu").iterate(0.0) for _ in range(2)]
    assert figures[0] == figures[1]
    other = Learner(TINY.with_values(["seed=2"]), "cpu").iterate(0.0)
    assert other != figures[0]


@pytest.mark.skipif(not COMPILED, reason="learning needs compiled games")
def test_a_run_goes_on_where_it_stopped(tmp_path: Path) -> None:
    config = TINY.with_values(["league_every=512"])
    run = Run(tmp_path, config, "cpu")
    run.learner.league.rating = 7.5
    run.train(print, steps=2 * 32 * 16)
    again = Run(tmp_path, Config(), "cpu", ["learning_rate=0.5"])
    assert again.resumed
    assert again.learner.steps == 1024
    assert again.learner.config == config.with_values(["learning_rate=0.5"])
    assert read_config(tmp_path / CONFIG) == again.learner.config
    one, other = run.learner, again.learner
    assert same(one.network.state_dict(), other.network.state_dict())
    moments, kept = (each.updater.optimizer.state_dict()["state"] for each in (one, other))
    assert all(same(moments[number], kept[number]) for number in moments)
    assert same(one.league.networks[0].state_dict(), other.league.networks[0].state_dict())
    assert len(other.league.past) == len(one.league.past) == 3
    for past, remembered in zip(one.league.past, other.league.past, strict=True):
        assert same({name: each.half().float() for name, each in past.items()}, remembered)
    assert (other.entropy_coefficient, other.iterations) == (
        one.entropy_coefficient,
        one.iterations,
    )
    assert (other.league.rating, again.seconds) == (7.5, run.seconds)
    again.train(print, steps=1)
    assert other.self_play.decisions >= DECORRELATION_STEPS  # no rollout of openings alone
    assert again.learner.steps == 1024 + 512
    lines = [json.loads(line) for line in (tmp_path / METRICS).read_text().splitlines()]
    steps = [line["steps"] for line in lines]  # on a slow machine there are more of them
    assert steps == sorted(steps)
    assert {1024, 1536} <= set(steps)


@pytest.mark.skipif(not COMPILED, reason="learning needs compiled games")
def test_figures_of_what_was_not_saved_are_forgotten(tmp_path: Path) -> None:
    """It was killed after its last checkpoint: what came since is done again, and told again."""
    run = Run(tmp_path, TINY, "cpu")
    run.train(print, steps=1)
    with (tmp_path / METRICS).open("a") as file:
        file.write('{"steps": 999999}\n')
    again = Run(tmp_path, SMALL, "cpu")
    again.train(print, steps=1)
    lines = [json.loads(line) for line in (tmp_path / METRICS).read_text().splitlines()]
    assert [line["steps"] for line in lines][-1] == 1024
    assert max(line["steps"] for line in lines) == 1024


@pytest.mark.skipif(not COMPILED, reason="learning needs compiled games")
def test_a_folder_that_has_a_recipe_begins_by_it(tmp_path: Path) -> None:
    """Somebody has put it there, or the run was killed before its first checkpoint."""
    config = TINY.with_values(["seed=7"])
    config.write(tmp_path / CONFIG)
    (tmp_path / METRICS).write_text(json.dumps(run_figures(512)) + "\n")
    run = Run(tmp_path, SMALL, "cpu")
    assert not run.resumed
    assert run.learner.config == config
    assert (tmp_path / METRICS).read_text() == ""


def stopped(folder: Path) -> list[str]:
    """The command that goes on with a tiny run, which has stopped."""
    config = TINY.with_values(["games=16", "rollout_length=8"])
    Run(folder, config, "cpu").train(print, steps=1)
    return ["train", str(folder), "--device", "cpu", "--steps", "1", "--lang", "en"]


@pytest.mark.skipif(not COMPILED, reason="learning needs compiled games")
def test_a_line_of_figures_that_was_not_finished_is_dropped(tmp_path: Path) -> None:
    command = stopped(tmp_path)
    with (tmp_path / METRICS).open("a") as file:
        file.write('{"steps": 25')
    assert main(command) == 0
    lines = (tmp_path / METRICS).read_text().splitlines()
    assert [json.loads(line)["steps"] for line in lines] == [128, 256]


@pytest.mark.skipif(not COMPILED, reason="learning needs compiled games")
@pytest.mark.parametrize(
    ("name", "how"),
    [
        *((name, how) for name in (CHECKPOINT, PAST, CONFIG) for how in ("cut off", "nonsense")),
        *((name, "gone") for name in (PAST, CONFIG)),
    ],
)
def test_a_damaged_run_is_refused_by_the_name_of_the_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, how: str
) -> None:
    command, file = stopped(tmp_path), tmp_path / name
    if how == "gone":
        file.unlink()
    else:
        data = file.read_bytes()
        file.write_bytes(data[: len(data) // 2] if how == "cut off" else b"nonsense")
    others = {each: each.read_bytes() for each in tmp_path.iterdir()}
    assert main(command) == 2
    said = capsys.readouterr().err
    assert f"can’t be continued. {name}: " in said
    assert "Traceback" not in said
    assert {each: each.read_bytes() for each in tmp_path.iterdir()} == others


@pytest.mark.skipif(not COMPILED, reason="learning needs compiled games")
def test_a_run_made_for_other_numbers_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = stopped(tmp_path)
    saved = torch.load(tmp_path / CHECKPOINT, weights_only=True)
    saved["versions"]["observation"] = 0
    torch.save(saved, tmp_path / CHECKPOINT)
    assert main(command) == 2
    assert f"{CHECKPOINT}: made for observation 0" in capsys.readouterr().err


@pytest.mark.skipif(not COMPILED, reason="learning needs compiled games")
def test_a_run_keeps_the_shape_of_its_network_and_its_rivals(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = stopped(tmp_path)
    assert main([*command, "--set", "palace=16"]) == 2
    assert "a network of another shape" in capsys.readouterr().err
    assert main(command) == 0
    read_config(tmp_path / CONFIG)
    replace(TINY, league_slots=1).write(tmp_path / CONFIG)
    assert main(command) == 2
    assert "tools/exploit.py" in capsys.readouterr().err


@pytest.mark.skipif(not COMPILED, reason="learning needs compiled games")
def test_a_gpu_with_too_little_memory_is_told_what_to_change(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    command = stopped(tmp_path)
    monkeypatch.setattr(Run, "train", Mock(side_effect=torch.OutOfMemoryError("much")))
    assert main(command) == 2
    assert "too little memory for 16 games" in capsys.readouterr().err
    monkeypatch.setattr(Run, "__init__", Mock(side_effect=torch.OutOfMemoryError("much")))
    assert main(command) == 2
    assert "too little memory for 16 games" in capsys.readouterr().err


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


@pytest.mark.skipif(not COMPILED, reason="learning needs compiled games")
def test_a_run_that_goes_astray_leaves_what_was_saved(tmp_path: Path) -> None:
    run = Run(tmp_path, TINY, "cpu")
    run.train(print, steps=1)
    saved = (tmp_path / CHECKPOINT).read_bytes()
    with torch.no_grad():
        run.learner.network.outcome.weight.fill_(float("nan"))
    with pytest.raises(FloatingPointError, match="loss is nan"):
        run.train(print, steps=1)
    assert (tmp_path / CHECKPOINT).read_bytes() == saved


@pytest.mark.skipif(not COMPILED, reason="learning needs compiled games")
def test_that_a_run_went_astray_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    command = stopped(tmp_path)
    monkeypatch.setattr(Learner, "iterate", Mock(side_effect=FloatingPointError("loss is nan")))
    assert main(command) == 2
    assert (
        "out of control (loss is nan). What was saved before is intact" in capsys.readouterr().err
    )


@pytest.mark.skipif(not COMPILED, reason="learning needs compiled games")
@pytest.mark.parametrize(
    ("name", "value"),
    [("games", 0), ("games", 1.5), ("clip", "much"), ("compile", 1), ("players", [2, 7])],
)
def test_a_recipe_that_no_run_can_begin_with_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, value: Any
) -> None:
    command = stopped(tmp_path)
    values = json.loads((tmp_path / CONFIG).read_text()) | {name: value}
    (tmp_path / CONFIG).write_text(json.dumps(values))
    assert main(command) == 2
    assert f"{CONFIG}: {name} can't be " in capsys.readouterr().err


@pytest.mark.skipif(not COMPILED, reason="learning needs compiled games")
def test_a_run_ends_with_its_recipe(tmp_path: Path) -> None:
    run = Run(tmp_path, TINY.with_values(["total_steps=1000"]), "cpu")
    run.train(print)
    assert (run.progress, run.learner.steps) == (1.0, 1024)


@pytest.mark.skipif(not COMPILED, reason="learning needs compiled games")
def test_the_command_trains_and_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "run"
    small = ["games=16", "rollout_length=8", "palace=8", "table=8", "pair=4"]
    command = ["train", str(folder), "--device", "cpu", "--steps", "128", "--lang", "en"]
    assert main([*command, *(part for each in small for part in ("--set", each))]) == 0
    shown = capsys.readouterr().out
    assert "a new run" in shown
    assert "128 decisions" in shown
    assert {each.name for each in folder.iterdir()} == {
        CHECKPOINT, METRICS, CONFIG, WEIGHTS, "past.pt",
    }  # fmt: skip
    assert main(command) == 0
    assert "goes on after 128 decisions" in capsys.readouterr().out


def test_a_number_that_no_recipe_has_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for given in (
        "salt=1", "players=2,7", "games=0", "league_slots=1", "clip=nan", "clip=inf",
        "total_steps=0", "league_every=0", "league_share=1.5", "max_turns=0",
    ):  # fmt: skip
        assert main(["train", str(tmp_path), "--device", "cpu", "--set", given]) == 2
        assert given in capsys.readouterr().err


@pytest.mark.parametrize("given", ["nan", "0", "inf", "-1", "ten"])
def test_minutes_are_a_number_above_0(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], given: str
) -> None:
    with pytest.raises(SystemExit):
        main(["train", str(tmp_path), "--lang", "en", f"--minutes={given}"])
    assert f"a number above 0, not {given}" in capsys.readouterr().err


def test_without_pytorch_it_is_said_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("baghdad.cli.train.find_spec", {}.get)
    assert main(["train", str(tmp_path), "--lang", "de"]) == 2
    assert "pip install 'baghdad[train]'" in capsys.readouterr().err


class Watched(TorchDispatchMode):  # type: ignore[misc]
    """Notes the name of everything that PyTorch is asked to do."""

    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()

    def __torch_dispatch__(self, work: Any, types: Any, given: Any = (), named: Any = None) -> Any:
        self.names.add(work._overloadpacket.__name__)
        return work(*given, **(named or {}))


def test_what_a_gpu_records_asks_nothing_of_the_computer() -> None:
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


def test_scripts_sit_in_the_last_slot_and_do_what_they_like() -> None:
    config = TINY.with_values(["games=512", "players=3", "league_share=1", "league_slots=2"])
    learner = Learner(config, "cpu")
    (_, first), (script_logits, last) = learner.league.blocks
    assert isinstance(script_logits, torch.Tensor)
    assert (first, last) == (slice(0, 256), slice(256, 512))
    assert (script_logits == 0).all(1).float().mean() == pytest.approx(0.5, abs=0.01)  # at random
    told = {script: logits_of(script) for script in SCRIPTS if script != "random"}
    for liking in told.values():
        assert (script_logits == liking).all(1).float().mean() == pytest.approx(1 / 6, abs=0.01)
    torch.manual_seed(1)
    for _ in range(60):  # until they have cards, and guards are out
        learner.self_play.play(1)
    masks = learner.self_play.env.masks[last]
    chosen = torch.stack(
        [learner.self_play.choose_as_guest(script_logits, last) for _ in range(20)]
    )
    assert all(masks.gather(1, actions[:, None]).all() for actions in chosen)
    may = (masks & (script_logits == script_logits.amax(1)[:, None])).any(1)  # what it likes best
    liked = script_logits.gather(1, chosen.T) == script_logits.amax(1)[:, None]
    script = (script_logits != 0).any(1) & may
    assert script.sum() > 20
    assert liked[script].float().mean() > 0.7
