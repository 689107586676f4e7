"""Opponents for people: data, what makes the weaker ones weaker, and the scale they stand on."""

import numpy as np
import pytest

from baghdad import Game, new_rng
from baghdad.bots import LEVELS, Budget, decide, make_bot
from baghdad.bots.heuristic.bot import HeuristicBot
from baghdad.bots.levels import SPREAD, TABLE
from baghdad.bots.neural.bot import NeuralBot
from baghdad.bots.neural.limits import limit_observations, new_limits
from baghdad.bots.neural.sight import new_sight, see
from baghdad.cli.names import CHARACTERS
from baghdad.rules.engine.actions import END_TURN
from baghdad.rules.engine.material import TURN
from baghdad.rules.engine.observation import FEATURES
from baghdad.rules.options import Options
from support.positions import decisions
from support.programs import load


def test_ratings_and_spread_are_what_the_ladder_has_measured() -> None:
    ladder = load("benchmarks/ladder.py")
    lines = [
        line
        for file in (ladder.OTHERS, ladder.LEDGER)
        for line in file.read_text("utf-8").splitlines()
    ]
    steps = ladder.read_steps(lines)
    assert {players for _, players in steps} == {2, 3, 4}
    ratings = ladder.scale(steps)
    assert ratings == {name: level.rating for name, level in TABLE.items()}
    assert {2: 1.0} | {
        players: ladder.spread(steps, ratings, players) for players in (3, 4)
    } == SPREAD


def test_every_character_has_names_that_nobody_else_has() -> None:
    assert list(CHARACTERS) == list(LEVELS)
    names = [name for of_a_level in CHARACTERS.values() for name in of_a_level]
    assert len(set(names)) == len(names) == 4 * len(LEVELS)


@pytest.mark.parametrize("most", [1, 2, 3])
def test_a_planner_ends_its_turn_after_so_many_actions(most: int) -> None:
    short, whole = HeuristicBot(most_actions=most), HeuristicBot()
    cut = 0
    for game in decisions(Options(2), seed=7, steps=300, every=5):
        seat = game.to_move
        assert seat is not None
        view, legal = game.view(seat), game.legal()
        mine, planned = (
            decide(each, view, legal, Budget(), new_rng("short")) for each in (short, whole)
        )
        if view.fields.phase != TURN or len(planned) <= most:
            assert mine == planned
        else:
            assert mine == [*planned[:most], END_TURN]
            cut += 1
        for action in mine:
            game.play(action)
    assert cut > 0


def observed(players: int) -> tuple[np.ndarray, list[int]]:
    """An observation in the middle of a game, and the columns of rivals' hands."""
    game = Game(players, seed=3)
    while game.turns < 6:
        game.play(game.legal()[-1])
    sight = new_sight(1)
    see(game.state, 0, sight)
    hands = [
        place
        for place, name in enumerate(FEATURES)
        if name.endswith("+: cards in hand") and not name.startswith("seat :")
    ]
    return sight.observations, hands


@pytest.mark.parametrize("players", [2, 3, 4])
def test_what_is_limited_is_shown_within_limits_and_nothing_else_changes(players: int) -> None:
    before, hands = observed(players)
    after = before.copy()
    limit_observations(after, new_limits({"cards in hand": (6, 6)}))
    assert after[0, hands].tolist() == [6] * (players - 1) + [0] * (4 - players)
    others = np.delete(np.arange(len(FEATURES)), hands)
    assert (after[0, others] == before[0, others]).all()


def test_without_limits_a_network_is_shown_everything() -> None:
    before, _ = observed(2)
    after = before.copy()
    limit_observations(after, new_limits({}))
    assert (after == before).all()


def test_whoever_is_shown_less_chooses_otherwise_somewhere() -> None:
    """The network is the same: it is what they are shown that makes them choose otherwise."""
    dalila, duban = make_bot("dalila"), make_bot("duban")
    assert isinstance(dalila, NeuralBot)
    differ = 0
    for game in decisions(Options(2), seed=9, steps=200, every=7):
        seat = game.to_move
        assert seat is not None
        chosen = [
            list(decide(each, game.view(seat), game.legal(), Budget(), new_rng("hands")))
            for each in (dalila, duban)
        ]
        differ += chosen[0] != chosen[1]
    assert differ > 0
