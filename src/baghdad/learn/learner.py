"""Learning by self-play: an iteration is a rollout, its advantages, and an update of the network.

In the last part of a run, where the configuration says so, iterations learn from searched turns
instead (expert iteration; Anthony et al., 2017).
"""

import math
from random import Random

import torch
from torch import Tensor

from baghdad.bots.neural.sight import OUTCOMES

from .advantages import Trajectory, generalized_advantages, normalize
from .config import Config
from .cuda_graphs import CudaGraph, compiled
from .league import League, StateDict, snapshot
from .network import PolicyNetwork, evaluate
from .rollout import DECORRELATION_STEPS, PROGRESS, WINS, SelfPlay
from .sampling import mask_logits
from .turn_search import TurnSearch
from .update import Batch, Updater

MIN_RATE_SCALE = 0.01
"""The learning rate is not scaled down further than that after an update that went too far."""


class Learner:
    """A network, its games, and what it takes to improve it."""

    def __init__(
        self,
        config: Config,
        device: str,
        *,
        target: PolicyNetwork | None = None,
        network: PolicyNetwork | None = None,
        games_seed: str = "",
    ) -> None:
        """Begins with `network`, or a new one; with a `target` it learns to beat that alone. Sets
        PyTorch's seed: the configuration's decides the weights, and with `games_seed` the rest."""
        seed = f"{config.seed} {games_seed}"
        torch.manual_seed(config.seed)
        self.config, self.device = config, device
        self.network = (network or PolicyNetwork(config.shape)).to(device)
        torch.manual_seed(Random(seed).getrandbits(32))
        self.average = snapshot(self.network)
        """The mean of late selves, which ships."""
        self.steps, self.iterations = 0, 0
        """Decisions learned from, and updates made, in the whole run."""
        self.entropy_coefficient = config.entropy_coefficient
        self.learning_rate_scale = self.max_learning_rate_scale = 1.0
        """Of the planned learning rate, how much is used, and how much may be."""
        self.updater = Updater(config, device, self.network)
        self.self_play = SelfPlay(config, device, self.network, seed, target)
        graphs = config.compile and device != "cpu"
        self.rollout_batch = CudaGraph(self._rollout_batch, graphs)
        self._bfloat16 = config.bfloat16 and device != "cpu"
        evaluate_turns = CudaGraph(compiled(self.evaluate, config.compile), graphs)
        self.turn_search = TurnSearch(config, device, evaluate_turns)

    @property
    def league(self) -> League:
        return self.self_play.league

    def iterate(self, progress: float) -> dict[str, float]:
        """One iteration; `progress` is how far the run is, from 0 to 1. Returns metrics.

        Raises `FloatingPointError` where one of them is not finite. Consumes randomness.
        """
        config, play = self.config, self.self_play
        progress = min(max(progress, 0.0), 1.0)
        rate = _annealed(config.learning_rate, config.final_learning_rate, progress)
        rate *= self.learning_rate_scale
        self.updater.set_learning_rate(rate)
        shaping = config.shaping * max(0.0, 1 - progress / max(config.shaping_until, 1e-9))
        searches = progress >= 1 - config.search_share
        resumed = self.steps > 0 and not play.decisions
        if searches or resumed:
            # All games have just begun: the next iterations would be of openings alone.
            while play.decisions < DECORRELATION_STEPS:
                play.play(config.rollout_length)
        if searches:
            figures = play.play(min(config.search_rollout_length, config.rollout_length))
            batch = self.search_batch()
            steps = len(batch.actions)
        else:
            figures = play.play(config.rollout_length)
            batch = self.rollout_batch(torch.tensor(shaping, device=self.device))
            steps = config.games * config.rollout_length
        figures |= self.updater.update(batch, self.entropy_coefficient)
        self._update_average()
        self.steps += steps
        self.iterations += 1
        metrics = {name: float(value) for name, value in figures.items()}
        for name, value in metrics.items():
            if not math.isfinite(value):
                raise FloatingPointError(f"{name} is {value} after {self.steps} decisions")
        # The floor is for decisions as they come in games; those of searched turns are others.
        self._adapt_entropy(progress, None if searches else metrics["open_entropy"])
        self._adapt_learning_rate(metrics["approx_kl"])
        return metrics | {
            "learning_rate": rate,
            "shaping": shaping,
            "entropy_coefficient": self.entropy_coefficient,
            "learning_rate_scale": self.learning_rate_scale,
        }

    def roll_back(self, earlier: StateDict) -> None:
        """Take the weights of an earlier version, and learn more slowly from there."""
        self.network.load_state_dict(earlier)
        self.average = snapshot(self.network)
        self.updater.forget_momentum()
        self.max_learning_rate_scale *= 0.5
        self.learning_rate_scale = 0.1 * self.max_learning_rate_scale
        self.entropy_coefficient = self.config.final_entropy_coefficient

    def evaluate(self, observations: Tensor, masks: Tensor) -> tuple[Tensor, Tensor]:
        """The policy [n, ACTION_COUNT], and the probability of each outcome [n, OUTCOMES]."""
        logits, outcome_logits = evaluate(self.network, observations, self._bfloat16)
        return mask_logits(logits, masks).softmax(1), outcome_logits.softmax(1)

    @torch.no_grad()  # type: ignore[untyped-decorator]
    def _rollout_batch(self, shaping: Tensor) -> Batch:
        """All decisions of the rollout, those without a known advantage with weight 0. Consumes
        randomness."""
        play, config = self.self_play, self.config
        rollout = play.rollout
        trajectory = Trajectory(
            rollout.values, rollout.seats, rollout.on_policy, rollout.done, rollout.results,
            play.next_values(), play.env.to_move,
        )  # fmt: skip
        advantages, valid = generalized_advantages(trajectory, config.gae_lambda, config.discount)
        targets = (rollout.values + advantages)[..., :OUTCOMES]
        gains = advantages[..., WINS] + shaping * advantages[..., PROGRESS]
        players = play.players.expand(config.rollout_length, -1)
        gains = normalize(gains, valid.float(), players, config.players)
        parts = (*rollout[:4], targets, gains, valid.float())
        return Batch(*[part.flatten(0, 1) for part in parts])

    @torch.no_grad()  # type: ignore[untyped-decorator]
    def search_batch(self) -> Batch:
        """The decisions of turns that were searched in some of the games' positions. Consumes
        randomness."""
        config, play = self.config, self.self_play
        chosen = torch.randperm(config.games, device=self.device)[: config.search_positions]
        players = play.players[chosen]
        turns, values = self.turn_search.search(play.env.states(chosen), players)
        # The value of a position is the mean of its turns' values, as often as they are sampled.
        total = torch.zeros(len(chosen), device=self.device)
        total.index_add_(0, turns.positions, turns.frequency)
        sample_weights = turns.frequency / total[turns.positions]
        expected = torch.zeros(len(chosen), OUTCOMES, device=self.device)
        expected.index_add_(0, turns.positions, sample_weights[:, None] * values)
        gains = values[:, WINS] - expected[turns.positions, WINS]
        gains = normalize(gains, sample_weights, players[turns.positions], config.players)
        turn, step = (turns.actions >= 0).nonzero(as_tuple=True)
        return Batch(
            observations=turns.observations[turn, step],
            masks=turns.masks[turn, step],
            actions=turns.actions[turn, step],
            log_probs=turns.log_probs[turn, step],
            targets=torch.where(
                (step == 0)[:, None], expected[turns.positions[turn]], values[turn]
            ),
            advantages=gains[turn],
            sample_weights=sample_weights[turn],
        )

    def _update_average(self) -> None:
        """Add today's weights to the mean; at first it is the mean of all so far."""
        weight = max(1 - self.config.average, 1 / (self.iterations + 1))
        now = self.network.state_dict()
        torch._foreach_lerp_(
            list(self.average.values()), [now[name] for name in self.average], weight
        )

    def _adapt_entropy(self, progress: float, entropy: float | None) -> None:
        """Raise the coefficient where the entropy is below the floor, else let it return to what
        is planned; `None`: it is not known."""
        config = self.config
        planned = _annealed(config.entropy_coefficient, config.final_entropy_coefficient, progress)
        if entropy is not None and entropy < config.entropy_floor:
            changed = min(1.1 * self.entropy_coefficient, config.max_entropy_coefficient)
        else:
            changed = 0.95 * self.entropy_coefficient
        self.entropy_coefficient = max(planned, changed)

    def _adapt_learning_rate(self, approx_kl: float) -> None:
        """Halve the scale after an update that went too far, else let it recover. One that goes
        too far makes the next one worse: once begun, that undoes a whole run."""
        scale = self.learning_rate_scale
        if 0 < self.config.target_kl < approx_kl:
            self.learning_rate_scale = min(scale, max(0.5 * scale, MIN_RATE_SCALE))
        else:
            self.learning_rate_scale = min(1.05 * scale, self.max_learning_rate_scale)


def _annealed(first: float, final: float, progress: float) -> float:
    """On the straight line from one to the other.

    >>> _annealed(1.0, 0.0, 0.25)
    0.75
    """
    return first + progress * (final - first)
