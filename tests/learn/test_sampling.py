"""Actions from logits."""

import pytest

torch = pytest.importorskip("torch")


from baghdad.learn.sampling import sample, select  # noqa: E402


def test_actions_are_sampled_as_often_as_the_policy_says() -> None:
    likely = torch.tensor([0.0, 0.1, 0.0, 0.6, 0.3, 0.0])
    uniforms = torch.rand(20_000, generator=torch.Generator().manual_seed(1))
    actions = sample(likely.expand(20_000, -1), uniforms)
    counts = torch.bincount(actions, minlength=6)
    assert counts[[0, 2, 5]].sum() == 0
    assert torch.allclose(counts / 20_000, likely, atol=0.02)


@pytest.mark.parametrize("uniform", [0.0, 0.4999999, 1 - 2**-24, 1.0])
def test_no_random_number_samples_what_is_not_legal(uniform: float) -> None:
    """Whatever is rounded: the sum of all probabilities may stay below the number."""
    masks = torch.rand(1000, 369, generator=torch.Generator().manual_seed(1)) < 0.3
    masks[:, 5] = True
    logits = torch.where(masks, torch.randn(1000, 369), -1e9)
    actions = sample(logits.softmax(1), torch.full((1000,), uniform))
    assert select(masks.float(), actions).all()
