"""Actions from logits, and random numbers for them, all as tensors.

Sampling inverts the cumulative distribution with one uniform number a row: random numbers are
given by the caller, so that these functions consume none themselves, and games that are to share
their chance can. `bots.neural.batch.sample_actions` is the same in compiled code, for playing.
"""

import torch
from torch import Tensor

from baghdad.rules.engine.dealer import LOW

ILLEGAL_LOGIT = -1e9
"""Of actions that are not legal: a softmax makes it a probability of 0."""
MIN_TEMPERATURE = 0.05
"""Below that, dividing by a temperature would only overflow."""


def mask_logits(logits: Tensor, masks: Tensor) -> Tensor:
    """[n, ACTION_COUNT]: logits of legal actions, `ILLEGAL_LOGIT` elsewhere."""
    return torch.where(masks, logits, ILLEGAL_LOGIT)


def sample(policy: Tensor, uniforms: Tensor) -> Tensor:
    """[n]: an action of each row by its probabilities [n, actions], never one of probability 0.

    uniforms: [n], random numbers from 0 to 1.

    >>> sample(torch.tensor([[0.0, 0.5, 0.0, 0.5]] * 3), torch.tensor([0.0, 0.6, 1.0])).tolist()
    [1, 3, 3]
    """
    places = torch.arange(policy.shape[1], dtype=torch.int32, device=policy.device)
    possible = policy > 0
    # Sums are rounded: the first possible action beyond the number, at the latest the last one.
    beyond = possible & (policy.cumsum(1) > uniforms[:, None])
    first = torch.where(beyond, places, len(places)).amin(1)
    return torch.minimum(first, torch.where(possible, places, 0).amax(1)).long()


def sample_at_temperatures(logits: Tensor, temperatures: Tensor, uniforms: Tensor) -> Tensor:
    """[n]: an action of each row of logits [n, actions] at a temperature of its own [n]; at 0 the
    most probable one. uniforms: [n], random numbers from 0 to 1."""
    tempered = logits / temperatures.clamp(min=MIN_TEMPERATURE)[:, None]
    sampled = sample(tempered.softmax(1), uniforms)
    return torch.where(temperatures > 0, sampled, logits.argmax(1))


def select(values: Tensor, actions: Tensor) -> Tensor:
    """[n]: from each row of values [n, actions] that of its action [n].

    Not by `gather`, whose backward pass is slow.
    """
    places = torch.arange(values.shape[1], device=values.device)
    return torch.where(places == actions[:, None], values, 0.0).sum(1)


def next_uniforms(rngs: Tensor, wanted: Tensor) -> Tensor:
    """[n]: the next number of each generator [n, 4], scaled to 0 to 1. Generators that are wanted
    [n] advance in place, the others stay.

    The numbers are those of `rules.engine.dealer.next_number` (xoshiro128++, Blackman and Vigna,
    2021).
    """
    a, b, c, d = rngs.unbind(1)
    number = (_rotated((a + d) & LOW, 7) + a) & LOW
    c, d = c ^ a, d ^ b
    after = torch.stack([a ^ d, b ^ c, c ^ ((b << 9) & LOW), _rotated(d, 11)], 1)
    rngs.copy_(torch.where(wanted[:, None], after, rngs))
    return (number / (LOW + 1)).float()


def _rotated(value: Tensor, by: int) -> Tensor:
    return ((value << by) & LOW) | (value >> (32 - by))
