"""The value networks learn: from positions of all moments, with the outcome of their own game."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from baghdad.bots.neural import WEIGHTS_FILE  # noqa: E402
from baghdad.bots.value.chances import open_chances, seen_chances  # noqa: E402
from baghdad.bots.value.network import Sees, ValueNetwork, ValueShape, load_value  # noqa: E402
from baghdad.jit.compiler import COMPILED  # noqa: E402
from baghdad.learn.batch_engine import state_field  # noqa: E402
from baghdad.learn.export import arrays_of, import_network  # noqa: E402
from baghdad.learn.value.check import check  # noqa: E402
from baghdad.learn.value.config import (  # noqa: E402
    SMALL,
    ValueConfig,
    read_value_config,
)
from baghdad.learn.value.games import MIXED, PositionGames  # noqa: E402
from baghdad.learn.value.measures import MOMENTS, judge, play_out  # noqa: E402
from baghdad.learn.value.network import ValueNet  # noqa: E402
from baghdad.learn.value.rows import outcomes, rows_of, seats_to_move  # noqa: E402
from baghdad.learn.value.run import CHECKPOINT, METRICS, ValueRun, ValueRunError  # noqa: E402
from baghdad.learn.value.trainer import Pool, ValueTrainer, chances  # noqa: E402
from baghdad.rules.engine.material import DEALING, DRAWING, OVER, PLACING, TURN  # noqa: E402
from baghdad.rules.engine.state import STATE  # noqa: E402
from support.networks import lively  # noqa: E402
from support.positions import moments  # noqa: E402
from support.programs import has_gpu, load  # noqa: E402

pytestmark = pytest.mark.skipif(not COMPILED, reason="learning needs compiled games")

TINY = replace(
    SMALL, games=24, positions=6, warm_up=120, decisions=40, minibatch=16, pool=64,
    palace=16, table=24, blocks=1, total_positions=2000, temperatures=(0.0, 1.0),
)  # fmt: skip


def source(**changes: Any) -> PositionGames:
    torch.manual_seed(2)
    config = replace(TINY, **changes)
    return PositionGames(config, "cpu", [import_network(WEIGHTS_FILE).eval()], "value")


def value_net(sees: Sees) -> ValueNet:
    torch.manual_seed(6)
    network = ValueNet(ValueShape(sees, 24, 32, 2))
    with torch.no_grad():
        for weight in network.parameters():
            weight.add_(torch.randn(weight.shape), alpha=0.5 / max(weight.shape[-1], 4) ** 0.5)
        network.outcome.weight *= 3
    network.eval()
    return network


@pytest.mark.parametrize("sees", ["open", "eyes"])
def test_pytorch_and_numpy_think_the_same(sees: Sees) -> None:
    states, network = moments(), value_net(sees)
    states = states[states["phase"] != OVER]
    seats = states["seat"].astype(np.int64)
    if sees == "eyes":
        seats = (seats + 1) % states["players"]
    words = torch.from_numpy(states.view(np.int32).reshape(len(states), -1).copy())
    theirs = chances(network, words, torch.from_numpy(seats)).numpy()
    mind = ValueNetwork(arrays_of(network), network.shape)
    ours = mind(rows_of(words, torch.from_numpy(seats), sees).numpy())
    assert np.allclose(ours, theirs, atol=1e-5)
    by_seat = open_chances(mind, states) if sees == "open" else seen_chances(mind, states, seats)
    row = np.arange(len(states))
    assert np.allclose(by_seat[row, seats], ours[:, 0], atol=1e-6)
    after = (seats + 1) % states["players"]
    assert np.allclose(by_seat[row, after], ours[:, 1], atol=1e-6)


def test_who_has_won_is_counted_from_the_seat_that_looks() -> None:
    states = np.zeros(4, STATE)
    states["players"] = [2, 3, 4, 3]
    words = torch.from_numpy(states.view(np.int32).reshape(4, -1))
    told = outcomes(words, torch.tensor([0, 0, 1, -1]), torch.tensor([1, 1, 3, 2]))
    assert told.tolist() == [1, 2, 2, 4]


def test_positions_are_of_all_moments_and_know_who_won() -> None:
    found = [each for each in play_out(source(games=96)) if len(each.winners)]
    states = torch.cat([each.states for each in found])
    winners = torch.cat([each.winners for each in found])
    games = torch.cat([each.games for each in found])
    phases = state_field(states, "phase")
    assert {PLACING, DEALING, TURN, DRAWING} == set(phases.tolist())
    assert (state_field(states, "acted")[phases == TURN] > 0).any()
    for game in games.unique().tolist():
        mine = games == game
        assert len(winners[mine].unique()) == 1
        assert len(state_field(states, "players")[mine].unique()) == 1
        assert int(mine.sum()) <= TINY.positions
    moments_of_games = torch.cat([each.moments for each in found])
    assert float(moments_of_games.min()) >= 0
    assert float(moments_of_games.max()) < 1
    thirds = (3 * moments_of_games).long().bincount() / len(moments_of_games)
    assert ((thirds - 1 / 3).abs() < 0.08).all()
    # Who is ahead at last has mostly won: the labels are those of the positions' own games.
    late = (moments_of_games > 0.9) & (winners >= 0)
    loot = state_field(states, "loot")[late]
    assert (loot.max(1).values == loot.gather(1, winners[late][:, None])[:, 0]).float().mean() > 0.7


def test_a_game_has_players_of_one_level_or_of_several() -> None:
    levels = source(games=300, mixed_share=0.5)._level
    assert set(levels.tolist()) == {MIXED, 0, 1}
    assert 0.3 < float((levels == MIXED).float().mean()) < 0.7


def test_another_network_plays_half_of_the_games_with_the_first() -> None:
    torch.manual_seed(1)
    pair = [import_network(WEIGHTS_FILE).eval(), lively().eval()]
    games = PositionGames(replace(TINY, mixed_share=0.0), "cpu", pair, "two")
    playing = games._network
    assert not playing[:12].any()
    assert {0, 1} == set(playing[12:].flatten().tolist())
    games.play(3)
    assert int(games._moments.min()) >= 4


def test_the_latest_positions_take_the_place_of_the_oldest() -> None:
    found = next(each for each in play_out(source()) if len(each.winners) > 5)
    pool = Pool(4, "cpu")
    for first in range(0, 5, 2):
        pool.add(type(found)(*[each[first : first + 2] for each in found]))
    kept = {row.numpy().tobytes() for row in pool._states}
    assert {row.numpy().tobytes() for row in found.states[2:6]} == kept
    assert pool.filled == 4


@pytest.mark.parametrize("sees", ["open", "eyes"])
def test_a_network_learns_who_wins(sees: Sees) -> None:
    """Made-up results, which every seat can see: whoever has more thieves in stock has won."""
    states = moments(games=60)
    states = states[(states["phase"] == TURN) & (states["players"] == 2)][::6].copy()
    words = torch.from_numpy(states.view(np.int32).reshape(len(states), -1).copy())
    winners = torch.from_numpy((states["stock"][:, 0] > states["stock"][:, 1]).astype(np.int64))
    torch.manual_seed(1)
    trainer = ValueTrainer(replace(TINY, average=0.9), "cpu", sees)
    first = [float(trainer.update(words, winners, 3e-3)) for _ in range(60)]
    assert first[-1] < 0.5 * first[0]
    told = chances(trainer.averaged(), words, seats_to_move(words)).argmax(1)
    right = told == outcomes(words, winners, seats_to_move(words))
    assert right.float().mean() > 0.8


def test_a_run_goes_on_where_it_stopped(tmp_path: Path) -> None:
    run = ValueRun(tmp_path, TINY, "cpu", [WEIGHTS_FILE])
    told: list[Any] = []
    run.go_on(3600, told.append)
    assert run.progress == 1
    assert run.positions >= 2000
    assert told[-1] == json.loads((tmp_path / METRICS).read_text().splitlines()[-1])
    assert load_value(tmp_path / "open.bin").shape == TINY.shape("open")
    assert load_value(tmp_path / "eyes.bin").shape == TINY.shape("eyes")
    again = ValueRun(tmp_path, ValueConfig(), "cpu", [WEIGHTS_FILE], ["total_positions=3000"])
    assert read_value_config(tmp_path / "config.json") == again.config
    assert again.config == replace(TINY, total_positions=3000)
    assert again.positions == run.positions
    for sees in run.trainers:
        before, after = (each.trainers[sees] for each in (run, again))
        for name, weight in before.average.items():
            assert torch.equal(weight, after.average[name])
    again.go_on(3600, told.append)
    assert again.positions >= 3000


def test_a_run_of_another_shape_is_refused(tmp_path: Path) -> None:
    run = ValueRun(tmp_path, TINY, "cpu", [WEIGHTS_FILE])
    run.save()
    with pytest.raises(ValueRunError, match="another shape"):
        ValueRun(tmp_path, TINY, "cpu", [WEIGHTS_FILE], ["table=32"])
    (tmp_path / CHECKPOINT).write_bytes(b"damaged")
    with pytest.raises(ValueRunError, match="damaged"):
        ValueRun(tmp_path, TINY, "cpu", [WEIGHTS_FILE])


def test_all_seats_of_all_positions_are_judged() -> None:
    found = next(each for each in play_out(source(players=(3,))) if len(each.winners) > 10)
    judged = judge(found, value_net("open"), value_net("eyes"), import_network(WEIGHTS_FILE))
    count = len(found.winners)
    assert len(judged.won) == 3 * count
    assert torch.equal(judged.to_move.view(3, -1).sum(0), torch.ones(count, dtype=torch.long))
    someone = (found.winners >= 0).float()
    assert torch.equal(judged.won.view(3, -1).sum(0), someone)
    assert torch.equal(judged.next_won.view(3, -1)[0], judged.won.view(3, -1)[1])
    assert float(judged.open.view(3, -1).sum(0).max()) < 1
    assert float(judged.sums.max()) < 1e-5
    assert judged.moment.max() < len(MOMENTS)
    phase = state_field(found.states, "phase")
    decides = (phase == TURN) | (phase == PLACING)
    assert torch.equal(judged.today[:count].isnan(), ~decides)


def test_a_device_is_checked_before_a_run() -> None:
    found = check(TINY, "cpu", [WEIGHTS_FILE])
    assert set(found) == {"open, learned from", "eyes, learned from", "decisions played"}
    assert min(found.values()) > 0


def test_a_goal_that_is_missed_is_told() -> None:
    missed = load("benchmarks/value.py").missed
    kinds = "open", "eyes"
    good = {f"{kind}, {seat}": 0.1 for kind in kinds for seat in ("to move", "not to move")}
    good |= {"open": 0.1, "open, there": 0.1, "today": 0.1}
    good |= {"eyes, to move, there": 0.1, "today, to move": 0.1}
    tenth = {"tenth": 3, "chance": 0.35, "came": 0.36, "games": 3000}
    told: dict[str, Any] = {
        "scores": {f"third {third}": dict(good) for third in (1, 2, 3)},
        "calibration": {"open, to move": [tenth]},
        "sums": 0.0,
    }
    assert missed(3, told, 2500) == []
    assert missed(4, told, 2500) == ["third 3: open 0.1000, trial 0.085"]
    told["scores"]["third 2"]["eyes, not to move"] = 0.12
    told["scores"]["third 2"]["today"] = 0.09
    tenth["came"] = 0.4
    assert len(missed(3, told, 2500)) == 3
    tenth["games"] = 100
    assert len(missed(3, told, 2500)) == 2


CODE = """
import numpy as np
from support.positions import moments

states = moments(6, 60)[::71].copy()
seats = np.arange(len(states)) % states["players"]
from baghdad.bots.value import rows
seen, whole = rows.seen_rows(states, seats), rows.open_rows(states)

from baghdad.learn.value import rows_gpu
from baghdad.rules.engine.gpu import cuda

send = cuda.to_device
words = send(states.view(np.int32).reshape(len(states), -1).copy())
theirs = send(np.zeros_like(seen)), send(np.zeros_like(whole))
rows_gpu.seen_rows(words, send(seats.astype(np.int64)), theirs[0])
rows_gpu.open_rows(words, theirs[1])
for mine, its in zip((seen, whole), theirs):
    assert np.array_equal(mine, its.copy_to_host())
print("the same")
"""


def test_the_kernels_write_the_same_rows() -> None:
    environment = os.environ | ({} if has_gpu() else {"NUMBA_ENABLE_CUDASIM": "1"})
    tests = str(Path(__file__).parents[1])
    environment["PYTHONPATH"] = os.pathsep.join([tests, *sys.path])
    result = subprocess.run(
        [sys.executable, "-c", CODE], capture_output=True, text=True, env=environment, check=False
    )
    assert result.stdout == "the same\n", result.stderr
