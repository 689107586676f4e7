"""Native code and the module play the same game, byte for byte."""

from random import Random

import numpy as np
import pytest

from baghdad import Game, MoveError, Options
from baghdad.rules.engine.actions import ACTION_COUNT, ROWS, TOKENS
from baghdad.rules.engine.dealer import new_rng
from baghdad.rules.engine.legality import empty_ids, empty_rows
from baghdad.rules.engine.material import PALACE_LETTERS
from baghdad.rules.engine.observation import OBSERVATION_SIZE
from baghdad.rules.engine.refusals import REASONS
from baghdad.rules.engine.state import STATE, States
from baghdad.rules.engine.views import VIEW
from baghdad.rules.notation import read_records, read_token
from baghdad.rules.setup import choices_of, new_states
from baghdad.wasm.all_exports import SUBJECTS
from baghdad.wasm.exports.export import MARKED
from support.make_data import DATA
from support.tables import EVERY_TABLE, NAMING
from support.webassembly import Both

TABLES = [*EVERY_TABLE, *NAMING]
RECORDS = sorted(DATA.glob("*.txt"))
STEPS = 3_000
CHUNK = 250
assert STATE.fields
OPTIONS_AT = STATE.fields["players"][1]
"""Where in a state the numbers end that a position may have wrong."""


@pytest.fixture(scope="module")
def both() -> Both:
    return Both()


def begun(options: Options, both: Both) -> States:
    hands = np.zeros(4, np.int8)
    hands[: options.players] = options.deal
    states = np.zeros(1, STATE)
    states["turn"] = 99  # it doesn't matter what was there
    both("new_game", states, *choices_of(options), hands)
    return states


@pytest.mark.parametrize("options", TABLES, ids=str)
def test_random_games_are_the_same(options: Options, both: Both) -> None:
    states, start = begun(options, both), new_states(options)
    assert states.tobytes() == start.tobytes()
    rng, rows = new_rng("same game"), np.zeros(ROWS, np.int64)
    games = 0
    for _ in range(STEPS // CHUNK):
        games += both("random_steps", states, start, rng, rows, CHUNK)
    assert games > 0 or states["turn"] > 0


def look(states: States, seat: int, rng: np.ndarray, both: Both) -> None:
    """All that can be asked about a position."""
    rows, ids, mask = empty_rows(), empty_ids(), np.zeros(ACTION_COUNT, np.int8)
    both("legal_rows", states, rows)
    both("legal_mask", rows, mask)
    count = both("legal_ids", rows, ids)
    assert count == both("count_legal", rows) == mask.sum()
    for n in range(0, count, 5):
        assert both("nth_legal", rows, n) == ids[n]
    for action in (0, ids[0], ACTION_COUNT - 1):
        assert both("is_legal", rows, int(action)) == mask[action]
    view, guess = np.zeros(1, VIEW), np.zeros(1, STATE)
    both("fill_view", states, -1, view)
    both("fill_view", states, seat, view)
    both("determinize", view, rng, guess)
    again = np.zeros(1, VIEW)
    both("fill_view", guess, seat, again)
    assert again.tobytes() == view.tobytes(), "what is hidden from a seat does not show"
    row = np.zeros(OBSERVATION_SIZE, np.int8)
    both("observe", states, seat, row)
    both("observe", guess, seat, other := np.zeros_like(row))
    assert row.tobytes() == other.tobytes()
    both("write_mask", states, seat, rows, mask)
    both("wrong_moment", states, -1, np.zeros(2, np.int32))
    assert both("wrong_part", states) == -1
    broken = states.copy()
    broken.view(np.int8)[int(rng[0]) % OPTIONS_AT] += 1
    both("wrong_part", broken)
    both("seat_in_turn", states)


def draw(states: States, random: Random, rng: np.ndarray, both: Both) -> None:
    """The cards of a chance step, by one of the ways in which they can come."""
    match random.randrange(4):
        case 0:
            both("deal", states, rng)
        case 1:
            both("deal_all", states, rng)
        case 2:
            for _ in range(int(states["due"][0])):
                both("reveal_any", states, rng)
            both("settle", states)
        case 3:
            twin, cards = states.copy(), []
            for _ in range(int(states["due"][0])):
                size = both("refill", twin)
                cards.append(both("reveal_at", twin, both("below", rng, size)))
            both("settle", twin)
            answer = np.zeros(2, np.int32)
            wrong = states.copy()
            given = np.array([*cards, 0], np.int8)
            assert both("try_draw", wrong, given, len(given), -1, answer) >= 0
            assert both("try_draw", states, given[:-1].copy(), len(cards), 4, answer) == -1
            assert states.tobytes() == twin.tobytes()


@pytest.mark.parametrize("options", TABLES, ids=str)
def test_all_that_can_be_asked_and_done_is_the_same(options: Options, both: Both) -> None:
    states, random, rng = begun(options, both), Random(1), np.zeros(4, np.int64)
    both("set_seed", rng, np.frombuffer(new_rng(3).astype(np.uint32).tobytes(), np.uint32).copy())
    for _ in range(60):
        look(states, random.randrange(options.players), rng, both)
        if both("awaits_chance", states):
            draw(states, random, rng, both)
            continue
        rows = empty_rows()
        both("legal_rows", states, rows)
        if (count := both("count_legal", rows)) == 0:
            break
        both("play", states, both("nth_legal", rows, random.randrange(count)))
    both("copy_state", states, twin := np.zeros(1, STATE))
    assert twin.tobytes() == states.tobytes()
    both("end_game", states, 1)


@pytest.mark.parametrize("options", TABLES[::3], ids=str)
def test_refusals_are_those_of_a_game(options: Options, both: Both) -> None:
    """For all actions, in positions from all over a game; as the error in Python says it."""
    random, game, answer = Random(2), Game.with_options(options, seed=5), np.zeros(2, np.int32)
    while game.turns < 25 and not game.over:
        legal = game.legal()
        if random.random() < 0.3:
            states = game.states()
            for action in {*range(ACTION_COUNT)} - {*legal}:
                reason = REASONS[both("refusal", states, action, answer)]
                values = {
                    name: PALACE_LETTERS[answer[0]] if name == "palace" else answer[1]
                    for name in reason.names
                }
                with pytest.raises(MoveError) as refused:
                    game.play(action)
                assert (refused.value.key, refused.value.rule) == reason[:2]
                assert refused.value.values == values
        game.play(random.choice(legal))


@pytest.mark.parametrize("path", RECORDS[::2], ids=lambda path: path.stem)
def test_records_are_replayed(path, both: Both) -> None:  # type: ignore[no-untyped-def]
    record = read_records(path.read_text("utf-8"))[0]
    states, answer = begun(record.options, both), np.zeros(2, np.int32)
    for token in record.tokens:
        move = read_token(token.text)
        if isinstance(move, tuple):
            cards = np.array(move, np.int8)
            assert both("try_draw", states, cards, len(cards), -1, answer) == -1
        else:
            rows = empty_rows()
            both("legal_rows", states, rows)
            assert both("is_legal", rows, move), TOKENS[move]
            both("play", states, move)
    game = Game.from_record(record)
    assert game.termination or states.tobytes() == game.states().tobytes()


def test_every_function_of_a_game_was_compared(both: Both) -> None:
    options = Options(2)
    test_random_games_are_the_same(options, both)
    test_all_that_can_be_asked_and_done_is_the_same(options, both)
    test_refusals_are_those_of_a_game(options, both)
    mine = {subject.__name__ for subject in SUBJECTS[:3]}
    assert both.called == {
        name for name, each in MARKED.items() if each.function.__module__ in mine
    }
