"""The ledger of luck: it adds up, draws are fair, and nobody's turn is luck."""

from math import comb
from random import Random

import numpy as np
import pytest

from baghdad import CHANCE, Game, Options
from baghdad.analysis import Ledger, UnfinishedGameError, luck
from baghdad.analysis.engine import ahead
from baghdad.analysis.engine.draws import SAMPLES, SPREAD, WAYS, spread
from baghdad.analysis.ledgers import Lookahead
from baghdad.bots import Budget, make_bot
from baghdad.bots.playing import play_to_end
from baghdad.bots.value.chances import open_chances
from baghdad.bots.value.network import load_open
from baghdad.jit.compiler import COMPILED
from baghdad.rules.engine.dealer import deal, new_rng
from baghdad.rules.engine.material import DRAWING, OVER
from baghdad.rules.engine.state import STATE, State, States
from support.played import random_game
from support.positions import TABLES
from support.tables import new_game, thieving

pytestmark = pytest.mark.skipif(not COMPILED, reason="networks need compiled rules")

ENDS = ("resigned", "agreed", "abandoned", "turn limit")


def check_books(ledger: Ledger) -> None:
    """Everything adds up, and over seats and nobody every draw is worth nothing."""
    worths = [draw.worth for draw in ledger.draws] + [turn.worth for turn in ledger.turns]
    for seat in range(5):
        sums = ledger.start[seat] + sum(worth[seat] for worth in worths)
        assert sums == pytest.approx(ledger.result[seat], abs=1e-9)
        parts = ledger.cards(seat) + ledger.own_turns(seat) + ledger.other_turns(seat)
        assert ledger.start[seat] + parts == pytest.approx(ledger.result[seat], abs=1e-9)
        turns = ledger.own_turns(seat) + ledger.other_turns(seat)
        assert ledger.adjusted(seat) == pytest.approx(ledger.start[seat] + turns, abs=1e-9)
    for worth in worths:
        assert sum(worth) == pytest.approx(0, abs=1e-9)
    assert sum(ledger.start) == pytest.approx(1, abs=1e-9)


@pytest.mark.parametrize("options", TABLES, ids=str)
@pytest.mark.parametrize("turns", [5, 25])
def test_ledgers_of_random_games_add_up(options: Options, turns: int) -> None:
    game = random_game(options, turns, turns)
    ledger = luck(game)
    check_books(ledger)
    cards = [at for at, token in enumerate(game.tokens) if token[0] == "="]
    assert [draw.at for draw in ledger.draws] == cards
    decided = sum(part.until - part.at for part in ledger.turns)
    assert decided == len(game.tokens) - len(cards)
    for part in ledger.turns:
        assert not any(token[0] == "=" for token in game.tokens[part.at : part.until])


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_game_that_was_won_ends_with_what_came_true(players: int) -> None:
    bots = [make_bot("zubaida") for _ in range(players)]
    game = play_to_end(Game(players=players, seed="luck"), bots, "luck", Budget())
    ledger = luck(game)
    check_books(ledger)
    assert ledger.result == tuple(float(seat == game.winner) for seat in range(5))
    assert ledger == luck(game.record())
    assert any(abs(draw.worth[0]) > 0.02 for draw in ledger.draws)
    last = ledger.turns[-1]
    assert last.until == len(game.tokens)
    assert last.seat == game.winner
    assert last.worth[last.seat] >= 0


@pytest.mark.parametrize("how", ENDS)
@pytest.mark.parametrize("tokens", [0, 5, 9, 10, 12, 30, 41])
def test_whoever_ends_a_game_without_a_move_pays_for_it(how: str, tokens: int) -> None:
    """Be it while guards are placed, hands are dealt, in a turn or when cards are to come."""
    game = stopped_at(tokens)
    if how == "resigned":
        game.resign(1)
    else:
        game.end(how)  # type: ignore[arg-type]
    ledger = luck(game)
    check_books(ledger)
    last = ledger.turns[-1]
    assert (last.at, last.until) == (tokens, tokens)
    assert last.seat == (1 if how == "resigned" else -1)
    assert len(ledger.draws) == sum(token[0] == "=" for token in game.tokens)
    if how == "resigned":
        assert last.worth[1] < 0
        assert ledger.result == (1, 0, 0, 0, 0)
    else:
        assert ledger.result == (0, 0, 0, 0, 1)


def stopped_at(tokens: int) -> Game:
    random, game = Random(4), new_game(Options(2))
    while len(game.tokens) < tokens:
        if game.to_move == CHANCE:
            game.deal(random.randrange(1 << 30))
        else:
            game.play(thieving(game.legal_tokens(), random))
    return game


def test_the_last_of_several_who_give_up_ends_the_game() -> None:
    game = Game(players=3, seed="given up")
    for seat in (2, 0, 1):
        game.play(game.legal()[0])
        game.resign(seat)
    last = luck(game).turns[-1]
    assert last.seat == 1
    assert last.worth[1] < 0


def test_a_game_that_goes_on_has_no_luck_yet() -> None:
    with pytest.raises(UnfinishedGameError):
        luck(Game(players=2, seed="running"))


# All that may come


def drawing(options: Options, seed: int, steps: int = 200) -> list[State]:
    """Positions in which somebody draws, of all kinds."""
    random, game, found = Random(seed), new_game(options), []
    for _ in range(steps):
        if game.over:
            break
        if game.to_move == CHANCE:
            if game.state.phase == DRAWING:
                found.append(game.state)
            game.deal(random.randrange(1 << 30))
        else:
            game.play(thieving(game.legal_tokens(), random))
    return found


def spread_of(state: State) -> tuple[States, np.ndarray]:
    after, weights = np.zeros(SPREAD, STATE), np.zeros(SPREAD)
    count = spread(state, new_rng("spread"), after, weights)
    return after[:count], weights[:count]


@pytest.mark.parametrize("options", TABLES, ids=str)
def test_ways_are_all_that_can_come_as_likely_as_they_are(options: Options) -> None:
    for state in drawing(options, 5)[::7]:
        after, weights = spread_of(state)
        assert len(after) <= WAYS
        assert weights.sum() == pytest.approx(1, abs=1e-12)
        ways = {each.tobytes(): weight for each, weight in zip(after, weights, strict=True)}
        assert len(ways) == len(after)
        often = dict.fromkeys(ways, 0)
        for number in range(400):
            once = np.array([state])
            deal(once[0], new_rng("often", number))
            often[once[0].tobytes()] += 1  # a way that is not among them is a KeyError
        likely = max(ways, key=lambda way: ways[way])
        assert often[likely] / 400 == pytest.approx(ways[likely], abs=0.12)


def with_stack(deck: tuple[int, ...], discard: tuple[int, ...], due: int, named: int = -1) -> State:
    """Cards are due from a stack that is nearly out."""
    state = drawing(Options(2, spare="chosen"), 5)[3]
    state.deck[:], state.discard[:], state.due, state.named = deck, discard, due, named
    return state


def test_a_stack_that_runs_out_is_made_anew_in_the_middle_of_a_draw() -> None:
    state = with_stack((1, 0, 1, 0, 0, 0), (0, 3, 0, 0, 2, 0), 4)
    after, weights = spread_of(state)
    seat = int(state.seat)
    gained = [tuple((each.hands[seat] - state.hands[seat]).tolist()) for each in after]
    assert {each[0] for each in gained} == {each[2] for each in gained} == {1}
    chances = {each[1]: weight for each, weight in zip(gained, weights, strict=True)}
    assert chances == pytest.approx({n: comb(3, n) * comb(2, 2 - n) / comb(5, 2) for n in range(3)})
    assert all(each.discard.sum() == 0 for each in after)


def test_a_draw_of_all_that_there_is_can_come_in_one_way() -> None:
    after, weights = spread_of(with_stack((1, 0, 1, 0, 0, 0), (0, 1, 0, 0, 1, 0), 4))
    assert len(after) == 1
    assert weights.tolist() == [1]
    assert after[0].deck.sum() == after[0].discard.sum() == 0


def test_a_named_card_comes_where_the_stack_has_it() -> None:
    after, weights = spread_of(with_stack((2, 0, 1, 0, 0, 3), (5, 0, 0, 0, 0, 0), 3, named=2))
    state = with_stack((2, 0, 1, 0, 0, 3), (5, 0, 0, 0, 0, 0), 3)
    seat = int(state.seat)
    gained = [(each.hands[seat] - state.hands[seat]).tolist() for each in after]
    assert all(each[2] == 1 for each in gained)
    expected = {n: comb(2, n) * comb(3, 2 - n) / comb(5, 2) for n in range(3)}
    found = {each[0]: weight for each, weight in zip(gained, weights, strict=True)}
    assert found == pytest.approx(expected)
    without = spread_of(with_stack((2, 0, 0, 0, 0, 3), (5, 0, 1, 0, 0, 0), 3, named=2))
    plain = spread_of(with_stack((2, 0, 0, 0, 0, 3), (5, 0, 1, 0, 0, 0), 3))
    assert without[1].tolist() == plain[1].tolist()
    state = with_stack((0, 0, 0, 0, 0, 0), (2, 0, 4, 0, 0, 3), 1, named=2)
    assert spread_of(state)[1].tolist() == [1]


def test_turns_that_gain_nothing_end_a_game_in_all_ways() -> None:
    """R27: what comes is that nobody wins."""
    state = with_stack((0,) * 6, (0,) * 6, 0)
    state.idle = 2
    after, weights = spread_of(state)
    assert weights.tolist() == [1]
    assert after[0].phase == OVER
    assert open_chances(load_open(), after)[0].tolist() == [0, 0, 0, 0, 1]


@pytest.mark.parametrize("options", TABLES, ids=str)
def test_over_all_ways_what_a_draw_is_worth_is_nothing(options: Options) -> None:
    """By the network that sees all, without looking ahead: what luck is made of."""
    for state in drawing(options, 6)[::9]:
        after, weights = spread_of(state)
        values = open_chances(load_open(), after)
        worths = values - weights @ values
        assert np.abs(weights @ worths).max() < 1e-12
        assert np.abs(worths.sum(axis=1)).max() < 1e-12


def test_first_hands_are_dealt_again_and_again() -> None:
    game = new_game(Options(3))
    while game.to_move != CHANCE:
        game.play(game.legal()[0])
    after, weights = spread_of(game.state)
    assert len(after) == SAMPLES
    assert weights == pytest.approx(np.full(SAMPLES, 1 / SAMPLES))
    for each in after:
        assert each.hands[:3, :6].sum(axis=1).tolist() == game.state.first_hands[:3].tolist()
        assert len({each.tobytes() for each in after}) == SAMPLES


# Played on to where the cards are used


def in_a_fair_game() -> State:
    """A draw of a game that is still open."""
    bots = [make_bot("zubaida"), make_bot("zubaida")]
    game = play_to_end(Game(players=2, seed="open"), bots, "open", Budget(), 12)
    again = Game.with_options(game.options)
    for token in game.tokens[:-1]:
        again.play(token)
    assert again.state.phase == DRAWING
    return again.state


def test_looking_ahead_luck_is_fair() -> None:
    """One draw after another of the same position: on average they are worth nothing."""
    state = in_a_fair_game()
    look, worths = Lookahead(), []
    for number in range(60):
        states = np.array([state, state])
        deal(states[1], new_rng("fair", number))
        before, after = look(states, 0)
        assert before.sum() == pytest.approx(1, abs=1e-9)
        assert after.sum() == pytest.approx(1, abs=1e-9)
        worths.append(after[0] - before[0])
    error = np.std(worths) / len(worths) ** 0.5
    assert np.std(worths) > 0.01
    assert abs(np.mean(worths)) < 4 * error


def test_cards_that_had_to_come_are_worth_nothing() -> None:
    state = with_stack((1, 0, 1, 0, 0, 0), (0, 1, 0, 0, 1, 0), 4)
    states = np.array([state, state])
    deal(states[1], new_rng("all"))
    before, after = Lookahead()(states, 0)
    assert np.abs(after - before).max() < 1e-6


def test_what_was_looked_at_before_changes_nothing() -> None:
    """One memory for one draw after another; the chance of each follows from its position."""
    one, other = drawing(Options(2), 7)[4:6]
    look = Lookahead()

    def looked(state: State, with_: Lookahead) -> bytes:
        states = np.array([state, state])
        deal(states[1], new_rng("same"))
        return with_(states, 0).tobytes()

    first = looked(one, look)
    looked(other, look)
    assert looked(one, look) == first == looked(one, Lookahead())


def test_games_are_looked_at_when_who_drew_is_to_draw_again() -> None:
    state = drawing(Options(4), 7)[6]
    states, look = np.array([state, state]), Lookahead()
    deal(states[1], new_rng("on"))
    look(states, 0)
    games = look._memory.games
    there = (games["phase"] == OVER) | ((games["phase"] == DRAWING) & (games["seat"] == state.seat))
    assert there.all()
    turns = games["turn"][games["phase"] == DRAWING] - state.turn
    assert (turns == 4 * ahead.TURNS).all()
    assert len({each.tobytes() for each in games[: ahead.DEALS]}) > 1


def test_ways_are_chosen_as_often_as_they_are_likely() -> None:
    state = in_a_fair_game()
    states, look = np.array([state, state]), Lookahead()
    deal(states[1], new_rng("ways"))
    look(states, 0)
    memory = look._memory
    ways = int(memory.stand[0].ways)
    often = np.bincount(memory.ways, minlength=ways)
    assert np.abs(often - ahead.DEALS * memory.weights[:ways]).max() <= 1 + 1e-9
    assert len(often) == ways
