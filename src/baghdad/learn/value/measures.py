"""How good chances to win are: Brier scores and calibration, over positions of finished games.

Everything is about one seat at a time: `Judged` has an entry for every seat of every position.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import torch
from torch import Tensor

from baghdad.learn.batch_engine import state_field
from baghdad.learn.network import PolicyNetwork, evaluate
from baghdad.rules.engine.material import DEALING, DRAWING, PLACING, TURN

from .games import PositionGames, Positions
from .network import ValueNet
from .rows import rows_of, seats_to_move
from .trainer import chances

TENTHS = 10
MOMENTS = (
    "guards are placed", "hands are dealt", "a turn begins", "before a draw", "in mid-turn",
)  # fmt: skip
"""Kinds of moments: those of a phase in its place, and what comes after an action."""
IN_MID_TURN = 4
assert (PLACING, DEALING, TURN, DRAWING) == (0, 1, 2, 3)


class Judged(NamedTuple):
    """Entries [n, ...], one for every seat of every position."""

    open: Tensor
    """The seat's chance, with open hands."""
    eyes: Tensor
    """Its chance, from its own eyes."""
    others: Tensor
    """The next seat's chance, from its eyes."""
    today: Tensor
    """Its chance, as the playing network thinks whose turn it is; NaN where nobody is to move."""
    won: Tensor
    next_won: Tensor
    to_move: Tensor
    """Whether it is the seat's turn (or the seat is dealt to)."""
    third: Tensor
    """Of the game: 0, 1, 2."""
    moment: Tensor
    """The place of its kind in `MOMENTS`."""
    level: Tensor
    game: Tensor
    sums: Tensor
    """[n]: how far both networks' outcomes are from a sum of one."""


@torch.no_grad()  # type: ignore[untyped-decorator]
def judge(found: Positions, open_net: ValueNet, eyes_net: ValueNet, today: PolicyNetwork) -> Judged:
    """What the networks say of all seats of these positions, and who won. All have one number of
    players. Consumes no randomness."""
    states = found.states
    players = int(state_field(states, "players")[0])
    mover = seats_to_move(states)
    phase = state_field(states, "phase").long()
    decides = (phase == TURN) | (phase == PLACING)
    on_gpu = states.device.type != "cpu"
    of_all = chances(open_net, states, mover, on_gpu)
    of_mover = []
    for some, seats in zip(states.split(32_768), mover.split(32_768), strict=True):
        rows = rows_of(some.contiguous(), seats, "eyes")
        of_mover.append(evaluate(today, rows, on_gpu)[1].softmax(1))
    now = torch.cat(of_mover)
    row = torch.arange(len(states), device=states.device)
    acted = state_field(states, "acted") > 0
    moment = torch.where((phase == TURN) & acted, IN_MID_TURN, phase)
    parts = []
    for seat in range(players):
        looking = torch.full_like(mover, seat)
        seen = chances(eyes_net, states, looking, on_gpu)
        place = (looking - mover) % players
        parts.append(
            Judged(
                open=of_all[row, place],
                eyes=seen[:, 0],
                others=seen[:, 1],
                today=torch.where(decides, now[row, place], torch.nan),
                won=(found.winners == seat).float(),
                next_won=(found.winners == (seat + 1) % players).float(),
                to_move=place == 0,
                third=(3 * found.moments).long().clamp(max=2),
                moment=moment,
                level=found.levels,
                game=found.games,
                sums=torch.maximum((of_all.sum(1) - 1).abs(), (seen.sum(1) - 1).abs()),
            )
        )
    return Judged(*[torch.cat(each) for each in zip(*parts, strict=True)])


def play_out(games: PositionGames) -> Iterator[Positions]:
    """Play all games to their end, none begins anew; their positions, as they come."""
    games.play(1)
    while True:
        yield games.take(begin=False)
        if not games.open:
            return
        games.play(16)


def brier(chance: Tensor, won: Tensor) -> float:
    """The mean squared error of chances.

    >>> brier(torch.tensor([1.0, 0.5]), torch.tensor([1.0, 0.0]))
    0.125
    """
    return float((chance - won).square().double().mean()) if len(chance) else float("nan")


def tenths(chance: Tensor, happened: Tensor, game: Tensor) -> list[dict[str, Any]]:
    """For each tenth of chances: the mean chance, how often it came true (or the mean of what is
    compared with it), and of how many games it is.

    >>> told = tenths(torch.tensor([0.31, 0.39, 1.0]), torch.tensor([0.0, 1.0, 1.0]), torch.arange(3))
    >>> [(each["tenth"], round(each["chance"], 2), each["came"], each["games"]) for each in told]
    [(3, 0.35, 0.5, 2), (9, 1.0, 1.0, 1)]
    """  # noqa: E501
    place = (chance * TENTHS).long().clamp(0, TENTHS - 1)
    found = []
    for tenth in range(TENTHS):
        inside = place == tenth
        if bool(inside.any()):
            found.append(
                {
                    "tenth": tenth,
                    "chance": float(chance[inside].double().mean()),
                    "came": float(happened[inside].double().mean()),
                    "games": len(game[inside].unique()),
                }
            )
    return found
