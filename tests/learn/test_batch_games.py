"""The laboratory's crowds in PyTorch: the same games as `bots.neural.batch_games` plays."""

from typing import Any

import numpy as np
import pytest

from baghdad import Options, new_rng
from baghdad.bots.neural.batch import Array
from baghdad.bots.neural.batch_games import play_batch
from baghdad.lab.players import NetworkPlayer
from baghdad.lab.trial import Trial, batch_of
from baghdad.rules.engine.actions import ACTION_COUNT
from baghdad.rules.engine.dealer import LOW, next_number

torch = pytest.importorskip("torch")

from baghdad.learn import batch_games  # noqa: E402
from baghdad.learn.batch_games import BatchPlayer  # noqa: E402
from baghdad.learn.sampling import next_uniforms  # noqa: E402


def of_numpy(observations: Array) -> tuple[Array, Array]:
    """A network in whole numbers, so that nothing is rounded."""
    sums = observations[:, :72].astype(np.int64) @ np.arange(1, 73)
    logits = (np.arange(ACTION_COUNT) * 37 + sums[:, None] * 11) % 101
    return logits.astype(np.float32), np.zeros((len(observations), 5), np.float32)


def of_torch(observations: Any) -> Any:
    logits, outcomes = of_numpy(observations.numpy())
    return torch.from_numpy(logits), torch.from_numpy(outcomes)


TRIALS = [
    Trial(Options(2), (NetworkPlayer(),) * 2, 5),
    Trial(
        Options(3, rob="smuggle", hands="seen", deal=(7, 7, 9)), (NetworkPlayer(),) * 3, 7, redraw=1
    ),
    Trial(Options(4, variant="neutral"), (NetworkPlayer(),) * 4, 6, redraw=2),
    Trial(Options(4, spare="chosen"), (NetworkPlayer(),) * 4, 4),
]


def test_both_play_the_same_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where there is no room for all at once, and more than one portion is asked."""
    crowd = batch_of(TRIALS, "x")
    wanted = play_batch(crowd, of_numpy, 60)
    heard: list[int] = []
    assert BatchPlayer("cpu", of_torch).play(crowd, 60, heard.append).tobytes() == wanted.tobytes()
    assert sum(heard) == len(wanted) == 22
    monkeypatch.setitem(batch_games.LANES, "cpu", 6)
    monkeypatch.setitem(batch_games.BATCH, "cpu", 4)
    assert BatchPlayer("cpu", of_torch).play(crowd, 60).tobytes() == wanted.tobytes()


def test_dice_are_thrown_as_the_dealer_draws() -> None:
    rngs = np.stack([new_rng("dice", stream) for stream in range(4)])
    dice = torch.from_numpy(rngs.copy())
    wanted = torch.tensor([True, False, True, True])
    for _ in range(3):
        thrown = next_uniforms(dice, wanted).tolist()
        for lane in (0, 2, 3):
            assert thrown[lane] == pytest.approx(next_number(rngs[lane]) / (LOW + 1))
    assert dice.tolist() == rngs.tolist()


def test_who_plays_at_a_temperature_plays_legally_and_otherwise() -> None:
    """The network that ships; a game that is played on to its end has only seen legal actions."""
    cold, warm = (
        BatchPlayer("cpu").play(
            batch_of([Trial(Options(2), (NetworkPlayer(heat),) * 2, 6)], "x"), 400
        )
        for heat in (0.0, 3.5)
    )
    assert cold.tobytes() != warm.tobytes()
    for games in (cold, warm):
        assert (games["loot"].max(axis=1) == 6).all()
