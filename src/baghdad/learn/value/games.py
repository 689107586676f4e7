"""Positions of all moments, out of many games of many kinds of players, and how those games ended.

Of every game a few positions are kept, evenly out of all its moments (reservoir sampling; Vitter,
1985): before and after cards are drawn, in the middle of a turn, while guards are placed and hands
are dealt. When it is over they get their label: who has won.
"""

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from baghdad.envs.batch import STATE_WORDS
from baghdad.envs.vector import new_rngs, start_states
from baghdad.learn.batch_engine import BatchEngine, state_field
from baghdad.learn.cuda_graphs import CudaGraph, compiled
from baghdad.learn.network import PolicyNetwork, evaluate
from baghdad.learn.sampling import mask_logits, sample_at_temperatures
from baghdad.learn.scripted import SCRIPTS, script_logits
from baghdad.rules.engine.material import DEALING, DRAWING, OVER

from .config import ValueConfig

MIXED = -1
"""The level of a game whose players are not all of one."""


class Positions(NamedTuple):
    """Positions of finished games, [n, ...]."""

    states: Tensor
    """[n, STATE_WORDS] int32."""
    winners: Tensor
    """[n]: the seat, or -1."""
    moments: Tensor
    """[n]: how far the game was, from 0 to 1."""
    levels: Tensor
    """[n]: the place of the level that all players had, those of the second network after those
    of the first; or `MIXED`."""
    games: Tensor
    """[n]: which game a position is of."""


class PositionGames:
    """Many games side by side: where one is over, and its positions are taken, the next begins."""

    def __init__(
        self, config: ValueConfig, device: str, networks: Sequence[PolicyNetwork], seed: str
    ) -> None:
        """Games of the first network, or of the first and one of the others: equally many of each.
        Consumes PyTorch's randomness; `seed` decides the cards."""
        self.config, self.device = config, device
        self._engine = BatchEngine(device)
        self._pairs = [[networks[0]], *([networks[0], other] for other in networks[1:])]
        count, on_gpu = config.games, device != "cpu"
        starts = start_states(config.options).view(np.int32).reshape(-1, STATE_WORDS)
        self._starts = torch.tensor(starts, device=device)
        lanes = torch.arange(count, device=device)
        self._condition = lanes // len(self._pairs) % len(starts)
        self._pair = lanes * len(self._pairs) // count
        self._pair_size = torch.tensor([len(pair) for pair in self._pairs], device=device)
        self._temperatures = torch.tensor(config.temperatures, device=device)
        self._scripts = torch.stack([script_logits(name) for name in SCRIPTS]).to(device)
        self._rngs = torch.tensor(new_rngs(seed, count), device=device)
        self._states = self._starts[self._condition]
        kept = count, config.positions
        self._kept = torch.zeros(*kept, STATE_WORDS, dtype=torch.int32, device=device)
        self._kept_at = torch.zeros(kept, dtype=torch.int32, device=device)
        self._moments = torch.zeros(count, dtype=torch.int64, device=device)
        self._temperature = torch.zeros(count, 4, device=device)
        self._script = torch.zeros(count, 4, dtype=torch.int64, device=device)
        self._network = torch.zeros(count, 4, dtype=torch.int64, device=device)
        self._level = torch.zeros(count, dtype=torch.int64, device=device)
        self._game = lanes.clone()
        self._begun = 0
        self._bfloat16 = config.bfloat16 and on_gpu
        self._choose = compiled(self._choose_eager, config.compile and on_gpu)
        self._decide = CudaGraph(self._decide_eager, config.compile and on_gpu)
        self.finished = self.left_out = 0
        """Games over, and games that were not at the limit of turns."""
        self._begin(torch.ones(count, dtype=torch.bool, device=device))

    @torch.no_grad()  # type: ignore[untyped-decorator]
    def play(self, decisions: int) -> None:
        """Play this many decisions of every game that is not over. Consumes randomness."""
        for _ in range(decisions):
            states = self._states
            over = self._over()
            observations, masks = self._engine.observe(states)
            seat = state_field(states, "seat").long()[:, None]
            uniforms = torch.rand(len(states), device=self.device)
            players = [
                each.gather(1, seat)[:, 0]
                for each in (self._network, self._script, self._temperature)
            ]
            actions = self._decide(observations, masks, *players, uniforms)
            self._engine.apply(states, torch.where(over, -1, actions), None)
            phase = state_field(states, "phase")
            self._keep(~over & ((phase == DRAWING) | (phase == DEALING)))
            self._deal()
            self._keep(~over & (state_field(states, "phase") != OVER))

    @torch.no_grad()  # type: ignore[untyped-decorator]
    def take(self, begin: bool = True) -> Positions:
        """The positions of all games that are over; others begin in their place, if asked for.
        Consumes randomness."""
        won_or_still = state_field(self._states, "phase") == OVER
        over = self._over()
        done = (won_or_still & (self._moments > 0)).nonzero()[:, 0]
        self.finished += len(done)
        self.left_out += int((over & ~won_or_still).sum())
        kept = self._moments[done].clamp(max=self.config.positions)
        places = torch.arange(self.config.positions, device=self.device)
        game, place = (places < kept[:, None]).nonzero(as_tuple=True)
        lane = done[game]
        found = Positions(
            states=self._kept[lane, place],
            winners=state_field(self._states, "winner")[lane].long(),
            moments=self._kept_at[lane, place] / self._moments[lane],
            levels=self._level[lane],
            games=self._game[lane],
        )
        self._moments[done] = 0
        if begin:
            self._begin(over)
        return found

    @property
    def states(self) -> Tensor:
        """[games, STATE_WORDS]: a copy of where every game is now."""
        return self._states.clone()

    @property
    def open(self) -> int:
        """Games that are not over."""
        return int((~self._over()).sum())

    def _over(self) -> Tensor:
        turns = state_field(self._states, "turn")[:]
        return (state_field(self._states, "phase") == OVER) | (turns >= self.config.max_turns)

    def _deal(self) -> None:
        nothing = torch.full((len(self._states),), -1, device=self.device)
        self._engine.apply(self._states, nothing, self._rngs)

    def _begin(self, fresh: Tensor) -> None:
        """Begin games [games] anew, with players drawn for them."""
        config, count = self.config, len(fresh)
        each = fresh[:, None]
        self._states.copy_(torch.where(each, self._starts[self._condition], self._states))
        mixed = torch.rand(count, 1, device=self.device) < config.mixed_share

        def drawn(kinds: Tensor | int) -> Tensor:
            """[games, 4]: a kind for each seat, the same for all where a game is not mixed."""
            random = torch.rand(count, 4, device=self.device)
            return (torch.where(mixed, random, random[:, :1]) * kinds).long()

        level, network = (
            drawn(len(config.temperatures)),
            drawn(self._pair_size[self._pair][:, None]),
        )
        scripted = torch.rand(count, 4, device=self.device) < config.script_share
        script = torch.where(mixed & scripted, drawn(len(self._scripts)), -1)
        common = network[:, 0] * len(config.temperatures) + level[:, 0]
        self._temperature.copy_(torch.where(each, self._temperatures[level], self._temperature))
        self._network.copy_(torch.where(each, network, self._network))
        self._script.copy_(torch.where(each, script, self._script))
        self._level.copy_(torch.where(fresh, torch.where(mixed[:, 0], MIXED, common), self._level))
        numbers = self._begun + fresh.long().cumsum(0) - 1
        self._game.copy_(torch.where(fresh, numbers, self._game))
        self._begun += int(fresh.sum())
        self._moments.masked_fill_(fresh, 0)
        self._keep(fresh)
        self._deal()
        self._keep(fresh)

    def _keep(self, wanted: Tensor) -> None:
        """Keep the positions of some games [games], each as likely as any other of its game."""
        places = self.config.positions
        self._moments += wanted
        random = (torch.rand(len(wanted), device=self.device) * self._moments).long()
        place = torch.where(self._moments <= places, self._moments - 1, random)
        kept = wanted & (place < places)
        lane = torch.arange(len(wanted), device=self.device)
        place = place.clamp(0, places - 1)
        now = torch.where(kept[:, None], self._states, self._kept[lane, place])
        self._kept[lane, place] = now
        moment = torch.where(kept, self._moments.int() - 1, self._kept_at[lane, place])
        self._kept_at[lane, place] = moment

    def _decide_eager(
        self,
        observations: Tensor,
        masks: Tensor,
        network: Tensor,
        script: Tensor,
        temperature: Tensor,
        uniforms: Tensor,
    ) -> Tensor:
        """[games]: an action of the seat to move in each."""
        parts, size = [], len(self._pairs)
        for number, pair in enumerate(self._pairs):
            first, last = (-(-at * len(masks) // size) for at in (number, number + 1))
            part = slice(first, last)
            given = masks[part], network[part], script[part], temperature[part], uniforms[part]
            parts.append(self._choose(observations[part], *given, *pair))
        return torch.cat(parts)

    def _choose_eager(
        self,
        observations: Tensor,
        masks: Tensor,
        network: Tensor,
        script: Tensor,
        temperature: Tensor,
        uniforms: Tensor,
        *pair: PolicyNetwork,
    ) -> Tensor:
        of = partial(evaluate, observations=observations, bfloat16=self._bfloat16)
        logits = of(pair[0])[0]
        for number, other in enumerate(pair[1:], 1):
            logits = torch.where((network == number)[:, None], of(other)[0], logits)
        scripted = script >= 0
        logits = torch.where(scripted[:, None], self._scripts[script.clamp(min=0)], logits)
        temperature = torch.where(scripted, 1.0, temperature)
        return sample_at_temperatures(mask_logits(logits, masks), temperature, uniforms)
