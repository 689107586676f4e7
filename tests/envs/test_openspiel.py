"""The game in OpenSpiel, by OpenSpiel's own tests, by shimmy and PettingZoo, and by the rules."""

from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pyspiel
import pytest
from absl import flags
from hypothesis import given, settings
from hypothesis import strategies as st
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import generate_playthrough, ismcts, mcts
from open_spiel.python.observation import INFO_STATE_OBS_TYPE, make_observation
from pettingzoo.test import api_test
from shimmy import OpenSpielCompatibilityV0

from baghdad import (
    Game,
    NotAMoveError,
    Options,
    OutOfTurnError,
)
from baghdad.envs.openspiel import NAME, longest
from baghdad.rules.engine.observation import OBSERVATION_SIZE

PLAYTHROUGH = Path(__file__).parents[1] / "data" / "openspiel.playthrough"
"""Made by `generate_playthrough.playthrough("python_baghdad(max_turns=3)", None, seed=1)`."""
UNHEARD_OF = pyspiel.IIGObservationType(public_info=False, perfect_recall=False)
TABLES = [
    "max_turns=60",
    "players=3,hands=seen,max_turns=30",
    "players=4,variant=neutral,rob=smuggle,max_turns=30",
    "spare=chosen,deal=6_8,max_turns=60",
    "players=3,rulebook=cs,deal=balanced,max_turns=30",
]


def load(parameters: str) -> Any:
    return pyspiel.load_game(f"{NAME}({parameters})")


def play_on(state: Any, random: Random, until: int = 10_000) -> None:
    """Plays at random, chance by its odds."""
    while not state.is_terminal() and len(state.history()) < until:
        if state.is_chance_node():
            cards, odds = zip(*state.chance_outcomes(), strict=True)
            assert sum(odds) == pytest.approx(1)
            state.apply_action(random.choices(cards, odds)[0])
        else:
            state.apply_action(random.choice(state.legal_actions()))


@pytest.mark.parametrize("table", TABLES)
def test_their_random_simulations_with_serialisation_and_masks(table: str) -> None:
    pyspiel.random_sim_test(load(table), num_sims=2, serialize=True, verbose=False, mask_test=True)


def test_their_playthrough_is_what_it_was() -> None:
    flags.FLAGS.mark_as_parsed()  # their generator asks for its options
    before, now = generate_playthrough.replay(str(PLAYTHROUGH))
    assert now == before


@pytest.mark.parametrize("players", [2, 4])
def test_shimmy_brings_it_back_to_pettingzoo(players: int, monkeypatch: pytest.MonkeyPatch) -> None:
    # Shimmy's spaces have no bounds, which PettingZoo allows only to those on its lists.
    tests = import_module("pettingzoo.test.api_test")
    for known in ("env_neg_inf_obs", "env_pos_inf_obs"):
        names = [*getattr(tests, known), OpenSpielCompatibilityV0.metadata["name"]]
        monkeypatch.setattr(tests, known, names)
    config = {"players": players, "max_turns": 20}
    api_test(OpenSpielCompatibilityV0(game_name=NAME, config=config), num_cycles=120)


@pytest.mark.parametrize("table", TABLES)
def test_a_state_comes_back_from_text_and_goes_on_alike(table: str) -> None:
    game = load(table)
    state = game.new_initial_state()
    play_on(state, Random(1), until=60)
    _, again = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))
    twin = state.clone()
    for other in (again, twin):
        assert str(other) == str(state)
        assert other.states.tobytes() == state.states.tobytes()
    before = str(twin)
    play_on(state, Random(2))
    play_on(again, Random(2))
    assert str(again) == str(state)
    assert str(twin) == before


def test_options_are_those_of_a_table() -> None:
    for told, options in [
        ("", Options()),
        ("deal=6_8", Options(2, deal=(6, 8))),
        ("players=4,deal=balanced", Options(4, deal=(8, 7, 8, 9))),
        ("players=3,rulebook=12thieves", Options(3, rulebook="12thieves")),
        ("rob=smuggle,spare=chosen", Options(2, rob="smuggle", spare="chosen")),
    ]:
        game = load(told)
        assert game.options == options
        assert pyspiel.load_game(str(game)).options == options
    game = pyspiel.load_game(NAME, {"players": 2, "deal": "6-8"})
    assert game.options == pyspiel.load_game(str(game)).options == Options(2, deal=(6, 8))
    for wrong, words in [
        ("deal=6_8_9", "for each of 2 seats"),
        ("rulebook=nl,rob=smuggle", "rob: arrival by the rulebook nl"),
        ("spare=any", "spare: stack or chosen"),
    ]:
        with pytest.raises(ValueError, match=words):
            load(wrong)


def test_a_named_card_comes_first_where_the_stack_has_one() -> None:
    state = load("spare=chosen").new_initial_state()
    for token in ("@R", "@G", "@W", "@P", "@Y", "@B", "@R", "@G"):
        state.apply_action(state.string_to_action(token))
    for card in "RRGWPY" + "BBBBBBB":
        state.apply_action("RGWPYB".index(card))
    assert "-G" not in [state.action_to_string(action) for action in state.legal_actions()]
    state.states[0].hands[1, 6], state.states[0].dancers = 8, 0
    held, missing = state.clone(), state.clone()
    for which in (held, missing):
        which.states[0] = state.states[0]
    missing.states[0].deck[1], missing.states[0].discard[0] = 0, 15
    for which in (held, missing):
        which.refresh()
        which.apply_action(which.string_to_action("-G"))
        assert which.information_state_string(1).endswith(" -G")
    assert held.chance_outcomes() == [(1, 1.0)]
    assert [card for card, _ in missing.chance_outcomes()] == [0, 2, 3, 4, 5]
    held.apply_action(1)
    missing.apply_action(2)
    for which in (held, missing):
        assert len(which.chance_outcomes()) > 1
        assert which.information_state_string(1).endswith(" -G 1=?")
    row = {state.observation_string(0) for state in (held, missing)}
    assert len(row) == 2


@pytest.mark.parametrize(
    ("told", "game"),
    [
        ("players=3,max_turns=40", Game(3)),
        ("spare=chosen,deal=12_1,max_turns=60", Game(2, spare="chosen", deal="12-1")),
    ],
)
def test_it_is_the_same_game(told: str, game: Game) -> None:
    """What OpenSpiel plays can be played, move by move, in a `Game`."""
    state, cards = load(told).new_initial_state(), ""
    random = Random(4)
    while not state.is_terminal():
        assert state.is_chance_node() == (game.legal_tokens() == ["="])
        if state.is_chance_node():
            card = random.choice([card for card, _ in state.chance_outcomes()])
            cards += state.action_to_string(card)[1:]
            state.apply_action(card)
            if len(cards) == game.due:
                game.play(f"={cards}")
                cards = ""
        else:
            assert state.legal_actions() == game.legal()
            action = random.choice(state.legal_actions())
            game.play(state.action_to_string(action))
            state.apply_action(action)
    assert game.turns == state.max_turns
    assert state.states[0].tobytes() == game.state.tobytes()
    assert state.returns() == [0] * game.options.players


def test_who_wins_gets_one_and_the_others_share_the_loss() -> None:
    state = load("players=3,max_turns=5000").new_initial_state()
    play_on(state, Random(1), until=60_000)
    winner = int(state.states["winner"][0])
    assert winner >= 0
    assert state.returns() == [1 if seat == winner else -0.5 for seat in range(3)]


def test_a_player_recalls_its_own_cards_and_only_that_others_drew() -> None:
    state = load("").new_initial_state()
    for token in ("@R", "@G", "@W", "@P", "@Y", "@B", "@R", "@G"):
        state.apply_action(state.string_to_action(token))
    for card in "RRGWPY" + "BBBBBBB":
        state.apply_action("RGWPYB".index(card))
    placed = "@R @G @W @P @Y @B @R @G"
    assert state.information_state_string(0) == (
        f"seat 1: {placed} 1=R 1=R 1=G 1=W 1=P 1=Y 2=? 2=? 2=? 2=? 2=? 2=? 2=?"
    )
    assert state.information_state_string(1) == (
        f"seat 2: {placed} 1=? 1=? 1=? 1=? 1=? 1=? 2=B 2=B 2=B 2=B 2=B 2=B 2=B"
    )
    assert "RR G W P Y" in state.observation_string(0)
    assert "RR G W P Y" not in state.observation_string(1)


def test_others_cards_do_not_show_in_what_a_player_is_given() -> None:
    """Two deals that seat 1 can't tell apart, and seat 2 can."""
    game = load("hands=seen")
    one, other = game.new_initial_state(), game.new_initial_state()
    for card in "RRGWPY":
        one.apply_action("RGWPYB".index(card))
        other.apply_action("RGWPYB".index(card))
    for card, instead in zip("BBBBGGG", "YYYRRRW", strict=True):
        one.apply_action("RGWPYB".index(card))
        other.apply_action("RGWPYB".index(instead))
    for kind in (None, INFO_STATE_OBS_TYPE):
        observer = make_observation(game, kind)
        seen = []
        for state in (one, other):
            for player in (0, 1):
                observer.set_from(state, player)
                seen.append((observer.tensor.tolist(), observer.string_from(state, player)))
        assert seen[0] == seen[2]
        assert seen[1] != seen[3]


def test_what_may_not_be_played_is_refused() -> None:
    state = load("").new_initial_state()
    for wrong, error in [(13, OutOfTurnError), (400, NotAMoveError), (-5, NotAMoveError)]:
        with pytest.raises(error):
            state.apply_action(wrong)
    for token in ("@R", "@G", "@W", "@P", "@Y", "@B", "@R", "@G"):
        state.apply_action(state.string_to_action(token))
    state.states["deck"][0, 0] = 0
    state.refresh()
    before = state.states.tobytes(), len(state.events)
    for wrong in (0, 6, -2):
        with pytest.raises(ValueError, match=f"not {wrong}"):
            state.apply_action(wrong)
    assert (state.states.tobytes(), len(state.events)) == before


def test_what_a_player_sees_is_the_same_as_text_and_as_numbers() -> None:
    """Wherever two positions look different as numbers, they do as text."""
    state, random = load("players=3,max_turns=40").new_initial_state(), Random(5)
    seen: dict[str, list[float]] = {}
    while not state.is_terminal():
        row = state.observation_tensor(0)
        assert seen.setdefault(state.observation_string(0), row) == row
        play_on(state, random, until=len(state.history()) + 1)
    assert len(seen) > 200


def test_the_tensors_have_the_promised_shapes() -> None:
    game = load("max_turns=10")
    assert game.observation_tensor_shape() == [OBSERVATION_SIZE]
    assert game.information_state_tensor_shape() == [OBSERVATION_SIZE + longest(game.options, 10)]
    observer = make_observation(game, INFO_STATE_OBS_TYPE)
    state = game.new_initial_state()
    observer.set_from(state, 0)
    assert not observer.dict["history"].any()
    play_on(state, Random(3))
    observer.set_from(state, 0)
    events = observer.dict["history"]
    assert np.count_nonzero(events) == len(state.history()) < longest(game.options, 10)
    assert make_observation(game, UNHEARD_OF) is None
    with pytest.raises(ValueError, match="no parameters"):
        make_observation(game, params={"colour": "red"})


@settings(deadline=None, max_examples=40)
@given(st.sampled_from(TABLES), st.integers(0, 700), st.integers(0, 2**32))
def test_a_resampled_state_is_one_that_the_player_cannot_tell_apart(
    table: str, length: int, seed: int
) -> None:
    game, random = load(table), Random(seed)
    state = game.new_initial_state()
    play_on(state, random, until=length)
    for player in range(game.num_players()):
        other = state.resample_from_infostate(player, random.random)
        for tell in ("information_state_string", "observation_string"):
            assert getattr(other, tell)(player) == getattr(state, tell)(player)
        for numbers in ("information_state_tensor", "observation_tensor"):
            seen = [np.array(getattr(which, numbers)(player)) for which in (other, state)]
            assert seen[0].tobytes() == seen[1].tobytes()
        assert other.current_player() == state.current_player()
        assert len(other.history()) == len(state.history())
        twin = other.clone()
        again = game.new_initial_state()
        for action in other.history():
            again.apply_action(action)
        assert again.states.tobytes() == twin.states.tobytes() == other.states.tobytes()
        play_on(twin, random)
        assert twin.is_terminal()
        assert sum(twin.returns()) == pytest.approx(0)


@pytest.mark.parametrize("table", TABLES)
def test_other_cards_are_found_where_payments_stay_as_they_were(
    table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("baghdad.envs.openspiel.ATTEMPTS", 1)  # none of them without
    state = load(table).new_initial_state()
    play_on(state, Random(3), until=300)
    other = state.resample_from_infostate(0, Random(3).random)
    assert other.information_state_string(0) == state.information_state_string(0)
    assert other.information_state_string(1) != state.information_state_string(1)


def test_a_resampled_state_is_decided_by_the_sampler_and_not_by_the_hidden_cards() -> None:
    game = load("hands=seen")
    one, other = game.new_initial_state(), game.new_initial_state()
    for mine, theirs in zip("RRGWPYBBBBGGG", "RRGWPYYYYRRRW", strict=True):
        one.apply_action("RGWPYB".index(mine))
        other.apply_action("RGWPYB".index(theirs))
    assert one.history() != other.history()
    again = {str(state.resample_from_infostate(0, Random(7).random)) for state in (one, other)}
    assert len(again) == 1
    assert len({str(one.resample_from_infostate(0, Random(n).random)) for n in range(9)}) == 9


@pytest.mark.parametrize("table", ["max_turns=2", "players=3,max_turns=2"])
@pytest.mark.parametrize("kind", ["ismcts", "mcts"])
def test_their_searches_play_a_game(table: str, kind: str) -> None:
    game, seed = load(table), np.random.RandomState(1)
    rollouts = mcts.RandomRolloutEvaluator(1, seed)
    bots = {
        "ismcts": lambda: ismcts.ISMCTSBot(game, rollouts, 2.0, 10, random_state=seed),
        "mcts": lambda: mcts.MCTSBot(game, 2.0, 10, rollouts, random_state=seed),
    }
    bot, state, random = bots[kind](), game.new_initial_state(), Random(1)
    while not state.is_terminal():
        if state.is_chance_node():
            play_on(state, random, until=len(state.history()) + 1)
        else:
            state.apply_action(int(bot.step(state)))
    assert len(state.history()) > 20


def test_their_environment_for_learners_plays_a_game() -> None:
    env = rl_environment.Environment(load("players=3,max_turns=10"), chance_event_sampler=None)
    now, random, steps = env.reset(), Random(2), 0
    while not now.last():
        player = now.observations["current_player"]
        legal = now.observations["legal_actions"][player]
        assert (
            len(now.observations["info_state"][player]) == env.observation_spec()["info_state"][0]
        )
        now = env.step([random.choice(legal)])
        steps += 1
    assert now.rewards == [0, 0, 0]
    assert steps > 10


def test_nothing_can_be_played_after_the_end() -> None:
    state = load("max_turns=1").new_initial_state()
    play_on(state, Random(1))
    assert state.legal_actions() == []
    with pytest.raises(ValueError, match="the game is over"):
        state.apply_action(13)
