"""R7, R26: what a learner sees is what its seat may know, and means what the documents say."""

from random import Random

import numpy as np
import numpy.typing as npt
import pytest

from baghdad import CHANCE, Game, Options
from baghdad.rules.engine.actions import ACTION_COUNT
from baghdad.rules.engine.dealer import new_rng
from baghdad.rules.engine.legality import empty_rows
from baghdad.rules.engine.observation import (
    FEATURES,
    HIGH,
    LATER_AT,
    LATER_FEATURES,
    OBSERVATION_SIZE,
    OBSERVATION_VERSION,
    VersionError,
    check_versions,
    observe,
    versions,
    write_mask,
)
from baghdad.rules.engine.state import State
from support.tables import (
    EVERY_TABLE,
    NAMING,
    Manner,
    asking,
    new_game,
    table,
    thieving,
)


def seen(state: State, observer: int) -> npt.NDArray[np.int8]:
    row = np.full(OBSERVATION_SIZE, -1, np.int8)
    observe(state, observer, row)
    return row


def told(game: Game, observer: int) -> dict[str, int]:
    return dict(zip(FEATURES, seen(game.state, observer).tolist(), strict=True))


def mask(state: State, observer: int) -> list[int]:
    legal = np.full(ACTION_COUNT, -1, np.int8)
    write_mask(state, observer, empty_rows(), legal)
    return np.flatnonzero(legal).tolist()


def positions(options: Options, seed: int, count: int, manner: Manner = thieving) -> list[Game]:
    random, game = Random(seed), new_game(options)
    found: list[Game] = []
    while len(found) < count and not game.over:
        found.append(game.copy())
        if game.to_move == CHANCE:
            game.deal(random.randrange(1 << 30))
        else:
            game.play(manner(game.legal_tokens(), random))
    return found


@pytest.mark.parametrize("options", [*EVERY_TABLE, *NAMING], ids=str)
def test_hidden_cards_change_nothing_that_a_learner_sees(options: Options) -> None:
    rng, others = new_rng("unseen"), 0
    for game in positions(options, seed=3, count=120):
        for observer in range(options.players):
            other = game.view(observer).determinize(rng)
            others += other.tobytes() != game.state.tobytes()
            assert np.array_equal(seen(other, observer), seen(game.state, observer))
            assert mask(other, observer) == mask(game.state, observer)
    assert others > 60


@pytest.mark.parametrize("options", NAMING, ids=str)
def test_whether_the_stack_holds_a_named_card_is_not_seen(options: Options) -> None:
    """R23, while the cards are due and after others have drawn them."""
    rng, worlds = new_rng("named"), set()
    for game in positions(options, seed=1, count=170, manner=asking):
        named, drawer = int(game.state.named), int(game.state.seat)
        for observer in 4 * [*range(options.players)]:
            other = Game.from_state(game.view(observer).determinize(rng))
            assert np.array_equal(seen(other.state, observer), seen(game.state, observer))
            if named < 0 or observer == drawer:
                continue
            worlds.add((bool(game.state.deck[named]), bool(other.state.deck[named])))
            drawn = game.copy()
            for each in (drawn, other):
                each.deal(7)
            assert np.array_equal(seen(other.state, observer), seen(drawn.state, observer))
            assert mask(other.state, observer) == mask(drawn.state, observer)
    assert len(worlds) > 1


@pytest.mark.parametrize("options", [*EVERY_TABLE, *NAMING], ids=str)
def test_every_number_stays_within_its_bounds(options: Options) -> None:
    for game in positions(options, seed=4, count=200):
        for observer in range(options.players):
            row = seen(game.state, observer)
            assert (row >= 0).all()
            assert (row <= HIGH).all()


def test_the_mask_is_that_of_the_seat_on_turn_alone() -> None:
    for game in positions(Options(3), seed=5, count=100):
        for observer in range(3):
            expected = game.legal() if observer == game.to_move else []
            assert mask(game.state, observer) == expected


def test_a_palace_is_seen_from_the_observers_chair() -> None:
    game = table(
        3,
        guards={"G": "13n"},
        thieves={"G": "1122333"},
        hands=["GG*", "R", "G"],
        discard="GGGB",
        chests={"G": 2},
        loot=[1, 0, 2],
        seat=3,
    )
    view = {name: n for name, n in told(game, 2).items() if name.startswith("palace 2")}
    assert list(view.values()) == [1, 1, 0, 0, 1, 1, 3, 2, 2, 0, 2, 6, 1, 3, 13, 0]
    assert told(game, 1)["palace 2: guards of the observer"] == 0
    assert told(game, 1)["palace 2: guards of the next seat"] == 1
    assert told(game, 1)["palace 2: cards in the observer's hand"] == 0


def test_seats_are_counted_from_the_observer_on() -> None:
    game = table(3, hands=["GG*", "R", "G"], loot=[1, 0, 2], seat=3)
    view = told(game, 1)
    assert [view[f"seat {'+' * n}: cards in hand"] for n in range(4)] == [1, 1, 3, 0]
    assert [view[f"seat {'+' * n}: dancers in hand"] for n in range(4)] == [0, 0, 1, 0]
    assert [view[f"seat {'+' * n}: chests taken"] for n in range(4)] == [0, 2, 1, 0]
    assert [view[f"seat {'+' * n}: chests to go"] for n in range(4)] == [5, 3, 4, 0]
    assert [view[f"seat {'+' * n}: is on turn"] for n in range(4)] == [0, 1, 0, 0]
    assert [view[f"seat {'+' * n}: plays"] for n in range(4)] == [1, 1, 1, 0]


def test_the_table_tells_options_and_phase() -> None:
    game = Game(4, variant="neutral", rob="smuggle", hands="seen", seed=1)
    view = told(game, 0)
    assert view["table: 4 players"] == view["table: neutral variant"] == 1
    assert view["table: only smugglers rob"] == view["table: hands are seen"] == 1
    assert view["table: guards are placed"] == 1
    assert view["table: a turn"] == view["table: 2 players"] == 0
    assert view["table: cards in the stack"] == 72
    assert view["seat : neutral guards to place"] == 2


def test_what_came_later_stands_at_the_end() -> None:
    game = Game(3, spare="chosen", deal=(6, 7, 9), hands="seen", seed=1)
    later = {name: n for name, n in told(game, 1).items() if name in LATER_FEATURES}
    assert list(later.values()) == [1, 0, 0, 0, 0, 0, 0, 7, 9, 6, 0]
    assert list(told(Game(2), 1).values())[LATER_AT:] == [0] * 7 + [7, 6, 0, 0]


def test_a_named_palace_is_seen_by_all_until_the_cards_have_come() -> None:
    """R23; which of them came, and whether the stack had it, by nobody but the drawer."""
    game = table(3, hands=["********", "", ""], seat=2, spare="chosen")
    game.play("-P")
    for observer in range(3):
        view = told(game, observer)
        assert [view[f"palace {palace}: named"] for palace in range(1, 7)] == [0, 0, 0, 1, 0, 0]
        assert view["table: cards to come"] == 4
    game.play("=PRRG")
    rows = [told(game, observer) for observer in range(3)]
    assert not any(row[f"palace {palace}: named"] for row in rows for palace in range(1, 7))


def test_rotated_seats_see_the_same_rotated_table() -> None:
    """What seat 1 sees is what seat 2 sees when everybody has moved up a chair."""
    game = table(
        2, guards={"R": "1n", "B": "22"}, thieves={"R": "112"}, hands=["RG*", "BBBB"], loot=[1, 2]
    )
    moved = table(
        2,
        guards={"R": "2n", "B": "11"},
        thieves={"R": "221"},
        hands=["BBBB", "RG*"],
        loot=[2, 1],
        seat=2,
    )
    state = moved.state
    state.first_hands[:2] = 7, 6
    assert np.array_equal(seen(game.state, 0), seen(state, 1))
    assert mask(game.state, 0) == mask(state, 1)


def test_a_row_of_any_type_holds_the_same_numbers() -> None:
    state = Game(3, seed=1).state
    row = np.empty(OBSERVATION_SIZE, np.float32)
    observe(state, 1, row)
    assert np.array_equal(row, seen(state, 1))


def test_what_was_made_for_another_version_is_refused() -> None:
    assert OBSERVATION_VERSION == 2
    assert OBSERVATION_SIZE == len(FEATURES) == len(set(FEATURES)) == len(HIGH) == 155
    check_versions(versions() | {"name": "something else"})
    for name in versions():
        with pytest.raises(VersionError, match=f"made for {name} 0"):
            check_versions(versions() | {name: 0})
    with pytest.raises(VersionError, match="made for observation None"):
        check_versions({})
