"""The page looks through games as the library does: the same records, in Node."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from baghdad import Game, Options
from baghdad.analysis import luck, win_chances
from baghdad.bots import Budget, make_bot
from baghdad.bots.playing import play_to_end
from baghdad.jit.compiler import COMPILED
from support.same import check

pytestmark = pytest.mark.skipif(not COMPILED, reason="networks need compiled rules")

TABLES = [
    (Options(2), 200),
    (Options(3, spare="chosen"), 6),
    (Options(4, "neutral", hands="seen"), 4),
]


def told(options: Options, turns: int) -> dict[str, Any]:
    game = Game.with_options(options, seed="same")
    bots = [make_bot("kasim") for _ in range(options.players)]
    play_to_end(game, bots, "same", Budget(), turns)
    if game.termination == "turn limit":
        game = Game.from_record(game.record().replace("turn limit", "agreed"))
    return looked_through(game)


def looked_through(game: Game) -> dict[str, Any]:
    return {
        "record": game.record(),
        "moments": msgspec.to_builtins(win_chances(game).moments),
        "ledger": msgspec.to_builtins(luck(game)),
    }


def given_up() -> dict[str, Any]:
    """While hands are dealt."""
    game = Game(players=2)
    for token in "RRGGWWPP":
        game.play(f"@{token}")
    game.deal("hand")
    game.resign(0)
    return looked_through(game)


def test_the_page_has_the_same_chances_and_luck(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = [*(told(*table) for table in TABLES), given_up()]
    check("chances", games, tmp_path, monkeypatch)
