"""The page reviews games and hints as the library does: the same records, in Node."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from baghdad import Game, Options
from baghdad.analysis import hint, review
from baghdad.analysis.judge import Judge
from baghdad.bots import Budget, make_bot
from baghdad.bots.playing import play_to_end
from baghdad.jit.compiler import COMPILED
from support.same import check

pytestmark = pytest.mark.skipif(not COMPILED, reason="the network needs compiled rules")

BUDGET = 400
TABLES = [Options(2), Options(3, spare="chosen"), Options(4, "neutral", "smuggle")]
EVERY = 9
"""One in so many decisions gets a hint."""


def told(options: Options) -> dict[str, Any]:
    """The reviews of all seats of a game, and hints in it."""
    game = Game.with_options(options, seed="same")
    bots = [make_bot("kasim") for _ in range(options.players)]
    play_to_end(game, bots, "same", Budget(), 3 * options.players)
    if not game.over:
        game.end("abandoned")
    judge, hints = Judge(budget=BUDGET), []
    again = Game.with_options(options)
    for at, token in enumerate(game.tokens):
        seat = again.to_move
        if token[0] != "=" and at % EVERY == 0 and not again.state.acted:
            found = hint(again.view(seat), judge=judge)
            hints.append({"at": at, **msgspec.to_builtins(found)})
        again.play(token)
    return {
        "record": game.record(),
        "budget": BUDGET,
        "reviews": [
            msgspec.to_builtins(review(game, seat, budget=BUDGET).turns)
            for seat in range(options.players)
        ],
        "hints": hints,
    }


def test_the_page_reviews_and_hints_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check("reviews", [told(options) for options in TABLES], tmp_path, monkeypatch)
