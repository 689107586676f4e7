"""The module in Node plays what native code plays; Chromium is in tests/web/test_wasm.py."""

import pytest

from baghdad import Options
from benchmarks.wasm import engines, steps

PARTS, STEPS = 5, 400


@pytest.mark.parametrize("players", [2, 3, 4])
def test_node_plays_the_same(players: int) -> None:
    """A hundred million steps: `benchmarks.wasm.steps`."""
    table = Options(players, "neutral", "smuggle", "seen", "chosen")
    native = steps.natively(table, PARTS, STEPS)
    with engines.node() as run:
        node = steps.in_module(run, table, PARTS, STEPS)
    assert len(set(native.seen)) == PARTS * steps.LOOKS, "it goes on"
    assert (node.games, node.seen) == (native.games, native.seen)
