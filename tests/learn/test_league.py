"""The league: who sits where, ratings, and learners that collapse."""

from pathlib import Path

import pytest

torch = pytest.importorskip("torch")


from baghdad.cli import main  # noqa: E402
from baghdad.learn.export import import_network  # noqa: E402
from baghdad.learn.league import (  # noqa: E402
    League,
    StateDict,
    elo,
    snapshot,
)
from baghdad.learn.learner import Learner  # noqa: E402
from baghdad.learn.network import PolicyNetwork  # noqa: E402
from baghdad.learn.run import (  # noqa: E402
    CONFIG,
    WEIGHTS,
    Run,
)
from baghdad.learn.scripted import SCRIPTS  # noqa: E402
from baghdad.learn.scripted import script_logits as logits_of  # noqa: E402
from support.training import TINY, same  # noqa: E402


def randomize(learner: Learner) -> None:
    with torch.no_grad():
        for weight in learner.network.parameters():
            weight.normal_()


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


def test_a_learner_that_has_collapsed_returns_to_when_it_was_good(tmp_path: Path) -> None:
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
    randomize(learner)
    assert same(results.come(50, 2), first)  # fallen, with three players
    assert run.rollbacks == 1
    assert len(league.past) == 1  # nobody who came after the good one is remembered
    assert not any(
        each.any() for state in learner.updater.optimizer.state.values() for each in state.values()
    )
    assert league._against_reference == [[0, 0], [0, 0]]
    assert not league.frozen[: league.block].any()  # what was played until then counts for nobody
    assert learner.iterate(0.0)["learning_rate"] == pytest.approx(5e-5)
    randomize(learner)
    assert same(results.come(2, 2), beginner)  # once more: further back, to the reference
    line = run._report([learner.iterate(0.0)], 1, 1.0)
    assert (line["rollbacks"], run.rollbacks) == (2, 0)
    assert learner.max_learning_rate_scale == 0.25
    assert learner.learning_rate_scale == pytest.approx(0.025 * 1.05)


def test_a_version_that_has_stood_the_test_becomes_the_reference(tmp_path: Path) -> None:
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


def test_a_run_that_is_stopped_while_it_collapses_finds_its_way_back(tmp_path: Path) -> None:
    results = Results(tmp_path)
    results.come(50, 33)
    good = results.learn()
    for _ in range(2):
        results.come(50, 33)
    assert same(results.league.fallback, good)
    randomize(results.learner)
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


def test_a_collapse_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(League, "update", lambda league, *_: league.fallback)
    config = TINY.with_values([f"total_steps={8 * TINY.games * TINY.rollout_length}"])
    config.write(tmp_path / CONFIG)
    assert main(["train", str(tmp_path), "--device", "cpu", "--lang", "en"]) == 0
    assert "continues from that one" in capsys.readouterr().out


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


def test_the_league_counts_games_of_the_learner_alone_against_guests() -> None:
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


def test_scripts_sit_in_the_last_slot_and_do_what_they_like() -> None:
    config = TINY.with_values(["games=512", "players=3", "league_share=1", "league_slots=2"])
    learner = Learner(config, "cpu")
    (_, first), (script_logits, last) = learner.league.blocks
    assert isinstance(script_logits, torch.Tensor)
    assert (first, last) == (slice(0, 256), slice(256, 512))
    assert (script_logits == 0).all(1).float().mean() == pytest.approx(0.5, abs=0.01)  # at random
    told = {script: logits_of(script) for script in SCRIPTS if script != "random"}
    for logits in told.values():
        assert (script_logits == logits).all(1).float().mean() == pytest.approx(1 / 6, abs=0.01)
    torch.manual_seed(1)
    for _ in range(60):  # until they have cards, and guards are out
        learner.self_play.play(1)
    masks = learner.self_play.env.masks[last]
    chosen = torch.stack(
        [learner.self_play.choose_as_guest(script_logits, last) for _ in range(20)]
    )
    assert all(masks.gather(1, actions[:, None]).all() for actions in chosen)
    may = (masks & (script_logits == script_logits.amax(1)[:, None])).any(1)  # what it likes best
    was_best = script_logits.gather(1, chosen.T) == script_logits.amax(1)[:, None]
    script = (script_logits != 0).any(1) & may
    assert script.sum() > 20
    assert was_best[script].float().mean() > 0.7
