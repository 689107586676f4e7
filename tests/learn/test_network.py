"""The network treats all palaces alike, and is the same in PyTorch and without it."""

import json
from dataclasses import replace
from itertools import islice, permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from threadpoolctl import ThreadpoolController

torch = pytest.importorskip("torch")

from baghdad.bots.neural.network import (  # noqa: E402
    NOBODY,
    Network,
    Shape,
    softmax,
)
from baghdad.bots.neural.versions import READINGS  # noqa: E402
from baghdad.bots.neural.weights_file import WeightsError, load_network, read_weights  # noqa: E402
from baghdad.learn.export import arrays_of, export, import_network  # noqa: E402
from baghdad.learn.network import (  # noqa: E402
    Highest,
    Layer,
    PolicyNetwork,
    filled_up,
    together,
)
from baghdad.rules.engine.actions import (  # noqa: E402
    ACTION_COUNT,
    ACTION_OF,
    PASSES_BY_NAME,
    TOKENS,
)
from baghdad.rules.engine.material import PALACE_LETTERS  # noqa: E402
from baghdad.rules.engine.observation import (  # noqa: E402
    FIRST_HANDS_AT,
    NAMED_AT,
    PALACE_SIZE,
    SEATS_AT,
    SPARE_AT,
    VersionError,
)
from support.networks import SHAPE, lively, positions  # noqa: E402


def policy(logits: Any, masks: Any) -> Any:
    return softmax(np.where(masks, logits, np.float32(-1e9)))


def ask(network: PolicyNetwork, observations: Any) -> tuple[Any, Any]:
    with torch.no_grad():
        actions, outcomes = network(torch.as_tensor(observations))
    return actions.numpy(), outcomes.softmax(1).numpy()


def renamed(token: str, order: tuple[int, ...]) -> str:
    """An action after palace `order[n]` has taken the place of palace n."""
    letters = {PALACE_LETTERS[old]: PALACE_LETTERS[new] for new, old in enumerate(order)}
    return "".join(letters.get(letter, letter) for letter in token)


def test_palaces_in_another_order_are_the_same_to_it() -> None:
    network, seen = lively(), positions().now.observations.copy()
    actions, outcomes = ask(network, seen)
    for order in islice(permutations(range(6)), 1, 720, 37):
        other = seen.copy()
        palaces = seen[:, :SEATS_AT].reshape(-1, 6, PALACE_SIZE)
        other[:, :SEATS_AT] = palaces[:, order].reshape(-1, SEATS_AT)
        other[:, NAMED_AT : NAMED_AT + 6] = seen[:, NAMED_AT : NAMED_AT + 6][:, order]
        now, winners = ask(network, other)
        there = [ACTION_OF[renamed(token, order)] for token in TOKENS]
        assert np.allclose(now[:, there], actions, atol=1e-4)
        assert np.allclose(winners, outcomes, atol=1e-5)
    assert actions.std(axis=0).min() > 0.01


@pytest.mark.parametrize("version", READINGS)
def test_networks_of_every_version_are_the_same_without_pytorch(
    tmp_path: Path, version: int
) -> None:
    network, seen = lively(replace(SHAPE, observation=version)), positions().now.observations
    export(network, tmp_path / "neural.bin", {})
    again = load_network(tmp_path / "neural.bin")
    assert again.shape.observation == version
    for theirs, ours in zip(
        ask(import_network(tmp_path / "neural.bin"), seen), again(seen), strict=True
    ):
        assert np.allclose(theirs, ours, atol=1e-4)


def test_it_sees_first_hands_and_options_and_knows_which_palace_it_names() -> None:
    network, seen = lively(), positions().now.observations.copy()
    before = ask(network, seen)
    for column in (SPARE_AT, NAMED_AT + 2, FIRST_HANDS_AT + 1):
        other = seen.copy()
        other[:, column] += 1
        for one, changed in zip(before, ask(network, other), strict=True):
            assert (one != changed).any()
    named = before[0][:, PASSES_BY_NAME]
    assert (named.std(axis=1) > 0).all()


def test_without_pytorch_it_says_the_same(tmp_path: Path) -> None:
    network, env = lively(Shape()), positions()
    path = tmp_path / "neural.bin"
    export(network, path, {"run": "test"})
    actions, outcomes = ask(network, env.now.observations)
    logits, chances = load_network(path)(env.now.observations)
    assert logits.shape == (60, ACTION_COUNT)
    assert np.abs(policy(logits, env.now.masks) - policy(actions, env.now.masks)).max() < 1e-2
    assert np.abs(chances - outcomes).max() < 1e-2
    exact, chances = Network(arrays_of(network), network.shape)(env.now.observations)
    assert np.allclose(exact, actions, atol=1e-3)
    assert np.allclose(chances, outcomes, atol=1e-4)
    assert path.stat().st_size < 10_000_000


def test_layers_filled_up_with_zeros_say_the_same() -> None:
    layer, given = Layer(71, 10), torch.randn(4, 6, 71)
    wide = filled_up(given, layer.weight)
    assert wide.shape == (4, 6, 10)
    assert torch.allclose(wide + layer.bias, layer(given), atol=1e-5)


def test_layers_that_are_given_the_same_say_what_each_says_alone() -> None:
    layers = [Layer(8, 3), Layer(8, 5, bias=False), torch.nn.Linear(8, 2)]
    given = torch.randn(4, 6, 8)
    for part, layer in zip(together(given, *layers), layers, strict=True):
        alone = torch.nn.functional.linear(given, layer.weight, layer.bias)
        assert torch.allclose(part, alone, atol=1e-5)


def test_what_is_highest_alone_learns_from_it() -> None:
    torch.manual_seed(1)  # two that are all but equal would have no slope to measure
    palaces = torch.randn(7, 6, 5, dtype=torch.double, requires_grad=True)
    assert torch.equal(Highest.apply(palaces), palaces.amax(1))
    assert torch.autograd.gradcheck(Highest.apply, palaces)


@pytest.mark.parametrize("lost", ["versions", "about", "arrays", "sha256", "shape", "format"])
def test_a_file_that_does_not_say_all_is_no_network(tmp_path: Path, lost: str) -> None:
    path = tmp_path / "neural.bin"
    export(lively(), path, {})
    line, _, numbers = path.read_bytes().partition(b"\n")
    head = json.loads(line)
    del head[lost]
    path.write_bytes(json.dumps(head).encode() + b"\n" + numbers)
    with pytest.raises(WeightsError, match="no network of ours"):
        read_weights(path)


def test_a_file_with_too_few_numbers_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "neural.bin"
    export(lively(), path, {})
    line, _, numbers = path.read_bytes().partition(b"\n")
    head = json.loads(line)
    head["arrays"]["outcome.bias"] = [500]
    path.write_bytes(json.dumps(head).encode() + b"\n" + numbers)
    with pytest.raises(WeightsError, match="it should have"):
        read_weights(path)


@pytest.mark.parametrize("change", ["fewer blocks", "more blocks", "another name", "turned"])
def test_a_file_whose_arrays_are_not_those_of_a_network_is_refused(
    tmp_path: Path, change: str
) -> None:
    path = tmp_path / "neural.bin"
    export(lively(), path, {})
    line, _, numbers = path.read_bytes().partition(b"\n")
    head = json.loads(line)
    if change.endswith("blocks"):
        head["shape"]["blocks"] += 1 if change == "more blocks" else -1
    elif change == "turned":
        head["arrays"]["table_in.weight"].reverse()
    else:
        head["arrays"]["of_tables.bias"] = head["arrays"].pop("of_table.bias")
    path.write_bytes(json.dumps(head).encode() + b"\n" + numbers)
    with pytest.raises(WeightsError, match="not those of such a network"):
        load_network(path)


def test_bots_that_think_side_by_side_take_one_thread_each() -> None:
    """And afterwards everybody else has as many as before."""
    controller = ThreadpoolController()
    before = [library["num_threads"] for library in controller.info()]
    network = Network(arrays_of(lively()), SHAPE)
    during: list[int] = []

    def ask_and_look(observations: Any) -> tuple[Any, Any]:
        during.extend(library["num_threads"] for library in controller.info()
                      if library["user_api"] == "blas")  # fmt: skip
        return ordinarily(observations)

    ordinarily, network._forward = network._forward, ask_and_look  # type: ignore[method-assign]
    network(positions().now.observations)
    assert set(during) == {1}
    assert [library["num_threads"] for library in controller.info()] == before


def test_the_likelihood_of_actions_and_outcomes_adds_up_to_one() -> None:
    network, env = Network(arrays_of(lively()), SHAPE), positions()
    logits, chances = network(env.now.observations)
    likely = policy(logits, env.now.masks)
    assert np.allclose(likely.sum(axis=1), 1, atol=1e-5)
    assert not likely[~env.now.masks].any()
    assert chances.shape[1] == NOBODY + 1
    assert np.allclose(chances.sum(axis=1), 1, atol=1e-5)


def test_weights_come_back_from_their_file(tmp_path: Path) -> None:
    network, path = lively(), tmp_path / "neural.bin"
    export(network, path, {"steps": 7})
    _, shape, about = read_weights(path)
    assert (shape, about) == (SHAPE, {"steps": 7})
    again = arrays_of(import_network(path))
    for name, array in arrays_of(network).items():
        assert np.allclose(again[name], array, rtol=1e-3, atol=1e-6)


def test_damaged_or_foreign_weights_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "neural.bin"
    export(lively(), path, {})
    good = path.read_bytes()
    path.write_bytes(good[:-1] + bytes([good[-1] ^ 1]))
    with pytest.raises(WeightsError, match="damaged"):
        load_network(path)
    path.write_bytes(good[:-2])
    with pytest.raises(WeightsError, match="damaged"):
        load_network(path)
    for foreign in (b"", b"{}\n", b"something else", b'{"format": 1}\nxyz'):
        path.write_bytes(foreign)
        with pytest.raises(WeightsError, match="no network"):
            load_network(path)
    line, _, numbers = good.partition(b"\n")
    head = json.loads(line)
    head["versions"]["observation"] = 0
    path.write_bytes(json.dumps(head).encode() + b"\n" + numbers)
    with pytest.raises(VersionError, match="made for observation 0"):
        load_network(path)
