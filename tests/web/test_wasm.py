"""The module in a browser plays the games that native code plays."""

import pytest
from playwright.sync_api import Browser

from baghdad import Options
from support.programs import load

PARTS, STEPS = 5, 20_000


@pytest.mark.parametrize("players", [2, 3, 4])
def test_chromium_plays_the_same(chromium: Browser, players: int) -> None:
    program = load("benchmarks/wasm.py")
    page = chromium.new_page()
    table = Options(players, spare="chosen")
    native = program.natively(table, PARTS, STEPS)
    played = program.in_page(page, table, PARTS, STEPS)
    page.close()
    assert len(set(native.seen)) == PARTS, "it goes on"
    assert (played.games, played.seen) == (native.games, native.seen)
