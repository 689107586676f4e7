"""The module in Node plays what native code plays; Chromium is in tests/web/test_wasm.py."""

import pytest

from baghdad import Options
from support.programs import load

PARTS, STEPS = 5, 4_000


@pytest.mark.parametrize("players", [2, 3, 4])
def test_node_plays_the_same(players: int) -> None:
    program = load("benchmarks/wasm.py")
    table = Options(players, "neutral", "smuggle", "seen", "chosen")
    native = program.natively(table, PARTS, STEPS)
    node = program.in_node(table, PARTS, STEPS)
    assert len(set(native.seen)) == PARTS, "it goes on"
    assert (node.games, node.seen) == (native.games, native.seen)
