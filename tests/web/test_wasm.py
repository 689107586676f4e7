"""The module in a browser plays what native code plays, and its opponents decide the same."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from baghdad import Options
from baghdad.bots import Budget, make_bot
from baghdad.jit.compiler import COMPILED
from benchmarks.wasm import bots, minds, steps

PARTS, STEPS, TURNS = 5, 2_000, 24


@pytest.fixture(scope="module")
def page(chromium: Browser) -> Iterator[Page]:
    page = chromium.new_page()
    yield page
    page.close()


@pytest.mark.parametrize("players", [2, 3, 4])
def test_chromium_plays_the_same(page: Page, players: int) -> None:
    table = Options(players, spare="chosen")
    native = steps.natively(table, PARTS, STEPS)
    played = steps.in_module(page.evaluate, table, PARTS, STEPS)
    assert len(set(native.seen)) == PARTS * steps.LOOKS, "it goes on"
    assert (played.games, played.seen) == (native.games, native.seen)


@pytest.mark.skipif(not COMPILED, reason="whole games need compiled rules")
def test_opponents_in_chromium_decide_the_same(page: Page) -> None:
    """A thousand games of each: `benchmarks.wasm.bots`."""
    module = minds.Minds(page.evaluate)
    for name in minds.LEVELS:
        table = Options(3, "neutral", "smuggle", "seen", "chosen")
        native = bots.play(make_bot(name), table, name, Budget(simulations=10), TURNS)
        there = module.decide(name, native.positions, 10)
        decisions = list(zip(there.actions, there.rngs, strict=True))
        same = sum(one == two for one, two in zip(native.decisions, decisions, strict=True))
        assert len(decisions) > 20
        assert same == len(decisions) or (
            name not in minds.RECKONING and same > 0.99 * len(decisions)
        )
