"""One learner against bots, by Gymnasium's own check and by the rules."""

import copy
import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from baghdad.envs.gymnasium_env import ID, ThiefEnv
from baghdad.rules.engine.actions import ACTION_OF
from baghdad.rules.engine.observation import FEATURES

TABLES: list[dict[str, Any]] = [
    {"opponents": "random"},
    {"opponents": ["heuristic", "random"], "players": 3, "variant": "neutral", "seat": 2},
    {"opponents": "kasim", "players": 4, "rob": "smuggle", "hands": "seen"},
    {"opponents": "heuristic", "players": 3, "rulebook": "cs", "deal": "balanced"},
]


def play_game(env: ThiefEnv, seed: int) -> tuple[list[int], float]:
    """Plays any legal action to the end; the actions, and what they have brought."""
    env.action_space.seed(seed)
    _, info = env.reset(seed=seed)
    actions: list[int] = []
    while True:
        action = env.action_space.sample(info["action_mask"])
        actions.append(int(action))
        _, reward, terminated, truncated, info = env.step(action)
        if terminated or truncated:
            return actions, reward
        assert reward == 0


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_their_check(table: dict[str, Any]) -> None:
    env = gymnasium.make(ID, **table).unwrapped
    assert isinstance(env, ThiefEnv)
    check_env(env)


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_the_learner_is_always_on(table: dict[str, Any]) -> None:
    env = ThiefEnv(**table)
    row, info = env.reset(seed=1)
    for _ in range(60):
        assert row[FEATURES.index("seat : is on turn")] == 1
        assert env.game_state.seat == env.seat == info["seat"]
        assert np.array_equal(env.action_masks(), info["action_mask"])
        assert env.action_masks().dtype == np.bool_
        row, _, terminated, _, info = env.step(env.action_space.sample(info["action_mask"]))
        if terminated:
            row, info = env.reset()


def test_the_same_seed_brings_the_same_game() -> None:
    first, second = (play_game(ThiefEnv("random", 3), seed=5) for _ in range(2))
    assert first == second != play_game(ThiefEnv("random", 3), seed=6)


def test_the_strong_beat_who_plays_anything() -> None:
    env = ThiefEnv("heuristic", 3, max_turns=600)
    results = [play_game(env, seed)[1] for seed in range(20)]
    assert set(results) == {-0.5}
    assert play_game(ThiefEnv("random", 2, seat=1), seed=3)[1] in (-1, 1)


def test_the_learner_sits_anywhere_or_where_it_is_told() -> None:
    env = ThiefEnv("random", 4)
    assert {env.reset(seed=seed)[1]["seat"] for seed in range(40)} == {0, 1, 2, 3}
    env = ThiefEnv("random", 4, seat=2)
    assert {env.reset(seed=seed)[1]["seat"] for seed in range(5)} == {2}


def test_an_illegal_action_loses_and_says_why() -> None:
    env = ThiefEnv("random")
    env.reset(seed=1)
    _, reward, terminated, truncated, info = env.step(ACTION_OF["."])
    assert (reward, terminated, truncated) == (-1, True, False)
    assert info["illegal"] == "R6: guards are still being placed"
    with pytest.raises(gymnasium.error.ResetNeeded):
        ThiefEnv("random").step(0)
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(ACTION_OF["@R"])


def test_a_number_with_a_fraction_is_no_action() -> None:
    env = ThiefEnv("random")
    env.reset(seed=1)
    with pytest.raises(TypeError):
        env.step(0.5)  # type: ignore[arg-type]
    assert not env.step(ACTION_OF["@R"])[2]


@pytest.mark.parametrize("opponents", ["random", "neural", "expert"])
def test_a_copy_goes_on_by_itself(opponents: str) -> None:
    env = ThiefEnv(opponents, simulations=8)
    _, info = env.reset(seed=1)
    twins = env, copy.deepcopy(env), pickle.loads(pickle.dumps(env))
    rows = []
    for twin in twins:
        legal = np.flatnonzero(info["action_mask"])
        rows.append(twin.step(legal[0])[0].tolist())
    assert rows[0] == rows[1] == rows[2]


def test_humans_are_shown_every_step(capsys: pytest.CaptureFixture[str]) -> None:
    env = ThiefEnv("random", render_mode="human")
    _, info = env.reset(seed=1)
    env.step(env.action_space.sample(info["action_mask"]))
    assert capsys.readouterr().out.count("palace    chest") == 2


def test_a_limit_of_turns_truncates() -> None:
    env = ThiefEnv("random", max_turns=3)
    _, info = env.reset(seed=1)
    terminated = truncated = False
    while not (terminated or truncated):
        _, reward, terminated, truncated, info = env.step(
            env.action_space.sample(info["action_mask"])
        )
    assert (reward, terminated, truncated) == (0, False, True)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"opponents": "nobody"}, "opponents: maruf, .*, not nobody"),
        ({"opponents": ["random"], "players": 3}, "opponents: 2 of them, not 1"),
        ({"seat": 2}, "seat: 0 to 1"),
        ({"players": 5}, "players: 2, 3 or 4"),
        ({"deal": "6-8-9"}, "deal: a number from 1 to 25"),
        ({"rulebook": "de", "rob": "arrival"}, "rob: smuggle by the rulebook de"),
        ({"render_mode": "rgb_array"}, "render_mode: human, ansi, svg"),
    ],
)
def test_odd_tables_are_refused(wrong: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        ThiefEnv(**wrong)


def test_drawn_is_what_the_learner_sees() -> None:
    env = ThiefEnv("random", hands="seen", seat=1, render_mode="ansi")
    env.reset(seed=1)
    lines = str(env.render()).splitlines()
    assert lines[-2].startswith(">seat 2: ")
    held = lines[-2].rpartition(": ")[2].replace(" ", "")
    assert len(held) == 7
    assert lines[-3].endswith("cards in hand 6")
