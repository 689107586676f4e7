"""The teacher tries turns out: fairly, and without a look at what is hidden."""

from random import Random
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from baghdad import Game  # noqa: E402
from baghdad.envs.branches import try_turns  # noqa: E402
from baghdad.envs.vector import generators  # noqa: E402
from baghdad.learn.network import PolicyNetwork  # noqa: E402
from baghdad.learn.ppo import Learner  # noqa: E402
from baghdad.learn.recipe import SMALL  # noqa: E402
from baghdad.rules.actions import TOKENS  # noqa: E402
from baghdad.rules.compiled import COMPILED  # noqa: E402
from baghdad.rules.state import STATE  # noqa: E402
from networks import SHAPE, lively  # noqa: E402
from tables import thieving  # noqa: E402

pytestmark = pytest.mark.skipif(not COMPILED, reason="learning needs compiled games")

RECIPE = SMALL.with_values(
    ["games=48", "searched=1", f"palace={SHAPE.palace}", f"table={SHAPE.table}",
     f"pair={SHAPE.pair}", f"blocks={SHAPE.blocks}", "search_deals=4"]
)  # fmt: skip


def a_learner(network: PolicyNetwork | None = None) -> Learner:
    learner = Learner(RECIPE, "cpu", network=network or lively(SHAPE))
    learner._play(RECIPE.decisions)
    return learner


def ask(learner: Learner, words: Any, players: Any) -> tuple[Any, Any]:
    torch.manual_seed(3)
    with torch.no_grad():
        return learner.teacher.ask(words, players)


def test_turns_are_different_and_legal_and_drawn_as_often_as_is_said() -> None:
    learner = a_learner()
    chosen = torch.arange(48)
    turns, led_to = ask(learner, learner.games.words(chosen), learner.players)
    assert set(turns.roots.tolist()) == set(range(48))
    for root in range(48):
        assert 0 < float(turns.share[turns.roots == root].sum()) <= 1 + 1e-6
    assert len(turns.roots) > 2 * 48
    turn, step = (turns.actions >= 0).nonzero(as_tuple=True)
    assert turns.masks[turn, step, turns.actions[turn, step]].all()
    assert torch.allclose(led_to.sum(1), torch.ones(len(led_to)), atol=1e-5)


def test_what_is_hidden_changes_nothing() -> None:
    learner = a_learner()
    words = learner.games.words(torch.arange(48))
    nothing = np.full((48, 1), -1)
    others = torch.from_numpy(
        try_turns(words.numpy(), np.arange(48), generators("other", 48), nothing)
    )
    assert not torch.equal(words, others)
    for one, other in zip(
        [part for result in ask(learner, words, learner.players) for part in result],
        [part for result in ask(learner, others, learner.players) for part in result],
        strict=True,
    ):
        assert torch.equal(one, other)


def before_the_end() -> Game:
    """Somebody is about to win: a position before the last turn's last action."""
    game = Game(players=2, seed=4)
    random = Random(1)
    while not game.over:
        game.play(thieving(game.legal_tokens(), random))
    game.undo()
    return game


def wins_with(game: Game, action: int) -> bool:
    after = game.copy()
    after.play(action)
    return after.over and after.winner == game.to_move


def test_a_turn_that_wins_is_worth_a_win() -> None:
    learner, game = a_learner(PolicyNetwork(SHAPE)), before_the_end()
    states = np.array([game.state], STATE)
    words = torch.from_numpy(states.view(np.int32).reshape(1, -1).copy())
    wins = [action for action in game.legal() if wins_with(game, action)]
    turns, led_to = ask(learner, words.repeat(40, 1), torch.full((40,), 2))
    for turn, result in zip(turns.actions, led_to, strict=True):
        if int(turn[0]) in wins:
            assert result.tolist() == [1, 0, 0, 0, 0], TOKENS[int(turn[0])]
    assert any(int(turn[0]) in wins for turn in turns.actions)


def test_a_lesson_of_searched_turns_makes_the_better_ones_likelier() -> None:
    learner = a_learner()
    torch.manual_seed(1)
    decisions = learner._search()
    observations, masks, actions, before, targets, gains, weights = decisions
    assert len({len(part) for part in decisions}) == 1
    assert float(targets.sum(1).sub(1).abs().max()) < 1e-5
    for _ in range(5):
        learner._improve(decisions)
    with torch.no_grad():
        policy, _ = learner._weigh_eagerly(observations, masks)
    now = policy.gather(1, actions[:, None])[:, 0].log()
    assert float((weights * gains * (now - before)).sum()) > 0


def test_a_run_ends_with_searched_lessons() -> None:
    learner = Learner(RECIPE.with_values(["searched=0.25"]), "cpu")
    learner.learn(0.5)
    assert learner.steps == RECIPE.games * RECIPE.decisions
    figures = learner.learn(0.8)
    assert learner.steps > RECIPE.games * RECIPE.decisions
    assert figures["entropy"] > 0
