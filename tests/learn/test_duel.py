"""Two networks play the same deals against each other, in every seat."""

from typing import Any

import pytest

torch = pytest.importorskip("torch")

from baghdad import Options  # noqa: E402
from baghdad.bots.neural import WEIGHTS_FILE  # noqa: E402
from baghdad.jit.compiler import COMPILED  # noqa: E402
from baghdad.learn.export import import_network  # noqa: E402
from support.networks import lively  # noqa: E402
from support.programs import load  # noqa: E402

pytestmark = pytest.mark.skipif(not COMPILED, reason="it needs compiled rules")


@pytest.fixture(scope="module")
def duel() -> Any:
    return load("benchmarks/duel.py").duel


def test_against_itself_a_network_wins_every_deal_from_one_seat(duel: Any) -> None:
    network = import_network(WEIGHTS_FILE)
    won = duel([network, network], Options(3), 8, "cpu", "duel")
    assert won.sum(1).tolist() == [1] * 8


def test_networks_of_two_versions_meet_in_both_seats(duel: Any) -> None:
    networks = [import_network(WEIGHTS_FILE), lively()]
    assert [each.shape.observation for each in networks] == [1, 2]
    assert duel(networks, Options(2), 6, "cpu", "duel").all()
    assert not duel(networks[::-1], Options(2), 6, "cpu", "duel").any()
