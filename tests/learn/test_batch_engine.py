"""Batches of positions as tensors: fields by name, padding."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from baghdad.learn.batch_engine import pad, state_field  # noqa: E402
from baghdad.rules.engine.state import STATE  # noqa: E402
from support.networks import positions  # noqa: E402


@pytest.mark.parametrize("name", ["phase", "seat", "winner", "turn", "loot", "players", "stock"])
def test_a_field_of_every_state_by_its_name(name: str) -> None:
    env = positions()
    states = torch.from_numpy(env.state_words.copy())
    assert np.array_equal(state_field(states, name).numpy(), env.states[name])


def test_a_field_is_a_view() -> None:
    states = torch.zeros(2, STATE.itemsize // 4, dtype=torch.int32)
    state_field(states, "winner").fill_(-1)
    assert states.numpy().view(STATE)["winner"].tolist() == [[-1], [-1]]


def test_what_is_missing_in_a_batch_is_the_first_row_again() -> None:
    given = [torch.arange(3), torch.arange(6).view(3, 2)]
    assert [each.tolist() for each in pad(given, 4)] == [
        [0, 1, 2, 0],
        [[0, 1], [2, 3], [4, 5], [0, 1]],
    ]
    assert pad(given, 3) is given
