"""Advantages, by hand: how much better a decision went than its seat expected."""

from typing import Any

import pytest

torch = pytest.importorskip("torch")


from baghdad.learn.advantages import (  # noqa: E402
    Trajectory,
    generalized_advantages,
    outcomes_by_seat,
    relative_seats,
)


def one_game(expected: list[float], seats: list[int]) -> tuple[Any, Any]:
    """[t, 1, 1] and [t, 1], for an excerpt of one game."""
    return torch.tensor(expected)[:, None, None], torch.tensor(seats)[:, None]


def told(what: Any) -> list[float]:
    return [round(float(number), 6) for number in what.flatten()]


def gae(gae_lambda: float, discount: float = 1.0, **trajectory: Any) -> tuple[Any, Any]:
    """Advantages, and which are known; results are nothing unless they are given."""
    values = trajectory["values"]
    done = trajectory.pop("done", torch.zeros(values.shape[:2], dtype=torch.bool))
    results = trajectory.pop("results", torch.zeros(len(values), 1, 4, values.shape[2]))
    return generalized_advantages(
        Trajectory(done=done, results=results, **trajectory), gae_lambda, discount
    )


def test_a_decision_is_compared_with_what_its_own_seat_expects_next() -> None:
    """Seats 0, 1, 1, 0 decide, then 1 would; nothing of what seat 1 expects is seat 0's."""
    values, seats = one_game([0.5, 0.3, 0.4, 0.7], [0, 1, 1, 0])
    yes, no = torch.ones(4, 1, dtype=torch.bool), torch.zeros(4, 1, dtype=torch.bool)
    advantages, valid = gae(
        0.5, values=values, seats=seats, on_policy=yes, done=no,
        next_values=torch.tensor([[0.9]]), next_seats=torch.tensor([1]),
    )  # fmt: skip
    # The last decision of seat 0 has no sequel in the excerpt: it has no advantage, cuts its trace.
    assert valid.flatten().tolist() == [True, True, True, False]
    assert told(advantages) == [0.2, 0.35, 0.5, 0.0]  # 0.35 = (0.4 - 0.3) + 0.5 * (0.9 - 0.4)


def test_the_end_is_told_to_every_seat_and_a_new_game_begins_after_it() -> None:
    """Seat 1 wins with the second decision; the third and fourth belong to another game."""
    values, seats = one_game([0.5, 0.6, 0.2, 0.1], [0, 1, 0, 0])
    yes = torch.ones(4, 1, dtype=torch.bool)
    done = torch.tensor([[False], [True], [False], [False]])
    results = torch.zeros(4, 1, 4, 1)
    results[1, 0, 1] = 1
    advantages, valid = gae(
        0.9, values=values, seats=seats, on_policy=yes, done=done, results=results,
        next_values=torch.tensor([[0.8]]), next_seats=torch.tensor([0]),
    )  # fmt: skip
    assert valid.all()
    assert told(advantages) == [-0.5, 0.4, 0.53, 0.7]  # 0.53 = (0.1 - 0.2) + 0.9 * 0.7


def test_what_others_or_chance_decided_has_no_advantage_and_cuts_the_trace() -> None:
    values, seats = one_game([0.5, 0.6, 0.7], [0, 0, 0])
    on_policy = torch.tensor([[True], [False], [True]])
    advantages, valid = gae(
        1.0, values=values, seats=seats, on_policy=on_policy,
        next_values=torch.tensor([[1.0]]), next_seats=torch.tensor([0]),
    )  # fmt: skip
    assert valid.flatten().tolist() == [True, False, True]
    assert told(advantages) == [0.1, 0.0, 0.3]


def test_with_a_discount_a_sure_win_is_better_this_turn_than_the_next() -> None:
    """Seat 0 decides, seat 1 does, then seat 0 twice and wins: only the first put it off."""
    sure = torch.tensor([1.0, 0.0, 0.0, 0.0, 0.0, 0.5]).expand(4, 1, -1)
    seats, yes = torch.tensor([[0], [1], [0], [0]]), torch.ones(4, 1, dtype=torch.bool)
    done = torch.tensor([[False], [False], [False], [True]])
    results = sure[0].expand(4, 1, 4, -1)
    advantages, _ = gae(
        0.5, 0.9, values=sure, seats=seats, on_policy=yes, done=done, results=results,
        next_values=torch.zeros(1, 6), next_seats=torch.tensor([0]),
    )  # fmt: skip
    assert told(advantages[[0, 2, 3], :, 0]) == [-0.1, 0.0, 0.0]
    assert told(advantages[[0, 2, 3], :, 4]) == [0.1, 0.0, 0.0]  # nobody
    assert told(advantages[[0, 2, 3], :, 5]) == [0.0, 0.0, 0.0]  # how far it is, is no outcome


def test_the_winner_is_told_from_every_chair() -> None:
    players = torch.tensor([2, 3, 4, 4])
    rewards = torch.tensor(
        [[1, -1, 0, 0], [-0.5, -0.5, 1, 0], [-1 / 3, 1, -1 / 3, -1 / 3], [0, 0, 0, 0]]
    )
    who = outcomes_by_seat(rewards, relative_seats(players)).argmax(2)
    assert who[0, :2].tolist() == [0, 1]
    assert who[1, :3].tolist() == [2, 1, 0]
    assert who[2].tolist() == [1, 0, 3, 2]
    assert who[3].tolist() == [4, 4, 4, 4]  # nobody
