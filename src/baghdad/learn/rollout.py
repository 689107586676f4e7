"""Rollouts: all games are played on by self-play, and every decision is kept.

All seats are played by the one network, but for guests in the league's games, and for the first
decisions of some games, which are left to chance so that openings differ.
"""

from functools import partial
from typing import NamedTuple

import torch
from torch import Tensor

from baghdad.bots.neural.sight import OUTCOMES
from baghdad.rules.engine.actions import (
    ACTION_COUNT,
    END_TURN,
    PASS_CARDS,
    PASS_WITH_DANCER,
    PASSES_BY_NAME,
)
from baghdad.rules.engine.observation import (
    FEATURES,
    OBSERVATION_SIZE,
    PALACE_SIZE,
    SEATS_AT,
)

from .advantages import outcomes_by_seat, relative_seats
from .config import Config
from .cuda_graphs import CudaGraph, compiled, in_parallel_streams
from .league import League
from .network import PolicyNetwork, evaluate
from .sampling import mask_logits, sample, select
from .tensor_env import TensorEnv

WINS, PROGRESS = 0, OUTCOMES
"""Numbers of a value: the seat's own chance to win comes first; after all outcomes comes how far
the seat has come."""
VALUE_SIZE = OUTCOMES + 1
CHESTS_TAKEN = FEATURES.index("seat : chests taken")
THIEVES = slice(FEATURES.index("palace 1: thieves of the observer"), SEATS_AT, PALACE_SIZE)
"""Features of an observation: the observer's chests, and its thieves in all palaces."""
DECORRELATION_STEPS = 320
"""Decisions after which games that began together are everywhere in their course."""


class Rollout(NamedTuple):
    """What is kept of each decision, [rollout_length, games, ...]."""

    observations: Tensor
    """[..., OBSERVATION_SIZE] int8."""
    masks: Tensor
    """[..., ACTION_COUNT] bool: what was legal."""
    actions: Tensor
    log_probs: Tensor
    """Logarithms of the probabilities of these actions, by the policy that chose them."""
    values: Tensor
    """[..., VALUE_SIZE]: the probability of each outcome, relative to the seat to move; and how far
    that seat has come."""
    seats: Tensor
    """The seat to move."""
    on_policy: Tensor
    """bool: whether the learner chose the action, by its own policy."""
    done: Tensor
    """bool: whether the game was over after it."""
    results: Tensor
    """[..., 4, VALUE_SIZE]: where it was over, the true value for each seat, relative to it."""


BEFORE_THE_STEP = Rollout._fields.index("done")
"""The fields up to here are known before the action is played, the others after it."""


def new_rollout(length: int, games: int, device: str) -> Rollout:
    """An empty one."""

    def empty(*size: int, of: torch.dtype) -> Tensor:
        return torch.zeros(length, games, *size, dtype=of, device=device)

    return Rollout(
        observations=empty(OBSERVATION_SIZE, of=torch.int8),
        masks=empty(ACTION_COUNT, of=torch.bool),
        actions=empty(of=torch.int64),
        log_probs=empty(of=torch.float32),
        values=empty(VALUE_SIZE, of=torch.float32),
        seats=empty(of=torch.int8),
        on_policy=empty(of=torch.bool),
        done=empty(of=torch.bool),
        results=empty(4, VALUE_SIZE, of=torch.float32),
    )


def progress_of(observations: Tensor) -> Tensor:
    """[n]: how far the observer has come; a chest counts more than the thieves that it takes."""
    thieves = observations[:, THIEVES].sum(1)
    return 0.2 * observations[:, CHESTS_TAKEN] + 0.02 * thieves


class SelfPlay:
    """The games, who decides in them, and the rollout that they fill."""

    def __init__(
        self,
        config: Config,
        device: str,
        network: PolicyNetwork,
        seed: str,
        target: PolicyNetwork | None = None,
    ) -> None:
        """With a `target` the league is that network alone. Consumes PyTorch's randomness."""
        self.config, self.device, self.network = config, device, network
        options = config.options
        self.env = TensorEnv(options, config.games, device, seed, config.max_turns)
        counts = [options[game % len(options)].players for game in range(config.games)]
        self.players = torch.tensor(counts, device=device)
        """[games]: the number of players."""
        self._seat_order = relative_seats(self.players)
        self.league = League(config, self.players, network, target, seed)
        self.rollout = new_rollout(config.rollout_length, config.games, device)
        self.decisions = 0
        """Played in each game so far."""
        self.opening = torch.zeros(config.games, device=device)
        """[games]: decisions that are still left to chance."""
        self._draw_openings(torch.ones(config.games, dtype=torch.bool, device=device))
        self._length = torch.zeros(config.games, device=device)
        self._progress = torch.zeros(config.games, 4, device=device)
        """[games, seat]: how far each had come when it last decided."""
        self._games_done, self._decisions_done, self._unfinished = (
            torch.zeros((), device=device) for _ in range(3)
        )
        """In this rollout: games over, their decisions, and games that nobody has won."""
        self._bfloat16 = config.bfloat16 and device != "cpu"
        self._choose = compiled(self._choose_eager, config.compile)
        graphs = config.compile and device != "cpu"
        self.decide = CudaGraph(self._decide, graphs)
        self.take_stock = CudaGraph(self._take_stock, graphs)

    @torch.no_grad()  # type: ignore[untyped-decorator]
    def play(self, decisions: int) -> dict[str, Tensor]:
        """Play this many decisions of every game into the rollout, at most its length; returns
        metrics. Consumes randomness."""
        rollout = self.rollout
        self.decisions += decisions
        for count in (self._games_done, self._decisions_done, self._unfinished):
            count.zero_()
        for step in range(decisions):
            for kept, now in zip(rollout[:BEFORE_THE_STEP], self.decide(), strict=True):
                kept[step].copy_(now)
            self.env.step(rollout.actions[step])
            for kept, now in zip(rollout[BEFORE_THE_STEP:], self.take_stock(), strict=True):
                kept[step].copy_(now)
        actions, on_policy = rollout.actions[:decisions], rollout.on_policy[:decisions]
        passes = (actions == PASS_CARDS) | (actions == PASS_WITH_DANCER)
        passes |= actions >= PASSES_BY_NAME[0]
        turns = (actions == END_TURN) | passes
        games_over = self._games_done.clone()
        return {
            "games_over": games_over,
            "length": self._decisions_done / games_over.clamp(min=1),
            "unfinished": self._unfinished / games_over.clamp(min=1),
            "passes": (passes & on_policy).sum() / (turns & on_policy).sum().clamp(min=1),
        }

    @torch.no_grad()  # type: ignore[untyped-decorator]
    def next_values(self) -> Tensor:
        """[games, VALUE_SIZE]: of the decisions that come after the rollout. Consumes randomness:
        the decisions are sampled and thrown away, so that no other code has to be compiled."""
        at_random = torch.zeros(self.config.games, dtype=torch.bool, device=self.device)
        env = self.env
        values: Tensor = self._choose(self.network, env.observations, env.masks, at_random)[2]
        return values

    @torch.no_grad()  # type: ignore[untyped-decorator]
    def _decide(self) -> tuple[Tensor, ...]:
        """A decision in every game: the fields of a rollout that are known before it is played."""
        env, league = self.env, self.league
        by_chance = self.opening > 0
        guests_to_move = league.guests_to_move(env.to_move)
        on_policy = ~by_chance
        on_policy[: league.games] &= ~guests_to_move
        ours = partial(self._choose, self.network, env.observations, env.masks, by_chance)
        theirs = [partial(self.choose_as_guest, *block) for block in league.blocks]
        (actions, log_probs, values), *chosen = in_parallel_streams(self.device, [ours, *theirs])
        actions = actions.clone()
        guests_decide = guests_to_move & ~by_chance[: league.games]
        for (_, block), guest in zip(league.blocks, chosen, strict=True):
            actions[block] = torch.where(guests_decide[block], guest, actions[block])
        self._progress.scatter_(1, env.to_move.long()[:, None], values[:, PROGRESS:])
        return env.observations, env.masks, actions, log_probs, values, env.to_move, on_policy

    @torch.no_grad()  # type: ignore[untyped-decorator]
    def _take_stock(self) -> tuple[Tensor, Tensor]:
        """After a step: which games are over, and the results for each seat."""
        env, league = self.env, self.league
        done = env.done
        self._length += 1
        self._games_done += done.sum()
        self._decisions_done += torch.where(done, self._length, 0.0).sum()
        self._unfinished += (done & (env.rewards <= 0).all(1)).sum()
        self._length.masked_fill_(done, 0.0)
        self.opening -= 1
        league.count_results(done, env.rewards)
        league.assign_seats(done[: league.games])
        self._draw_openings(done)
        results = [outcomes_by_seat(env.rewards, self._seat_order), self._progress[..., None]]
        return done, torch.cat(results, 2)

    def _draw_openings(self, begins: Tensor) -> None:
        """In games [games] that begin, draw how many decisions are left to chance at first."""
        random = torch.rand(2, len(begins), device=self.device)
        count = (random[0] * self.config.opening_decisions).ceil()
        count = torch.where(random[1] < self.config.opening_share, count, 0.0)
        self.opening.copy_(torch.where(begins, count, self.opening))

    def choose_as_guest(self, guest: PolicyNetwork | Tensor, games: slice) -> Tensor:
        """[n]: the actions of a guest in its games: a network, or the logits of scripts [n,
        ACTION_COUNT]. Consumes randomness."""
        env = self.env
        if isinstance(guest, Tensor):
            uniforms = torch.rand(len(guest), device=self.device)
            return sample(mask_logits(guest, env.masks[games]).softmax(1), uniforms)
        at_random = torch.zeros_like(env.to_move[games], dtype=torch.bool)
        observations, masks = env.observations[games], env.masks[games]
        temperature = self.config.league_temperature
        actions: Tensor = self._choose(guest, observations, masks, at_random, temperature)[0]
        return actions

    def _choose_eager(
        self,
        network: PolicyNetwork,
        observations: Tensor,
        masks: Tensor,
        at_random: Tensor,
        temperature: float = 1.0,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Actions [n] by the network's policy, or any legal one where `at_random` [n]; the
        logarithms of their probabilities [n]; values [n, VALUE_SIZE].

        Consumes randomness, unless the temperature is 0: then the most probable action is chosen.
        """
        logits, outcome_logits = evaluate(network, observations, self._bfloat16)
        logits = torch.where(at_random[:, None], 0.0, logits)
        logits = mask_logits(logits, masks)
        if temperature:
            uniforms = torch.rand(len(logits), device=logits.device)
            actions = sample((logits / temperature).softmax(1), uniforms)
        else:
            actions = logits.argmax(1)
        log_probs = select(logits.log_softmax(1), actions)
        values = torch.cat([outcome_logits.softmax(1), progress_of(observations)[:, None]], 1)
        return actions, log_probs, values
