"""R27 under `rob=smuggle`: with no thief in any stock nobody can ever rob, and the game is over."""

from itertools import product
from typing import Any

import numpy as np
import pytest

from baghdad import Game, Options
from baghdad.jit.compiler import COMPILED
from baghdad.rules.engine.dealer import below, deal, new_rng
from baghdad.rules.engine.legality import (
    count_legal,
    empty_rows,
    legal_rows,
    nth_legal,
)
from baghdad.rules.engine.material import (
    DEALING,
    DRAWING,
    HANDS,
    OVER,
    SPARES,
    VARIANTS,
)
from baghdad.rules.engine.steps import play
from baghdad.rules.notation import read_records
from baghdad.rules.setup import new_states
from support.make_data import DATA
from support.naive import NaiveGame

THIEVES = 12


def in_stock(position: dict[str, Any]) -> int:
    """How many thieves are in all stocks together: those that are in no courtyard."""
    seats = len(position["hands"])
    return THIEVES * seats - sum(sum(thieves) for thieves in position["thieves"].values())


@pytest.mark.parametrize("players", [2, 3, 4])
def test_r27_a_game_with_no_thief_in_any_stock_ends_at_once(players: int) -> None:
    text = (DATA / f"{players}-dead.txt").read_text()
    assert Game.from_record(text).result == "-"
    *tokens, last = [token.text for token in read_records(text)[0].tokens]
    game, naive = Game(players, rob="smuggle"), NaiveGame(players, rob="smuggle")
    for token in tokens:
        game.play(token)
        naive.play(token)
        assert in_stock(game.position()) > 0
        assert not game.over
    assert last.startswith("+")
    assert in_stock(game.position()) == 1
    for table in (game, naive):
        table.play(last)
        position = table.position()
        assert in_stock(position) == 0
        assert (position["to_move"], position["winner"], position["legal"]) == (None, None, [])
        for token in (".", "=RGW", "-"):
            with pytest.raises(ValueError, match=r".+"):
                table.play(token)
    assert game.result == "-"
    assert game.termination is None


@pytest.mark.parametrize("players", [2, 3, 4])
def test_r27_the_same_moves_end_nothing_where_carried_thieves_rob(players: int) -> None:
    told = read_records((DATA / f"{players}-dead.txt").read_text())[0]
    game, naive = Game(players), NaiveGame(players)
    for token in told.tokens:
        game.play(token.text)
        naive.play(token.text)
    assert in_stock(game.position()) == 0
    for table in (game, naive):
        assert table.position()["to_move"] not in (None, "chance")
        table.play(".")
        assert table.position()["to_move"] == "chance"


def test_r27_a_record_of_a_dead_game_names_no_winner_and_goes_no_further() -> None:
    text = (DATA / "2-dead.txt").read_text()
    for result in ("1", "2", "*"):
        with pytest.raises(ValueError, match="Result"):
            Game.from_record(text.replace('[Result "-"]', f'[Result "{result}"]'))
    with pytest.raises(ValueError, match="over"):
        Game.from_record(f"{text} . =RGW")


@pytest.mark.skipif(not COMPILED, reason="ten thousand games need compiled code")
def test_r27_no_position_is_left_in_which_nobody_can_ever_rob() -> None:
    """Ten thousand random games under `smuggle`, all to their own end."""
    from numba import njit

    longest = 1_000_000

    @njit
    def watch(states: Any, rng: Any, rows: Any, found: Any) -> None:
        for game in range(len(states)):
            state = states[game]
            steps = 0
            while state.phase != OVER and steps < longest:
                if state.phase == DEALING or state.phase == DRAWING:
                    deal(state, rng)
                else:
                    legal_rows(state, rows)
                    play(state, nth_legal(rows, below(rng, count_legal(rows))))
                steps += 1
                dead = state.stock.sum() == 0
                found[0] += dead and state.phase != OVER
            found[1] += state.phase == OVER and state.winner >= 0
            found[2] += state.phase == OVER and state.winner < 0 and dead
            found[3] += state.phase != OVER

    all_games, all_dead = 0, 0
    for players, variant, hands, spare in product((2, 3, 4), VARIANTS, HANDS, SPARES):
        options = Options(players, variant, "smuggle", hands, spare)
        found = np.zeros(4, np.int64)
        rng = new_rng(f"{players} {variant} {hands} {spare}")
        watch(new_states(options, 420), rng, empty_rows(), found)
        left, won, dead, unfinished = map(int, found)
        assert (left, unfinished, won + dead) == (0, 0, 420)
        assert won > 0
        all_games += 420
        all_dead += dead
    assert all_games > 10_000
    assert all_dead > 5_000  # random play rarely wins before all thieves are in
