"""Is everything right on a device, and how fast: before a run is begun there."""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import get_args

import torch

from baghdad.bots.value.network import Sees
from baghdad.learn.batch_engine import state_field
from baghdad.learn.export import import_network

from .config import ValueConfig
from .games import PositionGames, Positions
from .rows import outcomes, rows_of, seats_at_random, seats_to_move
from .trainer import Pool, ValueTrainer

KINDS: tuple[Sees, ...] = get_args(Sees)
ROUNDS = 12
TOLERANCE = 0.02
"""Between the losses of compiled and of plain code: half precision rounds them differently."""


def check(config: ValueConfig, device: str, players: Sequence[Path]) -> dict[str, float]:
    """Raises where the device writes other rows than the CPU, or where compiled code learns from
    another loss; returns how fast everything is. Consumes randomness."""
    networks = [import_network(path).to(device).eval() for path in players]
    games = PositionGames(config, device, networks, "check")
    games.play(4 * config.decisions)
    states = games.states
    for sees in KINDS:
        same_rows(states, sees)
    winners = torch.randint(2, (len(states),), device=device)
    size = min(config.minibatch, len(states))
    found = {}
    pool = Pool(config.pool, device)
    nothing = torch.zeros(len(states), device=device)
    pool.add(Positions(states, winners, nothing, nothing.long(), nothing.long()))
    for sees in KINDS:
        trainer = ValueTrainer(replace(config, minibatch=size), device, sees)
        same_loss(trainer, *pool.sample(size))
        step = partial(learn, trainer, pool, size)
        per_round(step, device)  # what is compiled and recorded first is not counted
        found[f"{sees}, learned from"] = size / per_round(step, device)
    found["decisions played"] = (
        config.games * config.decisions / per_round(lambda: games.play(config.decisions), device, 4)
    )
    return found


def learn(trainer: ValueTrainer, pool: Pool, size: int) -> None:
    trainer.update(*pool.sample(size), 0.0)


def same_rows(states: torch.Tensor, sees: Sees) -> None:
    seats = seats_to_move(states) if sees == "open" else seats_at_random(states)
    ours = rows_of(states.cpu(), seats.cpu(), sees)
    if not torch.equal(rows_of(states, seats, sees).cpu(), ours):
        raise SystemExit(f"rows ({sees}) are not the CPU's")


def same_loss(trainer: ValueTrainer, states: torch.Tensor, winners: torch.Tensor) -> None:
    winners = torch.minimum(winners, state_field(states, "players").long() - 1)
    seats = seats_to_move(states)
    rows, labels = rows_of(states, seats, trainer.sees), outcomes(states, winners, seats)
    # With gradients, as it will be learned from: code without them would be compiled besides.
    one, other = (float(loss(rows, labels).detach()) for loss in (trainer.loss, trainer.plain_loss))
    if not abs(one - other) < TOLERANCE:
        raise SystemExit(f"compiled code finds a loss of {one}, plain code one of {other}")


def per_round(work: Callable[[], object], device: str, rounds: int = ROUNDS) -> float:
    """Seconds that a round of work takes, on average."""
    wait = torch.cuda.synchronize if device != "cpu" else bool
    wait()
    began = time.perf_counter()
    for _ in range(rounds):
        work()
    wait()
    return (time.perf_counter() - began) / rounds
