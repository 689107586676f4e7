"""Chance: the generator's numbers are fixed for ever, and its cards are fair."""

import numpy as np
import pytest

from baghdad import Game, OutOfTurnError
from baghdad.rules.engine.dealer import below, new_rng, next_number


def test_the_generator_is_xoshiro128_plus_plus() -> None:
    """Its authors' first numbers from the state 1, 2, 3, 4."""
    rng = np.array([1, 2, 3, 4], np.int64)
    numbers = [int(next_number(rng)) for _ in range(10)]
    assert numbers == [
        641, 1573767, 3222811527, 3517856514, 836907274,
        4247214768, 3867114732, 1355841295, 495546011, 621204420,
    ]  # fmt: skip


def test_a_seed_gives_the_same_game_for_ever() -> None:
    game = Game(players=4, hands="seen", seed="Scheherazade")
    assert game.tokens == ("=PBBBBR", "=PRGPWRG", "=BWBPWBYR", "=PYRGWYWYG")
    again = Game(players=4, hands="seen", seed="Scheherazade")
    assert again.state.tobytes() == game.state.tobytes()


def test_streams_of_a_seed_differ() -> None:
    states = {tuple(new_rng(1, stream).tolist()) for stream in range(100)}
    assert len(states) == 100
    assert all(0 <= number < 1 << 32 for state in states for number in state)


@pytest.mark.parametrize("bound", [1, 2, 3, 7, 102, 369])
def test_every_number_below_a_bound_is_as_likely(bound: int) -> None:
    rng = new_rng("fair")
    rolls = 400 * bound
    counts = np.bincount([int(below(rng, bound)) for _ in range(rolls)], minlength=bound)
    assert len(counts) == bound
    chi_square = float(((counts - 400) ** 2 / 400).sum())
    assert chi_square < bound + 6 * (2 * bound) ** 0.5


def test_a_seeded_game_deals_by_itself_and_takes_back_whole_turns() -> None:
    game = Game(2, seed=5)
    for palace in "RGWPRGWP":
        game.play(f"@{palace}")
    assert game.to_move == 0
    before = game.state.tobytes()
    game.play("-")
    after, cards = game.state.tobytes(), game.tokens[-1]
    assert game.undo() == "-"
    assert game.state.tobytes() == before
    game.play("-")
    assert game.tokens[-1] == cards
    assert game.state.tobytes() == after


def test_a_game_without_a_seed_waits_for_chance() -> None:
    game = Game(2, hands="seen")
    assert game.due == 6
    token = game.deal("a seed")
    assert token == Game(2, hands="seen").deal("a seed")
    assert len(game.deal()) == 8
    with pytest.raises(OutOfTurnError, match="R6: no cards"):
        game.deal()


def test_nothing_to_take_back() -> None:
    for game in (Game(2), Game(2, hands="seen", seed=1)):
        with pytest.raises(OutOfTurnError, match="nothing to take back"):
            game.undo()
