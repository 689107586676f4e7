"""Many experts side by side decide as one would."""

from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from baghdad import Game, Options  # noqa: E402
from baghdad.jit.compiler import COMPILED  # noqa: E402
from baghdad.rules.engine.state import STATE  # noqa: E402
from support.positions import decisions  # noqa: E402
from support.programs import call, load  # noqa: E402
from support.tables import table  # noqa: E402

pytestmark = pytest.mark.skipif(not COMPILED, reason="it needs compiled rules")


@pytest.fixture(scope="module")
def benchmark() -> Any:
    return load("benchmarks/expert.py")


def words(game: Game) -> Any:
    states = np.zeros(1, STATE)
    states[0] = game.state
    return torch.from_numpy(states.view(np.int32).reshape(1, -1))


def test_they_win_where_they_can(benchmark: Any) -> None:
    game = table(
        guards={"R": "1n", "G": "1n", "W": "n"},
        thieves={"R": "111", "G": "111", "W": "111", "P": "1"},
        hands=["RRGWW"],
        loot=[3],
    )
    torch.manual_seed(1)
    experts = benchmark.Experts("cpu")
    (actions,) = experts.choose(words(game), benchmark.read_settings("simulations=20")[1]).tolist()
    for action in actions:
        if action >= 0:
            game.play(action)
    assert game.winner == 0


def test_the_best_of_the_turns_is_played_with_as_many_simulations_as_there_are(
    benchmark: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Here the last of those that are tried out: it wins in every deal, and no other does."""
    experts, played = benchmark.Experts("cpu"), []
    settings = benchmark.read_settings("simulations=300,prior_weight=0")[1]
    games = list(decisions(Options(3), seed=8, steps=120, every=11))
    torch.manual_seed(1)
    positions = torch.cat([words(game) for game in games])
    proposed = experts._propose(positions, settings)
    monkeypatch.setattr(experts, "_propose", lambda *_: proposed)
    _, ends, tried, _ = proposed
    last = [int(lanes[lanes >= 0][-1]) for lanes in tried]

    def try_out(given: Any, rows: Any, _seats: Any, deals: Any, _settings: Any) -> Any:
        played.append((rows, deals))
        best = torch.stack([ends[last[int(row)]] for row in rows])
        return torch.where((given == best).all(1), deals.float(), 0.0)

    monkeypatch.setattr(experts, "_try_out", try_out)
    chosen = experts.choose(positions, settings)
    for number, (turn, lane) in enumerate(zip(chosen, last, strict=True)):
        assert torch.equal(turn, proposed[0][lane])
        count = sum(int(deals[rows == number].sum()) for rows, deals in played)
        several = int((tried[number] >= 0).sum()) > 1
        assert several * 250 <= count <= several * 300


def test_who_has_no_choice_needs_no_simulations(
    benchmark: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    experts = benchmark.Experts("cpu")
    settings = benchmark.read_settings("num_samples=2")[1]
    monkeypatch.setattr(experts, "_try_out", lambda *_: pytest.fail("nothing is to be tried out"))
    game = next(iter(decisions(Options(2), seed=5, steps=20, every=20)))
    monkeypatch.setattr(benchmark, "sample_at_temperatures", lambda policy, *_: policy.argmax(1))
    (turn,) = experts.choose(words(game), settings).tolist()
    assert turn[0] in game.legal()


def test_a_duel_counts_wins_of_whole_deals(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    given = ("3", "simulations=8,num_samples=4", "--games=6", "--minutes=0")
    call("benchmarks/expert.py", monkeypatch, *given)
    said = capsys.readouterr().out
    assert "6 games" in said
    assert "to the first" not in said
