"""Chances of all seats over a game: who may know what, and where it turned."""

import re
from itertools import pairwise

import numpy as np
import pytest

from baghdad import Game, Options
from baghdad.analysis import TurningPoint, UnfinishedGameError, luck, win_chances
from baghdad.analysis.chances_page import APART, HEIGHT, section
from baghdad.analysis.engine.ledger import DECIDED, DRAWN, MOST_TURNING_POINTS, TURNS_AT
from baghdad.analysis.moments import Told, looked_at, seen_by_each, steps_of, taken_apart, turned
from baghdad.bots import Budget, make_bot
from baghdad.bots.playing import play_to_end
from baghdad.jit.compiler import COMPILED
from baghdad.rules.engine.dealer import new_rng
from baghdad.rules.engine.material import DEALING
from baghdad.rules.engine.state import STATE, States
from support.played import random_game
from support.positions import TABLES

pytestmark = pytest.mark.skipif(not COMPILED, reason="networks need compiled rules")


@pytest.fixture(scope="module")
def game() -> Game:
    bots = [make_bot("ali") for _ in range(3)]
    return play_to_end(Game(players=3, seed="chances"), bots, "chances", Budget())


@pytest.mark.parametrize("options", TABLES, ids=str)
def test_there_is_a_moment_before_each_token_and_one_at_the_end(options: Options) -> None:
    game = random_game(options, 3, 12)
    moments = win_chances(game).moments
    assert [moment.at for moment in moments] == list(range(len(game.tokens) + 1))
    for moment in moments:
        assert sum(moment.open) == pytest.approx(1, abs=1e-12)
        assert len(moment.eyes) == 4
        absent = moment.open[options.players : 4] + moment.eyes[options.players :]
        assert set(absent) <= {0.0}
    assert moments[-1].open == (0, 0, 0, 0, 1)
    assert moments[-1].eyes == (0, 0, 0, 0)


def test_the_same_record_has_the_same_chances(game: Game) -> None:
    assert win_chances(game) == win_chances(game.record())


def hidden_from(seat: int, states: States) -> States:
    """The same positions with other cards where this seat sees none."""
    others = states.copy()
    for place in range(len(states)):
        view = Game.from_state(states[place]).view(seat)
        others[place] = view.determinize(new_rng("hidden", place))
    return others


def test_what_a_seat_cannot_see_changes_nothing_in_its_eyes(game: Game) -> None:
    states = taken_apart(game).states
    whole = states[~((states["phase"] == DEALING) & (states["seat"] > 0))]
    for seat in range(3):
        others = hidden_from(seat, whole)
        assert (others["hands"] != whole["hands"]).any(axis=(1, 2)).sum() > 20
        now, then = seen_by_each(others)[:, seat], seen_by_each(whole)[:, seat]
        assert now.tobytes() == then.tobytes()
        assert (looked_at(others) != looked_at(whole)).any()


def test_while_hands_are_dealt_chances_are_those_of_what_may_come(game: Game) -> None:
    """Networks have never seen a position in which some have their hands and others don't."""
    states = taken_apart(game).states
    dealing = np.flatnonzero(states["phase"] == DEALING)
    assert len(dealing) == 3
    before, *between = (looked_at(states)[place] for place in dealing)
    for each in between:
        assert np.abs(each - before).max() < 0.25
    assert np.abs(looked_at(states[dealing[1:]]) - between).max() < 1e-6


def test_turning_points_are_the_largest_changes(game: Game) -> None:
    chances = win_chances(game)
    told = taken_apart(game)
    steps = steps_of(told, np.array([moment.open for moment in chances.moments]))
    largest = sorted((np.abs(step.worth[:4]).max() for step in steps), reverse=True)
    expected = [each for each in largest if each >= TURNS_AT][:MOST_TURNING_POINTS]
    found = [np.abs(point.change[:4]).max() for point in chances.turning_points]
    assert len(found) > 2
    assert found == pytest.approx(expected)
    for point in chances.turning_points:
        check_cause(game, point)
        moved = np.subtract(chances.moments[point.until].open, chances.moments[point.at].open)
        assert point.change == pytest.approx(moved)


def check_cause(game: Game, point: TurningPoint) -> None:
    tokens = game.tokens[point.at : point.until]
    assert point.drawn == all(token[0] == "=" for token in tokens)
    again = Game.with_options(game.options)
    for token in game.tokens[: point.at]:
        again.play(token)
    assert int(again.state.seat) == point.seat
    assert point.number == again.turns + 1


def test_steps_are_whole_turns_and_draws(game: Game) -> None:
    told = taken_apart(game)
    steps = steps_of(told, looked_at(told.states))
    assert steps[0].at == 0
    assert steps[-1].until == len(game.tokens)
    for one, other in pairwise(steps):
        assert one.until == other.at
        assert (one.kind, one.seat) != (other.kind, other.seat) or one.kind == DRAWN
    drawn = [game.tokens[step.at] for step in steps if step.kind == DRAWN]
    assert drawn == [token for token in game.tokens if token[0] == "="]


def test_few_changes_are_no_turning_points() -> None:
    """Five at most, none under ten points, the first of equals first."""
    count = 9
    values = np.zeros((count + 1, 5))
    values[1:, 0] = np.cumsum([0.05, -0.2, 0.3, 0.09, -0.1, 0.2, -0.12, 0.11, 0.15])
    told = Told(
        np.zeros(count + 1, STATE),
        np.array([DECIDED, DRAWN] * count, np.int8)[:count],
        np.zeros(count, np.int8),
    )

    found = [point.at for point in turned(told, values)]
    assert found == [2, 1, 5, 8, 6]


def test_a_game_that_goes_on_has_no_chances_to_tell() -> None:
    running = Game(players=2, seed="running")
    with pytest.raises(UnfinishedGameError):
        win_chances(running)
    with pytest.raises(UnfinishedGameError):
        win_chances(running.record())


def test_the_picture_names_every_seat_and_keeps_the_numbers_apart(game: Game) -> None:
    """Two lose: their lines end at the same place."""
    page = section(win_chances(game), luck(game), 3, None, "en")
    found = re.findall(r'class="seat" x="[\d.]+" y="([\d.]+)">(\d)<', page)
    assert [int(seat) for _, seat in found] == [1, 2, 3]
    places = sorted(float(place) for place, _ in found)
    assert all(below - above >= APART - 0.2 for above, below in pairwise(places))
    assert places[0] > 0
    assert places[-1] <= HEIGHT
    assert page.count("<polyline") == 3
    assert page.count("<circle") == len(win_chances(game).turning_points)
