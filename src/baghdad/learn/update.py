"""The update of an iteration: proximal policy optimization (PPO; Schulman et al., 2017).

Beside the clipped objective the loss has the cross-entropy of the outcome, an entropy bonus, the
dual clip of Ye et al. (2020, "Mastering Complex Control in MOBA Games with Deep Reinforcement
Learning"), and a bound on how improbable a legal action may become.
"""

import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from baghdad.bots.neural.network import NOBODY

from .config import Config
from .cuda_graphs import CudaGraph, compiled
from .network import PolicyNetwork, evaluate
from .sampling import mask_logits, select

BETAS = 0.9, 0.95
"""How long Adam remembers. With the usual 0.999, the gradient of a weight that has been silent for
long, as those of actions that are hardly ever taken, counts seven times too much when it speaks."""
MAX_LOG_RATIO = 20.0
"""Of a probability ratio's logarithm: more would be infinite before long."""
LOSS_METRICS = (
    "policy_loss", "value_loss", "entropy", "open_entropy", "approx_kl", "clip_fraction",
)  # fmt: skip


class Batch(NamedTuple):
    """Decisions to learn from, [n, ...]."""

    observations: Tensor
    """[n, OBSERVATION_SIZE] int8."""
    masks: Tensor
    """[n, ACTION_COUNT] bool."""
    actions: Tensor
    log_probs: Tensor
    """Of these actions, by the policy that chose them."""
    targets: Tensor
    """[n, OUTCOMES]: what the network's outcome probabilities should be."""
    advantages: Tensor
    sample_weights: Tensor
    """How much each decision counts; 0: nothing is learned from it."""


class Updater:
    """A network and its optimizer."""

    def __init__(self, config: Config, device: str, network: PolicyNetwork) -> None:
        self.config, self.device, self.network = config, device, network
        on_gpu = device != "cpu"
        self._rate = torch.tensor(config.learning_rate, device=device)
        self._settings = {"lr": self._rate, "betas": BETAS, "fused": True, "capturable": on_gpu}
        self.optimizer = torch.optim.Adam(network.parameters(), eps=1e-5, **self._settings)
        self._sums = torch.zeros(len(LOSS_METRICS), device=device)
        self._grad_norms = torch.zeros((), device=device)
        """Both are summed up over all minibatches of an update."""
        self._bfloat16 = config.bfloat16 and on_gpu
        self._loss: Callable[..., Any] = compiled(self.loss, config.compile)
        self.step = CudaGraph(self._step, config.compile and on_gpu)

    def set_learning_rate(self, rate: float) -> None:
        """For the next updates."""
        self._rate.fill_(rate)
        for group in self.optimizer.param_groups:
            group.update(self._settings)  # a checkpoint brought its own

    def forget_momentum(self) -> None:
        """Set all that the optimizer remembers to 0."""
        for moments in self.optimizer.state.values():
            for each in moments.values():
                each.zero_()

    def update(self, batch: Batch, entropy_coefficient: float) -> dict[str, Tensor]:
        """Go over the decisions in minibatches, `epochs` times; returns the means of the metrics.

        Consumes randomness: every epoch has an order of its own.
        """
        config = self.config
        coefficient = torch.tensor(entropy_coefficient, device=self.device)
        self._sums.zero_()
        self._grad_norms.zero_()
        learned = batch.sample_weights.nonzero()[:, 0]
        count = len(learned)
        # Code is compiled for one size: what is missing in the last minibatch comes once more.
        size = config.minibatch if config.compile else max(min(config.minibatch, count), 1)
        parts = -(-count // size)  # none, where openings and guests have decided everything
        times = -(-parts * size // max(count, 1))
        for _ in range(config.epochs):
            order = learned[torch.randperm(count, device=self.device)]
            for rows in order.repeat(times)[: parts * size].split(size):
                self.step(*[part[rows] for part in batch], coefficient)
        updates = max(config.epochs * parts, 1)
        return {
            **dict(zip(LOSS_METRICS, self._sums / updates, strict=True)),
            "grad_norm": self._grad_norms / updates,
            "learned_share": batch.sample_weights.mean(),
        }

    def _step(self, *given: Tensor) -> None:
        """One step of the optimizer: the fields of a `Batch`, then the entropy coefficient."""
        *minibatch, entropy_coefficient = given
        self.optimizer.zero_grad(set_to_none=True)
        metrics = self._backward(Batch(*minibatch), entropy_coefficient)
        norm = nn.utils.clip_grad_norm_(self.network.parameters(), self.config.max_grad_norm)
        self.optimizer.step()
        self._sums += metrics
        self._grad_norms += norm

    def _backward(self, batch: Batch, entropy_coefficient: Tensor) -> Tensor:
        """Compute the gradients. The backward pass is compiled when it first runs, and that may
        fail: then everything goes on without compiled code."""
        loss, metrics = self._loss(self.network, batch, entropy_coefficient)
        try:
            loss.backward()
        except torch.OutOfMemoryError:
            raise
        except Exception as error:
            if self._loss == self.loss:
                raise
            warnings.warn(f"PyTorch can't compile, it goes on without: {error}", stacklevel=2)
            self._loss = self.loss
            self.optimizer.zero_grad(set_to_none=True)
            loss, metrics = self._loss(self.network, batch, entropy_coefficient)
            loss.backward()
        return metrics.detach()

    def loss(
        self, network: PolicyNetwork, batch: Batch, entropy_coefficient: Tensor
    ) -> tuple[Tensor, Tensor]:
        """The loss, and `LOSS_METRICS`."""
        config, masks, advantages = self.config, batch.masks, batch.advantages
        logits, outcome_logits = evaluate(network, batch.observations, self._bfloat16)
        log_policy = mask_logits(logits, masks).log_softmax(1)
        sample_weights = batch.sample_weights / batch.sample_weights.sum().clamp(min=1e-6)
        log_ratio = select(log_policy, batch.actions) - batch.log_probs
        ratio = log_ratio.clamp(max=MAX_LOG_RATIO).exp()
        clip, dual_clip = config.clip, config.dual_clip
        gain = torch.minimum(ratio * advantages, ratio.clamp(1 - clip, 1 + clip) * advantages)
        if dual_clip:
            gain = torch.where(advantages < 0, torch.maximum(gain, dual_clip * advantages), gain)
        policy_loss = -(sample_weights * gain).sum()
        value_loss = -(
            sample_weights * (batch.targets * outcome_logits.log_softmax(1)).sum(1)
        ).sum()
        log_policy = torch.where(masks, log_policy, 0.0)
        negative_entropy = torch.where(masks, log_policy.exp() * log_policy, 0.0).sum(1)
        entropy = -(sample_weights * negative_entropy).sum()
        # Where all is decided every action is as good, and entropy would be all that counts. So
        # the bonus counts a decision by how open the game still is.
        openness = sample_weights * (1 - outcome_logits.detach()[:, :NOBODY].softmax(1).amax(1))
        open_entropy = -(openness * negative_entropy).sum() / openness.sum().clamp(min=1e-6)
        excess = functional.relu(-config.max_surprisal - log_policy)
        surprisal_loss = (sample_weights * (excess.square().sum(1) / masks.sum(1))).sum()
        with torch.no_grad():
            # One action that has become a million times likelier would be all that is seen.
            approx_kl = (sample_weights * 0.5 * log_ratio.clamp(-1, 1).square()).sum()
            clip_fraction = (sample_weights * ((ratio - 1).abs() > clip).float()).sum()
            metrics = torch.stack(
                [policy_loss, value_loss, entropy, open_entropy, approx_kl, clip_fraction]
            )
        loss = policy_loss + config.value_coefficient * value_loss
        loss = loss - entropy_coefficient * open_entropy
        return loss + config.surprisal_coefficient * surprisal_loss, metrics
