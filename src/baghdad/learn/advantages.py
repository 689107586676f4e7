"""Advantages: how much better a decision went than expected, seat by seat.

Generalized advantage estimation (GAE; Schulman et al., 2016, "High-Dimensional Continuous Control
Using Generalized Advantage Estimation"), with two changes for a game of several players:

Between two decisions of a seat others play and cards are drawn. So a seat's decision is compared
with the seat's own value at its own next decision, or with the result of the game. At both moments
the seat knows at least what it knew before; other seats' values would be biased, since they do not
know its cards.

A value is a whole distribution over outcomes, relative to the seat: the first number is its own
chance to win, the last of the five that nobody wins. The discount applies once between two turns
and moves a little of every chance to win to "nobody": without it a player that is sure to win has
no reason to win soon.
"""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor


class Trajectory(NamedTuple):
    """Consecutive decisions of every game; t decisions, n numbers in a value."""

    values: Tensor
    """[t, games, n]: what the seat to move expects, relative to it."""
    seats: Tensor
    """[t, games]: the seat to move."""
    on_policy: Tensor
    """[t, games] bool: the learner made the decision, by its own policy."""
    done: Tensor
    """[t, games] bool: the game was over after it."""
    results: Tensor
    """[t, games, 4, n]: where it was over, the true value for each seat, relative to it."""
    next_values: Tensor
    """[games, n]: the value at the decision after the last one."""
    next_seats: Tensor
    """[games]: the seat that makes it."""


def generalized_advantages(
    trajectory: Trajectory, gae_lambda: float, discount: float = 1.0
) -> tuple[Tensor, Tensor]:
    """Advantages [t, games, n], and for which decisions they are known [t, games].

    gae_lambda: weight of the seat's later temporal differences, for each further decision of it.
    discount: the part of a chance to win that is left when a turn passes.

    A seat's last decision before the end of the trajectory has no advantage, unless the game ends
    or the same seat is next to move: how it went is not known. Consumes no randomness.
    """
    values, _, on_policy, done, results, next_values, _ = trajectory
    seats, next_seat = trajectory.seats.long(), trajectory.next_seats.long()
    steps, games, numbers = values.shape
    rows = torch.arange(games, device=seats.device)
    # By seat, as seen from the decision at hand: the value and the advantage of its next one.
    ahead = torch.zeros(games, 4, numbers, device=seats.device)
    later_advantage = torch.zeros_like(ahead)
    known = torch.zeros(games, 4, dtype=torch.bool, device=seats.device)
    ahead[rows, next_seat] = next_values
    known.scatter_(1, next_seat[:, None], True)
    advantages = torch.zeros_like(values)
    valid = torch.zeros_like(on_policy)
    for step in reversed(range(steps)):
        ends = done[step][:, None]
        ahead = torch.where(ends[..., None], results[step], ahead)
        later_advantage = torch.where(ends[..., None], 0.0, later_advantage)
        known = known | ends
        seat = seats[step]
        valid[step] = known[rows, seat] & on_policy[step]
        later = ahead[rows, seat]
        turn_over = (seat != next_seat)[:, None] & ~ends
        later = torch.where(turn_over, discounted(later, discount), later)
        advantage = later - values[step] + gae_lambda * later_advantage[rows, seat]
        # Decisions of others or of chance tell nothing about the policy; the trace is cut there.
        advantages[step] = torch.where(valid[step][:, None], advantage, 0.0)
        ahead[rows, seat] = values[step]
        later_advantage[rows, seat] = advantages[step]
        known.scatter_(1, seat[:, None], True)
        next_seat = seat
    return advantages, valid


def discounted(values: Tensor, discount: float) -> Tensor:
    """Values [..., n] one turn earlier: what chances to win lose goes to "nobody wins". Numbers
    after the five outcomes stay.

    >>> discounted(torch.tensor([1.0, 0.0, 0.0, 0.0, 0.0, 7.0]), 0.75).tolist()
    [0.75, 0.0, 0.0, 0.0, 0.25, 7.0]
    """
    if discount == 1:
        return values
    won, nobody, more = values.split([4, 1, values.shape[-1] - 5], -1)
    return torch.cat([won * discount, nobody * discount + (1 - discount), more], -1)


def relative_seats(players: Tensor) -> Tensor:
    """[games] → [games, 4, 5]: for each seat the outcomes in its own order: itself, then the seats
    after it, then nobody (4).

    >>> relative_seats(torch.tensor([3]))[0, 1].tolist()
    [1, 2, 0, 3, 4]
    """
    place = torch.arange(4, device=players.device)
    seats = place[None, :, None] + place[None, None, :]
    count = players.long()[:, None, None]
    turned = torch.where(place[None, None, :] < count, seats % count, place[None, None, :])
    nobody = torch.full_like(turned[..., :1], 4)
    return torch.cat([turned, nobody], 2)


def outcomes_by_seat(rewards: Tensor, order: Tensor) -> Tensor:
    """[games, 4] → [games, 4, 5]: for each seat, 1 for the outcome that came true, relative to it;
    `order` is of `relative_seats`."""
    won = (rewards > 0).float()
    by_seat = torch.cat([won, 1 - won.sum(1, keepdim=True)], 1)
    return by_seat[:, None].expand(-1, 4, -1).gather(2, order)


def normalize(
    advantages: Tensor, sample_weights: Tensor, players: Tensor, counts: Sequence[int]
) -> Tensor:
    """Advantages with mean 0 and variance 1 for each number of players, so that none of them counts
    more than another; all tensors are of one shape, `counts` are the numbers of players."""
    for count in counts:
        of_count = players == count
        relevant = torch.where(of_count, sample_weights, 0.0)
        total = relevant.sum().clamp(min=1e-6)
        mean = (relevant * advantages).sum() / total
        variance = (relevant * (advantages - mean).square()).sum() / total
        scaled = (advantages - mean) / (variance.sqrt() + 1e-6)
        advantages = torch.where(of_count, scaled, advantages)
    return advantages
