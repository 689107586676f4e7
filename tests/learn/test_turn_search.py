"""Searched turns: evaluated fairly; what is proposed comes of what is seen alone."""

from random import Random
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from baghdad import Game  # noqa: E402
from baghdad.jit.compiler import COMPILED  # noqa: E402
from baghdad.learn.config import SMALL  # noqa: E402
from baghdad.learn.learner import Learner  # noqa: E402
from baghdad.learn.network import PolicyNetwork  # noqa: E402
from baghdad.rules.engine.actions import TOKENS  # noqa: E402
from baghdad.rules.engine.dealer import new_rng  # noqa: E402
from baghdad.rules.engine.state import STATE  # noqa: E402
from baghdad.rules.engine.views import VIEW  # noqa: E402
from baghdad.rules.engine.visibility import determinize, fill_view  # noqa: E402
from support.networks import SHAPE, lively  # noqa: E402
from support.tables import thieving  # noqa: E402

pytestmark = pytest.mark.skipif(not COMPILED, reason="learning needs compiled games")

CONFIG = SMALL.with_values(
    ["games=48", "search_share=1", f"palace={SHAPE.palace}", f"table={SHAPE.table}",
     f"pair={SHAPE.pair}", f"blocks={SHAPE.blocks}", "search_deals=4"]
)  # fmt: skip


def a_learner(network: PolicyNetwork | None = None) -> Learner:
    learner = Learner(CONFIG, "cpu", network=network or lively(SHAPE))
    learner.self_play.play(CONFIG.rollout_length)
    return learner


def ask(learner: Learner, words: Any, players: Any) -> tuple[Any, Any]:
    torch.manual_seed(3)
    with torch.no_grad():
        return learner.turn_search.search(words, players)


def test_turns_are_different_and_legal_and_drawn_as_often_as_is_said() -> None:
    learner = a_learner()
    chosen = torch.arange(48)
    turns, led_to = ask(learner, learner.self_play.env.states(chosen), learner.self_play.players)
    assert set(turns.positions.tolist()) == set(range(48))
    for root in range(48):
        assert 0 < float(turns.frequency[turns.positions == root].sum()) <= 1 + 1e-6
    assert len(turns.positions) > 2 * 48
    turn, step = (turns.actions >= 0).nonzero(as_tuple=True)
    assert turns.masks[turn, step, turns.actions[turn, step]].all()
    assert torch.allclose(led_to.sum(1), torch.ones(len(led_to)), atol=1e-5)


def test_turns_are_proposed_by_what_is_seen_and_tried_with_the_cards_that_are_held() -> None:
    learner = a_learner()
    words = learner.self_play.env.states(torch.arange(48))
    others = words.clone()
    states: Any = others.numpy().view(STATE)[:, 0]
    rng, view = new_rng("other"), np.zeros(1, VIEW)
    for state in states:
        fill_view(state, state.seat, view[0])
        determinize(view[0], rng, state)
    assert not torch.equal(words, others)
    mine, theirs = (ask(learner, each, learner.self_play.players) for each in (words, others))
    for name in set(mine[0]._fields) - {"end_states"}:
        assert torch.equal(getattr(mine[0], name), getattr(theirs[0], name)), name
    held, before = (each.numpy().view(STATE)["hands"][:, 0] for each in (mine[0].end_states, words))
    for root, seat in enumerate(states["seat"]):
        others_hands = np.delete(held[mine[0].positions == root], seat, axis=1)
        assert (others_hands == np.delete(before[root], seat, axis=0)).all()
    assert not torch.equal(mine[1], theirs[1])


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


def test_learning_from_searched_turns_makes_the_better_ones_likelier() -> None:
    learner = a_learner()
    torch.manual_seed(1)
    batch = learner.search_batch()
    assert len({len(part) for part in batch}) == 1
    assert float(batch.targets.sum(1).sub(1).abs().max()) < 1e-5
    for _ in range(5):
        learner.updater.update(batch, learner.entropy_coefficient)
    with torch.no_grad():
        policy, _ = learner.evaluate(batch.observations, batch.masks)
    now = policy.gather(1, batch.actions[:, None])[:, 0].log()
    assert float((batch.sample_weights * batch.advantages * (now - batch.log_probs)).sum()) > 0


def test_a_run_ends_with_searched_turns() -> None:
    learner = Learner(CONFIG.with_values(["search_share=0.25"]), "cpu")
    learner.iterate(0.5)
    assert learner.steps == CONFIG.games * CONFIG.rollout_length
    figures = learner.iterate(0.8)
    assert learner.steps > CONFIG.games * CONFIG.rollout_length
    assert figures["entropy"] > 0


def test_searched_turns_are_of_whole_games_and_do_not_feed_the_entropy() -> None:
    """Their turns are no games: what is known of a floor in games says nothing about them."""
    learner = Learner(CONFIG.with_values(["entropy_floor=9"]), "cpu")
    figures = learner.iterate(0.9)
    turns = learner.self_play.env._env.states["turn"]
    assert turns.min() < turns.max() - 3, "some games have just begun, others have not"
    assert figures["entropy"] < 9
    before = figures["entropy_coefficient"]
    assert learner.iterate(0.9)["entropy_coefficient"] <= before
