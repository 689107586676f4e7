"""`bots.neural.batch_games` in PyTorch: many games of the network at once, on the CPU or a GPU.

A GPU has room for more games than are ever open on it at once: where one ends the next begins, so
that it always has as much to do as it likes.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch import Tensor

from baghdad.bots.heuristic.match import GAME_RESULT
from baghdad.bots.neural import WEIGHTS_FILE
from baghdad.bots.neural.batch_games import GameBatch, Games
from baghdad.envs.batch import STATE_WORDS
from baghdad.rules.engine.material import OVER, TURN
from baghdad.rules.engine.state import STATE

from .batch_engine import BatchEngine, pad, state_field
from .cuda_graphs import compiled
from .export import import_network
from .sampling import mask_logits, next_uniforms, sample_at_temperatures

BATCH = {"cpu": 2048, "cuda": 32_768}
"""Positions that the network evaluates together."""
LANES = {"cpu": 2048, "cuda": 131_072}
"""Games that are open at once."""
STEPS = 8
"""Decisions of every game between two looks at which are over; waiting for a GPU takes time."""

NetworkFn = Callable[[Tensor], tuple[Tensor, Tensor]]
"""From observations to the logits of all actions, and of all outcomes."""
Lanes = dict[str, Tensor]
"""What is known of the games that are open, [lanes, ...] each: see `BatchPlayer._begin`."""


class BatchPlayer:
    """Plays batches of games with one network in all seats."""

    def __init__(self, device: str, network: NetworkFn | None = None) -> None:
        """The network that ships plays, unless another is given."""
        if device != "cpu":
            torch.cuda.init()  # PyTorch's context is the one that Numba then finds
        self.device, self._on_gpu = device, device != "cpu"
        self._engine = BatchEngine(device)
        self._network = network or import_network(WEIGHTS_FILE).to(device).eval()
        self._choose = compiled(self._choose_eager, self._on_gpu)

    def _choose_eager(
        self, observations: Tensor, masks: Tensor, temperatures: Tensor, uniforms: Tensor
    ) -> Tensor:
        """[n]: an action for each observation, at a temperature of its own."""
        with torch.autocast(self.device, torch.float16, enabled=self._on_gpu):
            logits, _ = self._network(observations)
        return sample_at_temperatures(mask_logits(logits, masks), temperatures, uniforms)

    @torch.no_grad()  # type: ignore[untyped-decorator]
    def play(self, batch: GameBatch, max_turns: int, tick: Callable[[int], object] = bool) -> Games:
        """As `bots.neural.batch_games.play_batch`; `tick` is given the number of games done."""
        games = np.zeros(len(batch.condition), GAME_RESULT)
        plan = self._on_device(batch)
        begun = min(LANES[self.device], len(games))
        lanes = self._begin(plan, torch.arange(begun, device=self.device))
        while len(lanes["game"]):
            for _ in range(STEPS):
                self._step(lanes, max_turns)
            over = self._over(lanes, max_turns)
            done = over.nonzero()[:, 0]
            _write({name: each[done] for name, each in lanes.items()}, games)
            tick(len(done))
            fresh = min(len(done), len(games) - begun)
            if fresh:
                new = torch.arange(begun, begun + fresh, device=self.device)
                for name, each in self._begin(plan, new).items():
                    lanes[name][done[:fresh]] = each
                begun += fresh
            if fresh < len(done):
                over[done[:fresh]] = False
                lanes = {name: each[~over] for name, each in lanes.items()}
        return games

    def _on_device(self, batch: GameBatch) -> Lanes:
        starts = batch.starts.view(np.int32).reshape(-1, STATE_WORDS)
        arrays: dict[str, Any] = {
            "starts": starts,
            "temperatures": batch.temperatures.astype(np.float32),
            "redraws": batch.redraws.astype(np.int64),
            "card_rngs": batch.card_rngs,
            "policy_rngs": batch.policy_rngs,
            "condition": batch.condition.astype(np.int64),
            "deal": batch.deal.astype(np.int64),
        }
        return {name: torch.tensor(array, device=self.device) for name, array in arrays.items()}

    def _begin(self, plan: Lanes, games: Tensor) -> Lanes:
        """The lanes of games that begin."""
        condition, deal = plan["condition"][games], plan["deal"][games]
        redraw = plan["redraws"][condition]
        lanes = {
            "game": games,
            "states": plan["starts"][condition],
            "temperatures": plan["temperatures"][condition],
            "card_rngs": plan["card_rngs"][0, deal],
            "redraw_rngs": plan["card_rngs"][redraw, deal],
            "awaits_redraw": redraw > 0,
            "policy_rngs": plan["policy_rngs"][redraw, deal],
            "first": torch.full_like(games, -1, dtype=torch.int8),
            "behind": torch.zeros(len(games), 4, dtype=torch.int8, device=self.device),
        }
        self._engine.apply(lanes["states"], torch.full_like(games, -1), lanes["card_rngs"])
        return lanes

    def _over(self, lanes: Lanes, max_turns: int) -> Tensor:
        states = lanes["states"]
        return (state_field(states, "phase") == OVER) | (state_field(states, "turn") >= max_turns)

    def _step(self, lanes: Lanes, max_turns: int) -> None:
        """A decision of every game that is not over, the cards after it, and notes of both. The
        generators of the games advance."""
        states = lanes["states"]
        over = self._over(lanes, max_turns)
        seats = state_field(states, "seat").long()[:, None]
        temperatures = lanes["temperatures"].gather(1, seats)[:, 0]
        uniforms = next_uniforms(lanes["policy_rngs"], (temperatures > 0) & ~over)
        actions = torch.where(over, -1, self._actions(states, temperatures, uniforms))
        # Only when a turn has begun are all first hands dealt.
        now = lanes["awaits_redraw"] & (state_field(states, "phase") == TURN)
        lanes["card_rngs"] = torch.where(now[:, None], lanes["redraw_rngs"], lanes["card_rngs"])
        lanes["awaits_redraw"] = lanes["awaits_redraw"] & ~now
        self._engine.apply(states, actions, lanes["card_rngs"])
        loot = state_field(states, "loot")
        most, leader = loot.max(1)
        nobody_yet = (lanes["first"] < 0) & (most > 0)
        lanes["first"] = torch.where(nobody_yet, leader.to(torch.int8), lanes["first"])
        lanes["behind"] = torch.maximum(lanes["behind"], most[:, None] - loot)

    def _actions(self, states: Tensor, temperatures: Tensor, uniforms: Tensor) -> Tensor:
        """[lanes]; code is compiled for one size, so the last batch is filled up."""
        size, chosen = BATCH[self.device], []
        for first in range(0, len(states), size):
            part = slice(first, first + size)
            observations, masks = self._engine.observe(states[part])
            given = [observations, masks, temperatures[part], uniforms[part]]
            if self._on_gpu:
                given = pad(given, size)
            chosen.append(self._choose(*given)[: len(observations)].clone())
        return torch.cat(chosen)


def _write(lanes: Lanes, games: Games) -> None:
    """How these games went, in their places."""
    at = lanes["game"].cpu().numpy()
    states = lanes["states"].cpu().numpy().view(STATE)[:, 0]
    winner, behind = states["winner"], lanes["behind"].cpu().numpy()
    won = winner >= 0
    games["winner"][at], games["loot"][at] = winner, states["loot"]
    games["first"][at] = lanes["first"].cpu().numpy()
    games["turns"][at] = states["turn"] + won
    games["behind"][at] = np.where(won, behind[np.arange(len(at)), np.maximum(winner, 0)], 0)
