"""The PettingZoo environment, by PettingZoo's own tests and by the rules."""

import copy
import pickle
import random
from importlib import import_module
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from pettingzoo.test import api_test, performance_benchmark, render_test, seed_test

from baghdad import IllegalMoveError, NotAMoveError
from baghdad.envs.pettingzoo_env import env, raw_env
from baghdad.rules.engine.actions import ACTION_OF
from baghdad.rules.engine.material import HANDS, ROBS, VARIANTS

MAKERS = [env, raw_env]


@pytest.fixture
def masks_are_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """PettingZoo warns of every observation with a mask in it, unless its tests list the name."""
    tests = import_module("pettingzoo.test.api_test")
    for known in ("env_obs_dicts", "env_obs_space"):
        monkeypatch.setattr(tests, known, [*getattr(tests, known), "baghdad_v1"])


def play_on(game: raw_env, steps: int, seed: int = 0) -> None:
    choice = random.Random(seed)
    for _ in game.agent_iter(steps):
        observation, _, terminated, truncated, _ = game.last()
        assert observation is not None
        legal = np.flatnonzero(observation["action_mask"]).tolist()
        game.step(None if terminated or truncated else choice.choice(legal))


@pytest.mark.usefixtures("masks_are_known")
@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_their_api_test(make: Any, players: int) -> None:
    api_test(make(players=players, max_turns=100), num_cycles=400)


@pytest.mark.usefixtures("masks_are_known")
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("rob", ROBS)
@pytest.mark.parametrize("hands", HANDS)
def test_their_api_test_at_every_table(variant: Any, rob: Any, hands: Any) -> None:
    api_test(env(players=3, variant=variant, rob=rob, hands=hands), num_cycles=60)


@pytest.mark.usefixtures("masks_are_known")
@pytest.mark.parametrize(
    "table",
    [{"spare": "chosen", "deal": "6-8"}, {"rulebook": "cs"}, {"rulebook": "de", "deal": (9, 1)}],
    ids=str,
)
def test_their_api_test_by_rulebooks_and_other_first_hands(table: dict[str, Any]) -> None:
    api_test(env(players=2, **table), num_cycles=100)


def test_a_table_is_what_was_asked_for() -> None:
    game = raw_env(3, rulebook="cs", deal="balanced", hands="hidden")
    game.reset(seed=1)
    state = game.game_state
    assert (state.rob, state.spare, state.first_hands.tolist()) == (0, 1, [6, 7, 9, 0])
    for wrong, words in [
        ({"rulebook": "nl", "rob": "smuggle"}, "rob: arrival by the rulebook nl"),
        ({"deal": "6-8-9"}, "deal: a number from 1 to 25 for each of 2 seats"),
        ({"spare": "any"}, "spare: stack or chosen"),
        ({"rulebook": "fr"}, "rulebook: ours, "),
    ]:
        with pytest.raises(ValueError, match=words):
            env(**wrong)


def test_their_seed_test() -> None:
    seed_test(lambda: env(players=4), num_cycles=200)


@pytest.mark.parametrize("players", [2, 4])
def test_their_tests_of_the_state(players: int) -> None:
    tests = import_module("pettingzoo.test.state_test")
    game = env(players=players)
    tests.test_state_space(game)
    tests.test_state(game, 40)
    game.reset(seed=1)
    play_on(game, 40)
    assert game.state_space.contains(game.state())
    assert game.state().tobytes() == game.game_state.tobytes()
    game.state()[:] = 0  # a copy
    assert game.state().any()


def test_their_render_test() -> None:
    render_test(env, custom_tests={"svg": lambda drawn: ElementTree.fromstring(drawn) is not None})


def test_their_performance_benchmark(capsys: pytest.CaptureFixture[str]) -> None:
    performance_benchmark(env())
    assert "turns per second" in capsys.readouterr().out


def test_who_wins_gets_one_and_the_others_share_the_loss() -> None:
    for players in (2, 3, 4):
        game = raw_env(players)
        game.reset(seed=players)
        choice = random.Random(players)
        while not any(game.terminations.values()):
            observation, *_ = game.last()
            assert observation is not None
            game.step(choice.choice(np.flatnonzero(observation["action_mask"]).tolist()))
        winner = int(game.game_state.winner)
        assert game.rewards.pop(f"seat_{winner + 1}") == 1
        assert list(game.rewards.values()) == pytest.approx([-1 / (players - 1)] * (players - 1))


def test_a_limit_of_turns_truncates() -> None:
    game = raw_env(3, max_turns=5)
    game.reset(seed=1)
    while not any(game.truncations.values()):
        play_on(game, 1)
    assert all(game.truncations.values())
    assert not any(game.terminations.values())
    assert set(game.rewards.values()) == {0.0}
    assert game.game_state.turn == 5


def test_an_illegal_action_is_refused_by_its_rule() -> None:
    game = raw_env()
    game.reset(seed=1)
    before = game.state()
    for wrong, error in [
        (ACTION_OF["@nR"], IllegalMoveError),
        (-1, NotAMoveError),
        (None, NotAMoveError),
    ]:
        with pytest.raises(error):
            game.step(wrong)
    assert np.array_equal(game.state(), before)


@pytest.mark.parametrize("make", MAKERS)
def test_what_is_no_action_is_a_mistake_of_the_program(make: Any) -> None:
    game = make()
    game.reset(seed=1)
    for wrong, error in [
        (None, NotAMoveError), (375, NotAMoveError), (-1, NotAMoveError),
        (2.9, TypeError), ("5", TypeError),
    ]:  # fmt: skip
        with pytest.raises(error):
            game.step(wrong)
    assert not any(game.terminations.values())
    game.step(np.int64(ACTION_OF["@R"]))


def test_with_learners_an_illegal_action_loses() -> None:
    game = env(players=3)
    game.reset(seed=1)
    game.step(ACTION_OF["@R"])
    game.step(ACTION_OF["."])
    assert game.rewards == {"seat_1": 0, "seat_2": -1, "seat_3": 0}
    assert all(game.terminations.values())
    for _ in range(3):
        game.step(None)
    assert not game.agents


def test_before_a_reset_there_is_no_game() -> None:
    game = env(render_mode="ansi")
    for call in (game.agent_iter, game.render, game.state, lambda: game.observe("seat_1")):
        with pytest.raises(ResetNeeded):
            call()


def test_whoever_forgets_to_step_is_told() -> None:
    game = env()
    game.reset(seed=1)
    agents = iter(game.agent_iter())
    assert next(agents) == game.agent_selection
    with pytest.raises(RuntimeError, match="step"):
        next(agents)


def test_after_the_end_only_a_reset_helps() -> None:
    game = env()
    with pytest.raises(ResetNeeded):
        game.step(0)
    game.reset(seed=1)
    game.step(ACTION_OF["."])
    game.step(None)
    game.step(None)
    with pytest.raises(ResetNeeded):
        game.step(0)
    game.reset()
    game.step(ACTION_OF["@R"])


def test_after_a_seed_all_further_games_are_the_same_too() -> None:
    ends = []
    for _ in range(2):
        game = env(max_turns=10)
        game.reset(seed=1)
        play_on(game, 10_000)
        game.reset()
        play_on(game, 10_000)
        ends.append(game.state().tobytes())
    assert ends[0] == ends[1]


def test_a_copy_goes_on_by_itself() -> None:
    game = raw_env(3)
    game.reset(seed=1)
    play_on(game, 30)
    for twin in (copy.deepcopy(game), pickle.loads(pickle.dumps(game))):
        before = game.state().tobytes()
        play_on(twin, 10)
        assert game.state().tobytes() == before != twin.state().tobytes()
    play_on(game, 10)
    assert game.state().tobytes() == twin.state().tobytes()


def test_humans_are_shown_every_step(capsys: pytest.CaptureFixture[str]) -> None:
    game = env(render_mode="human")
    game.reset(seed=1)
    play_on(game, 3)
    assert capsys.readouterr().out.count("palace    chest") == 4


def test_without_a_seed_every_game_is_another() -> None:
    game = raw_env(hands="seen")
    hands = set()
    for _ in range(5):
        game.reset()
        hands.add(game.game_state.hands.tobytes())
    assert len(hands) > 1


def test_the_mask_of_who_is_not_on_is_empty() -> None:
    game = raw_env(3)
    game.reset(seed=1)
    play_on(game, 30)
    for agent in game.agents:
        assert game.observe(agent)["action_mask"].any() == (agent == game.agent_selection)


def test_an_observation_is_kept_when_the_game_goes_on() -> None:
    game = raw_env()
    game.reset(seed=1)
    first = game.observe("seat_1")
    kept = first["observation"].copy()
    play_on(game, 20)
    assert np.array_equal(first["observation"], kept)
    assert not np.array_equal(game.observe("seat_1")["observation"], kept)


def test_drawn_is_what_a_spectator_sees() -> None:
    drawn = {}
    for mode in ("ansi", "svg"):
        game = raw_env(render_mode=mode, language="de")
        game.reset(seed=1)
        play_on(game, 12)
        drawn[mode] = str(game.render())
    assert "Palast" in drawn["ansi"]
    texts = {node.text for node in ElementTree.fromstring(drawn["svg"]).iter() if node.text}
    assert drawn["ansi"].splitlines()[-1] in texts
    game = raw_env()
    game.reset(seed=1)
    assert game.render() is None
    with pytest.raises(ValueError, match="render_mode: human, ansi, svg or None, not 'rgb'"):
        raw_env(render_mode="rgb")
    with pytest.raises(ValueError, match="language: en, de, nl, cs, not 'fr'"):
        raw_env(language="fr")
    with pytest.raises(ValueError, match="illegal: raise or lose, not 'lost'"):
        raw_env(illegal="lost")  # type: ignore[arg-type]
