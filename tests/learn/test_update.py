"""The loss and the optimizer: what moves the policy, and what does not any more."""

import math
from dataclasses import replace
from typing import Any

import pytest

torch = pytest.importorskip("torch")


from baghdad.learn.learner import Learner  # noqa: E402
from baghdad.learn.update import Batch  # noqa: E402
from support.training import TINY  # noqa: E402


def gradient_of(
    learner: Learner, advantage: float = 0, likelier: float = 1, entropy_coefficient: float = 0
) -> Any:
    """What decisions that have become likelier since say to the logits of passing and ending."""
    learner.self_play.play(TINY.rollout_length)
    observations, masks, actions, log_probs = (part[-1] for part in learner.self_play.rollout[:4])
    count = len(actions)
    batch = Batch(
        observations, masks, actions, log_probs - math.log(likelier),
        targets=torch.full((count, 5), 0.2),
        advantages=torch.full((count,), float(advantage)),
        sample_weights=torch.ones(count),
    )  # fmt: skip
    updater = learner.updater
    updater.config = replace(updater.config, value_coefficient=0.0)
    loss, _ = updater.loss(learner.network, batch, torch.tensor(float(entropy_coefficient)))
    return torch.autograd.grad(loss, learner.network.of_table.bias)[0]


@pytest.mark.parametrize(
    ("advantage", "likelier", "teaches"),
    [(1, 1.1, True), (1, 1.3, False), (-1, 1.3, True), (-1, 2.9, True), (-1, 3.1, False)],
)
def test_what_has_changed_enough_gives_no_gradient(
    advantage: float, likelier: float, teaches: bool
) -> None:
    said = gradient_of(Learner(TINY, "cpu"), advantage, likelier)
    assert bool(said.abs().sum() > 0) == teaches


def test_a_probability_may_grow_beyond_all_bounds() -> None:
    """The exponential of 100 is infinite in single precision."""
    assert torch.isfinite(gradient_of(Learner(TINY, "cpu"), -1, math.exp(100))).all()


def test_what_is_out_of_the_question_does_not_fall_for_ever() -> None:
    learner = Learner(TINY, "cpu")
    assert not gradient_of(learner).any()
    with torch.no_grad():
        learner.network.of_table.bias.fill_(-40.0)
    said = gradient_of(learner)
    assert (said <= 0).all()  # against the gradient: likelier
    assert said.any()


def test_entropy_counts_where_the_game_is_open() -> None:
    learner = Learner(TINY, "cpu")
    assert gradient_of(learner, entropy_coefficient=1).any()
    with torch.no_grad():
        learner.network.outcome.bias[0] = 200.0
        learner.network.outcome.bias[4] = 200.0  # it wins, unless nobody does
    assert not gradient_of(learner, entropy_coefficient=1).any()


def test_after_an_update_that_went_too_far_it_learns_more_slowly_for_a_while() -> None:
    learner = Learner(TINY.with_values(["target_kl=1e-9"]), "cpu")
    first, second = (learner.iterate(0.0)["learning_rate"] for _ in range(2))
    assert (first, second) == (0.001, 0.0005)
    learner.config = replace(learner.config, target_kl=0.0)
    rates = [learner.iterate(0.0)["learning_rate"] for _ in range(40)]
    assert rates == sorted(rates)
    assert (rates[0], rates[-1]) == (0.00025, 0.001)
