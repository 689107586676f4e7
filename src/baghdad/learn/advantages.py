"""What a decision was worth, seat by seat.

Between two decisions of a seat others play and cards come. So a seat's decision is judged by what
the seat itself expects at its own next decision, or by the end: both times it knows at least what
it knew before, which is not so when others' expectations are asked. A win is a win, but for a
little haste: to who surely wins all decisions are as good, and it would win whenever it likes.

An expectation is a whole distribution over outcomes, from the seat's own chair: the first number
is its own chance to win.
"""

import torch
from torch import Tensor


def frames(players: Tensor) -> Tensor:
    """[games] → [games, 4, 5]: for each seat, the seats as it counts them; nobody comes last.

    >>> frames(torch.tensor([3]))[0, 1].tolist()
    [1, 2, 0, 3, 4]
    """
    place = torch.arange(4, device=players.device)
    seats = place[None, :, None] + place[None, None, :]
    count = players.long()[:, None, None]
    turned = torch.where(place[None, None, :] < count, seats % count, place[None, None, :])
    nobody = torch.full_like(turned[..., :1], 4)
    return torch.cat([turned, nobody], 2)


def judge(
    expected: Tensor,
    seats: Tensor,
    chosen: Tensor,
    over: Tensor,
    results: Tensor,
    last_expected: Tensor,
    last_seats: Tensor,
    trace: float,
    haste: float = 0.0,
) -> tuple[Tensor, Tensor]:
    """How much better every decision went than expected, and which decisions that is known of.

    expected [t, games, n]: what the seat that decides expects; any numbers, from its chair
    seats [t, games]: who decides
    chosen [t, games]: whether the learner did, by its own policy
    over [t, games]: whether the game was over after it
    results [t, games, 4, n]: what came of it then, for each seat from its chair
    last_expected, last_seats [games, n], [games]: the same at the decision that comes next
    trace: of a seat's later surprises, how much counts for each decision further away
    haste: how likely it is thought between two turns that nobody will win

    Returns [t, games, n] and [t, games]. A seat's last decision before the end of the excerpt is
    not judged, unless the game ends or the seat is the next to decide: how it went is not known.
    """
    steps, games, numbers = expected.shape
    rows = torch.arange(games, device=seats.device)
    seats, last_seats = seats.long(), last_seats.long()
    ahead = torch.zeros(games, 4, numbers, device=seats.device)
    surprise = torch.zeros_like(ahead)
    known = torch.zeros(games, 4, dtype=torch.bool, device=seats.device)
    ahead[rows, last_seats] = last_expected
    known.scatter_(1, last_seats[:, None], True)
    surprises = torch.zeros_like(expected)
    judged = torch.zeros_like(chosen)
    next_seat = last_seats
    for step in reversed(range(steps)):
        ends = over[step][:, None]
        ahead = torch.where(ends[..., None], results[step], ahead)
        surprise = torch.where(ends[..., None], 0.0, surprise)
        known = known | ends
        seat = seats[step]
        judged[step] = known[rows, seat] & chosen[step]
        later = ahead[rows, seat]
        turn_over = (seat != next_seat)[:, None] & ~ends
        later = torch.where(turn_over, fade(later, haste), later)
        now = later - expected[step] + trace * surprise[rows, seat]
        # What others decided, or chance, says nothing about the policy; the trace is cut there.
        surprises[step] = torch.where(judged[step][:, None], now, 0.0)
        ahead[rows, seat] = expected[step]
        surprise[rows, seat] = surprises[step]
        known.scatter_(1, seat[:, None], True)
        next_seat = seat
    return surprises, judged


def fade(expected: Tensor, haste: float) -> Tensor:
    """The same a turn earlier, if nobody may win with the likelihood of `haste`. Numbers after the
    five outcomes stay.

    >>> fade(torch.tensor([1.0, 0.0, 0.0, 0.0, 0.0, 7.0]), 0.25).tolist()
    [0.75, 0.0, 0.0, 0.0, 0.25, 7.0]
    """
    if not haste:
        return expected
    won, nobody, more = expected.split([4, 1, expected.shape[-1] - 5], -1)
    return torch.cat([won * (1 - haste), nobody * (1 - haste) + haste, more], -1)


def outcomes(rewards: Tensor, frame: Tensor) -> Tensor:
    """[games, 4] → [games, 4, 5]: who has won, told to each seat from its chair; or nobody."""
    won = (rewards > 0).float()
    by_seat = torch.cat([won, 1 - won.sum(1, keepdim=True)], 1)
    return by_seat[:, None].expand(-1, 4, -1).gather(2, frame)
