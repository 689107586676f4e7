"""A person's results on the scale of the levels."""

import itertools

import pytest

from baghdad.arena.rating import BEGINNER, GameWithLevels, even_level, rate_person, win_chance
from baghdad.bots import LEVELS
from baghdad.bots.levels import TABLE


def results(level: str, won: int, games: int) -> list[GameWithLevels]:
    return [GameWithLevels([level], number < won) for number in range(games)]


def test_ratings_rise_from_level_to_level() -> None:
    ratings = [TABLE[level].rating for level in LEVELS]
    assert ratings == sorted(set(ratings))


def test_without_games_somebody_is_a_beginner_and_meets_the_first_level() -> None:
    rating = rate_person([])
    assert rating.value == BEGINNER
    assert rating.low < TABLE[LEVELS[0]].rating < rating.high
    assert even_level([]) == LEVELS[0]


@pytest.mark.parametrize("level", LEVELS)
def test_many_even_games_put_somebody_beside_a_level(level: str) -> None:
    rating = rate_person(results(level, 200, 400))
    assert abs(rating.value - TABLE[level].rating) < 20
    assert rating.low < TABLE[level].rating < rating.high
    assert rating.high - rating.low < 90
    assert even_level(results(level, 200, 400)) == level


def test_more_games_make_the_interval_narrower() -> None:
    few, many = rate_person(results("ali", 3, 6)), rate_person(results("ali", 30, 60))
    assert many.high - many.low < few.high - few.low


def test_whoever_climbs_goes_step_by_step() -> None:
    for low, high in itertools.pairwise(LEVELS):
        assert even_level(results(low, 30, 30)) == high


def test_where_more_play_a_difference_decides_less() -> None:
    rating = TABLE["kasim"].rating + 400.0
    assert win_chance(rating, ["kasim"]) == pytest.approx(10 / 11)
    assert 1 / 3 < win_chance(rating, ["kasim"] * 2) < 10 / 12
    assert 1 / 4 < win_chance(rating, ["kasim"] * 3) < win_chance(rating, ["kasim"] * 2)
