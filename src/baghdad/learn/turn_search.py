"""Searched turns to learn from: expert iteration (Anthony et al., 2017) by whole turns.

In positions of the learner's own games many turns are sampled from the policy; equal ones are
merged. Every turn is evaluated with the same continuations: the same cards to come, all seats
playing on by the policy until the seat is to move again, where the network evaluates. What a turn
gains over the others of its position is the advantage of each of its decisions: learned from as in
self-play, but measured, not taken from the one game that happened to be played.

Hands are not determinized. Over many positions they are as they are in such play; sampled anew they
would be anybody's, and the learner would prepare for weaker opponents than it has. The policy that
learns from it sees its own cards alone, as ever.
"""

from typing import NamedTuple

import torch
from torch import Tensor

from baghdad.bots.expert.machine import MAX_ACTIONS
from baghdad.bots.neural.network import NOBODY
from baghdad.bots.neural.sight import OUTCOMES
from baghdad.rules.engine.material import OVER

from .batch_engine import BatchEngine, EvaluateFn, state_field
from .config import Config
from .playout import play_turns, play_until_turn
from .sampling import sample


class Turns(NamedTuple):
    """Different turns of positions, each [turns, ...]; of a decision, [turns, MAX_ACTIONS, ...]."""

    positions: Tensor
    """The position that it is a turn of."""
    frequency: Tensor
    """How often it was sampled there, from 0 to 1."""
    actions: Tensor
    """-1 after the last."""
    observations: Tensor
    masks: Tensor
    log_probs: Tensor
    """Of each action, by the policy that it was sampled from."""
    end_states: Tensor
    """[turns, STATE_WORDS]: what it leads to."""


class _Decision(NamedTuple):
    """One decision of each lane in which a turn still goes on, [n, ...]."""

    lanes: Tensor
    observations: Tensor
    masks: Tensor
    actions: Tensor
    log_probs: Tensor


def distinct_turns(states: Tensor, samples: int, keep: int) -> tuple[Tensor, Tensor, Tensor]:
    """The different end states among `samples` lanes for each position, each by its first lane.

    At most `keep` of a position, the most frequent, and always the first lane's. Returns [turns]:
    position, lane, frequency. Consumes no randomness.

    >>> states = torch.tensor([[1], [2], [3], [2], [5], [5], [5], [5]], dtype=torch.int32)
    >>> [part.tolist() for part in distinct_turns(states, samples=4, keep=2)]
    [[0, 0, 1], [0, 1, 4], [0.25, 0.5, 1.0]]
    """
    device = states.device
    wide = states.long()
    spread = torch.arange(1, states.shape[1] + 1, device=device) * 0x1E3779B97F4A7C15
    mixed = (wide + spread) * 0x3F58476D1CE4E5B9
    keys = ((mixed ^ (mixed >> 29)) * 0x14D049BB133111EB).sum(1).view(-1, samples)
    keys, order = keys.sort(dim=1, stable=True)
    begins = torch.ones_like(keys, dtype=torch.bool)
    begins[:, 1:] = keys[:, 1:] != keys[:, :-1]
    group = begins.long().cumsum(1) - 1
    count = torch.zeros_like(keys).scatter_add_(1, group, torch.ones_like(keys))
    first = torch.full_like(keys, samples).scatter_reduce_(1, group, order, "amin")
    # Of two that were sampled as often, the one that was sampled first: never by their keys.
    rank = (count + samples * (first == 0)) * (samples + 1) - first
    best = rank.topk(min(keep, samples), dim=1).indices
    count, first = count.gather(1, best), first.gather(1, best)
    position, place = (count > 0).nonzero(as_tuple=True)
    lane = position * samples + first[position, place]
    by_lane = lane.argsort()
    return position[by_lane], lane[by_lane], (count[position, place] / samples)[by_lane]


class TurnSearch:
    """Searches many positions at once."""

    def __init__(self, config: Config, device: str, network: EvaluateFn) -> None:
        self.config, self.device, self._network = config, device, network
        self._engine = BatchEngine(device)

    def search(self, states: Tensor, players: Tensor) -> tuple[Turns, Tensor]:
        """Turns of these positions [n, STATE_WORDS], and the value of each [turns, OUTCOMES],
        relative to the seat to move; `players` [n] are the numbers of players. Consumes
        randomness."""
        turns = self._propose(states)
        seats = state_field(states, "seat")[turns.positions]
        return turns, self._value_of(turns, seats, players[turns.positions])

    def _evaluate(self, states: Tensor) -> tuple[Tensor, ...]:
        """Observations, masks, policy and outcome probabilities."""
        config = self.config
        return self._engine.evaluate(states, self._network, config.search_batch, config.compile)

    def _propose(self, positions: Tensor) -> Turns:
        """Sample turns in each position; the first of each is the policy's most probable one."""
        samples, device = self.config.search_samples, self.device
        states = positions.repeat_interleave(samples, 0)
        decisions: list[_Decision] = []

        def choose(_step: int, lanes: Tensor, now: Tensor) -> Tensor:
            observations, masks, policy, _ = self._evaluate(now)
            actions = sample(policy, torch.rand(len(lanes), device=device))
            actions = torch.where(lanes % samples == 0, policy.argmax(1), actions)
            log_probs = policy.gather(1, actions[:, None])[:, 0].log()
            decisions.append(_Decision(lanes, observations, masks, actions, log_probs))
            return actions

        play_turns(self._engine, states, choose)
        position, lane, frequency = distinct_turns(states, samples, self.config.search_turns)
        row = torch.full((len(states),), -1, device=device)
        row[lane] = torch.arange(len(lane), device=device)
        return self._collect(decisions, row, position, frequency, states[lane])

    def _collect(
        self,
        decisions: list[_Decision],
        row: Tensor,
        positions: Tensor,
        frequency: Tensor,
        end_states: Tensor,
    ) -> Turns:
        """The turns that are kept, out of all lanes; `row` [lanes] is where each goes, or -1."""

        def empty(like: Tensor, filled: float = 0) -> Tensor:
            size = (len(positions), MAX_ACTIONS, *like.shape[1:])
            return torch.full(size, filled, dtype=like.dtype, device=self.device)

        first = decisions[0]
        turns = Turns(
            positions=positions,
            frequency=frequency,
            actions=empty(first.actions, -1),
            observations=empty(first.observations),
            masks=empty(first.masks),
            log_probs=empty(first.log_probs),
            end_states=end_states,
        )
        for step, decision in enumerate(decisions):
            kept = row[decision.lanes] >= 0
            rows = row[decision.lanes][kept]
            turns.actions[rows, step] = decision.actions[kept]
            turns.observations[rows, step] = decision.observations[kept]
            turns.masks[rows, step] = decision.masks[kept]
            turns.log_probs[rows, step] = decision.log_probs[kept]
        return turns

    def _value_of(self, turns: Turns, seats: Tensor, players: Tensor) -> Tensor:
        """[turns, OUTCOMES]: the mean value of each turn over all continuations."""
        deals, device = self.config.search_deals, self.device
        count, positions = len(turns.positions), int(turns.positions[-1]) + 1
        # All turns of a position meet the same cards to come, and the same random numbers.
        seeds = torch.randint(1 << 32, (positions, deals, 4), device=device)
        uniforms = torch.rand(4 * MAX_ACTIONS, positions, deals, device=device)
        position, seat, number = (
            each.repeat_interleave(deals) for each in (turns.positions, seats, players)
        )
        deal = torch.arange(deals, device=device).repeat(count)
        rngs = seeds[position, deal].contiguous()
        states = turns.end_states.repeat_interleave(deals, 0)

        def choose(step: int, lanes: Tensor, now: Tensor) -> Tensor:
            chance = uniforms[step % len(uniforms), position[lanes], deal[lanes]]
            return sample(self._evaluate(now)[2], chance)

        play_until_turn(self._engine, states, seat, rngs, choose)
        values = torch.zeros(len(states), OUTCOMES, device=device)
        over = state_field(states, "phase") == OVER
        finished, running = over.nonzero()[:, 0], (~over).nonzero()[:, 0]
        winner = state_field(states, "winner")[finished].long()
        relative = (winner - seat[finished]) % number[finished]
        values[finished, torch.where(winner < 0, NOBODY, relative)] = 1
        if len(running):
            values[running] = self._evaluate(states[running])[3]
        return values.view(count, deals, OUTCOMES).mean(1)
