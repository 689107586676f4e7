"""Bots play fair: they see a view, repeat themselves exactly, and never choose the illegal."""

import subprocess
import sys
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pytest

from baghdad import (
    Action,
    Game,
    IllegalMoveError,
    NotAMoveError,
    Options,
    View,
    new_rng,
)
from baghdad.bots import (
    BUILTIN_BOTS,
    LEVELS,
    Bot,
    Budget,
    bot_names,
    decide,
    make_bot,
)
from baghdad.bots.heuristic.beam import (
    MAX_WIDTH,
    _apply,
    _evaluate,
    _expand,
    new_beam,
)
from baghdad.bots.heuristic.bot import PATIENCE, WIDTH, HeuristicBot
from baghdad.bots.heuristic.evaluation import EvalParams, make_value_table
from baghdad.bots.heuristic.match import Planners, play_deals, play_game
from baghdad.bots.playing import MAX_TURNS, moves
from baghdad.bots.search.bot import SearchBot
from baghdad.jit.compiler import COMPILED
from baghdad.rules.engine.actions import (
    ACTION_OF,
    ACTIONS,
    CARRY,
    MOVE,
    MOVE_NEUTRAL,
    PASSES_BY_NAME,
    TOKENS,
)
from baghdad.rules.engine.dealer import Rng
from baghdad.rules.engine.material import TURN
from baghdad.rules.setup import new_states
from support.positions import FEW, decisions
from support.programs import load
from support.tables import (
    EVERY_TABLE,
    new_game,
    table,
)

CHOSEN = [
    Options(2, spare="chosen", deal=(6, 8)),
    Options(3, "neutral", "smuggle", "seen", "chosen", (6, 7, 9)),
    Options(4, spare="chosen", deal=(1, 25, 2, 9)),
]
BOTS: dict[str, Bot] = {}


def bot(name: str) -> Bot:
    if name not in BOTS:
        BOTS[name] = make_bot(name)
    return BOTS[name]


def test_all_our_bots_are_listed() -> None:
    assert set(BUILTIN_BOTS) <= set(bot_names())
    with pytest.raises(KeyError):
        make_bot("nobody")


@pytest.mark.parametrize("name", sorted(BUILTIN_BOTS))
@pytest.mark.parametrize("options", [*EVERY_TABLE[::3], *CHOSEN], ids=str)
def test_decisions_are_legal_and_end_the_turn_at_most_once(name: str, options: Options) -> None:
    for game in decisions(options, seed=1, steps=200, every=9):
        seat = game.to_move
        assert seat is not None
        chosen = decide(bot(name), game.view(seat), game.legal(), FEW, new_rng("legal"))
        assert len(chosen) > 0
        for action in chosen:
            assert game.to_move == seat
            game.play(action, seat=seat)


@pytest.mark.parametrize("name", sorted(BUILTIN_BOTS))
@pytest.mark.parametrize("options", [*EVERY_TABLE[1::5], *CHOSEN], ids=str)
def test_what_a_seat_cannot_see_changes_no_decision(name: str, options: Options) -> None:
    for number, game in enumerate(decisions(options, seed=2, steps=150, every=11)):
        seat = game.to_move
        assert seat is not None
        view = game.view(seat)
        other = Game.from_state(view.determinize(new_rng("hidden", number)))
        choices = [
            decide(bot(name), each.view(seat), each.legal(), FEW, new_rng("same", number))
            for each in (game, other)
        ]
        assert list(choices[0]) == list(choices[1])


@pytest.mark.parametrize("name", sorted(BUILTIN_BOTS))
def test_a_fresh_bot_decides_the_same(name: str) -> None:
    for number, game in enumerate(decisions(Options(3), seed=3, steps=120, every=13)):
        seat = game.to_move
        assert seat is not None
        choices = [
            list(decide(each, game.view(seat), game.legal(), FEW, new_rng("fresh", number)))
            for each in (bot(name), make_bot(name))
        ]
        assert choices[0] == choices[1]


def test_a_planner_names_the_palace_whose_card_it_wants_most() -> None:
    """A fourth thief is to go in at white, for one more card than the hand has."""
    game = table(
        2,
        guards={"W": "12n", "B": "122n"},
        thieves={"W": "111"},
        hands=["W", "********"],
        rulebook="cs",
    )
    legal = game.legal()
    assert {ACTION_OF["-"], *PASSES_BY_NAME} <= set(legal)
    for name in ("heuristic", "kasim", "ali"):
        assert decide(bot(name), game.view(0), legal, FEW, new_rng(1)) == [ACTION_OF["-W"]]


def test_a_planner_names_no_palace_that_has_nothing_left() -> None:
    """All other cards of white lie in the discard pile, and the stack is not used up."""

    def named(seen: int, theirs: str = "") -> str:
        game = table(
            2,
            guards={"W": "12n", "B": "122n"},
            thieves={"W": "111"},
            hands=["W", "********" + theirs],
            discard="W" * seen,
            rulebook="cs",
        )
        assert (game.view(0).deck_size == 0) == bool(theirs)
        (action,) = decide(bot("heuristic"), game.view(0), game.legal(), FEW, new_rng(1))
        return TOKENS[action]

    assert named(seen=15) == "-W"
    assert named(seen=16) != "-W"
    # An empty stack is made of the discard pile, where there is white and nothing else.
    assert named(seen=16, theirs="".join(letter * 17 for letter in "RGPYB")) == "-W"


@pytest.mark.parametrize("name", ["heuristic", "kasim", "ali", "search"])
def test_a_planner_keeps_clear_of_a_game_that_nobody_can_win(name: str) -> None:
    """R27: under `smuggle` its last thief, as everybody's, would go in without robbing."""
    game = table(
        2,
        guards={"R": "12", "G": "1n"},
        thieves={"R": "111", "G": "11", "W": "1111", "P": "11" + "2" * 6, "Y": "2" * 6},
        chests={"R": 1, "G": 1},
        hands=["RG", ""],
        rob="smuggle",
    )
    assert game.state.stock.tolist()[:2] == [1, 0]
    dead = game.copy()
    dead.play("+R(R)")
    assert dead.over
    for action in decide(bot(name), game.view(0), game.legal(), FEW, new_rng(1)):
        game.play(action)
    assert not game.over


@pytest.mark.skipif(not COMPILED, reason="whole games need compiled rules")
@pytest.mark.parametrize("options", CHOSEN, ids=str)
@pytest.mark.parametrize("name", sorted(set(BUILTIN_BOTS) - {"expert", "scheherazade", "search"}))
def test_whole_games_are_played_by_other_options(name: str, options: Options) -> None:
    for number in range(3):
        game = new_game(options, seed=f"chosen {number}")
        for _ in moves(game, [bot(name)] * options.players, str(number), FEW, 100):
            pass
        assert game.over


def test_threads_change_nothing_about_a_search() -> None:
    alone, together = SearchBot(), SearchBot(threads=2)
    for number, game in enumerate(decisions(Options(2), seed=4, steps=100, every=17)):
        seat = game.to_move
        assert seat is not None
        choices = [
            list(decide(each, game.view(seat), game.legal(), FEW, new_rng("threads", number)))
            for each in (alone, together)
        ]
        assert choices[0] == choices[1]


def test_a_search_counts_its_simulations_and_keeps_to_them() -> None:
    search, most = SearchBot(), 0
    for game in decisions(Options(2), seed=5, steps=60, every=7):
        seat = game.to_move
        assert seat is not None
        search.choose(game.view(seat), game.legal(), Budget(simulations=500), new_rng("count"))
        assert search.simulations <= 500
        most = max(most, search.simulations)
    assert most > 400


def test_a_search_that_can_win_this_turn_does() -> None:
    """Three robberies by way of eleven cards: no proposal of a narrow beam has them all."""
    game = table(
        guards={"R": "1n", "G": "1n", "W": "n"},
        thieves={"R": "111", "G": "111", "W": "111", "P": "1"},
        hands=["RRGWW"],
        loot=[3],
    )
    search = SearchBot(width=1, max_candidates=1)
    for action in decide(search, game.view(0), game.legal(), FEW, new_rng("win")):
        game.play(action)
    assert game.winner == 0
    assert search.simulations == 0


class Foul:
    """Plays whatever it is not allowed to."""

    def choose(
        self, view: View, legal: Sequence[Action], budget: Budget, rng: Rng
    ) -> Action | Sequence[Action]:
        return next(action for action in range(6, 12) if action not in legal)


def test_a_bot_that_plays_foul_is_stopped() -> None:
    with pytest.raises(IllegalMoveError, match="R8") as stopped:
        list(moves(Game(2, seed=1), [Foul(), Foul()], "seed", Budget()))
    assert stopped.value.__notes__ == ["Foul chose 6 (@nR)"]


def test_a_single_number_of_numpy_is_a_decision() -> None:
    class Numpy:
        def choose(self, view: View, legal: Sequence[Action], budget: Budget, rng: Rng) -> Action:
            number: Action = np.int64(legal[0])  # type: ignore[assignment]
            return number

    game = Game(2, seed=1)
    assert list(decide(Numpy(), game.view(0), game.legal(), Budget(), new_rng(1))) == [0]


PLANNERS = [name for name in BUILTIN_BOTS if isinstance(make_bot(name), HeuristicBot)]


@pytest.mark.skipif(not COMPILED, reason="a thousand games need compiled code")
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("name", PLANNERS)
def test_a_planner_finishes_a_thousand_games_of_its_own(name: str, players: int) -> None:
    planner = bot(name)
    assert isinstance(planner, HeuristicBot)
    start, beam = new_states(Options(players)), new_beam()
    planners = Planners(
        np.stack([planner.table] * players),
        np.full(players, planner.width),
        np.full(players, planner.patience),
    )
    unfinished = 0
    for number in range(1000):
        states = start.copy()
        rng = new_rng("own", number)
        play_game(states[0], planners, rng, beam, MAX_TURNS)
        unfinished += int(states[0].winner < 0)
    assert unfinished == 0


@pytest.mark.skipif(not COMPILED, reason="hundreds of games need compiled code")
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("other", ["maruf", "kasim", "random"])
def test_the_easiest_level_finishes_its_games_without_guards_that_wander(
    other: str, players: int
) -> None:
    for deal in range(100 if other == "maruf" else 30):
        seats, mine = [bot(other)] * players, deal % players
        seats[mine] = bot("maruf")
        game, neutrals, arrived = Game(players, seed=f"easy {deal}"), 0, set[int]()
        turn = -1
        for seat, action in moves(game, seats, str(deal), Budget(), MAX_TURNS):
            if seat != mine:
                continue
            if turn != game.turns:
                turn, neutrals, arrived = game.turns, 0, set()
            kind, palace, to, *_ = ACTIONS[action]
            neutrals += kind == MOVE_NEUTRAL
            assert neutrals <= 1
            assert kind != MOVE or palace not in arrived
            if kind in (MOVE, CARRY):
                arrived.add(to)
        assert game.winner is not None


@pytest.mark.skipif(not COMPILED, reason="a hundred games need compiled code")
def test_a_beginner_beats_the_easiest_level_more_often_than_not() -> None:
    """The model of a beginner, and how often it wins in 400 games: benchmarks/beginner.py."""
    beginner = load("benchmarks/beginner.py")
    won = sum(sum(beginner.against(bot(LEVELS[0]), 2, deal)) for deal in range(60))
    assert 0.6 <= won / 120 <= 0.85


def wins_alone(stronger: str, weaker: str, players: int, deals: int) -> int:
    """With fewer simulations than people give them, which make those weaker that try turns out."""
    wins = 0
    for deal in range(deals):
        seats = [bot(weaker)] * players
        seats[deal % players] = bot(stronger)
        game = Game(players, seed=f"level {deal}")
        for _ in moves(game, seats, str(deal), Budget(simulations=100), MAX_TURNS):
            pass
        wins += game.winner == deal % players
    return wins


@pytest.mark.skipif(not COMPILED, reason="hundreds of games need compiled code")
def test_every_level_beats_the_one_below() -> None:
    """How often, and with three and four players, is measured by `benchmarks/ladder.py`."""
    for weaker, stronger in pairwise(LEVELS[:-1]):  # the last needs more than 100 simulations
        assert wins_alone(stronger, weaker, 2, 60) > 30, f"{stronger} against {weaker}"


@pytest.mark.skipif(not COMPILED, reason="hundreds of games need compiled code")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_level_beats_the_one_two_steps_below(players: int) -> None:
    for weaker, stronger in zip(LEVELS, LEVELS[2:], strict=False):
        wins = wins_alone(stronger, weaker, players, 40)
        assert wins > 40 / players, f"{stronger} against {weaker}: {wins}"


def test_the_levels_come_first_and_in_order() -> None:
    assert tuple(bot_names()[: len(LEVELS)]) == LEVELS


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled here")
def test_a_bot_that_is_made_compiles_nothing_more() -> None:
    """In a fresh process, since this one has compiled it all; the clock must not run meanwhile."""
    code = """
import sys
from baghdad import Game
from baghdad.bots import BUILTIN_BOTS, Budget, make_bot
from baghdad.bots.playing import MAX_TURNS, moves

def compiled():
    modules = [each for name, each in sys.modules.items() if name.startswith("baghdad.")]
    functions = [each for module in modules for each in vars(module).values()]
    return {
        (each.py_func.__qualname__, signature)
        for each in functions if hasattr(each, "py_func") for signature in each.signatures
    }

game = Game(3, seed=1)
game.view(0), game.legal()
bots = {name: make_bot(name) for name in BUILTIN_BOTS}
before = compiled()
for name, bot in bots.items():
    for budget in (Budget(simulations=20), Budget(seconds=0.001)):
        game = Game(3, seed=name)
        for _ in moves(game, [bot] * 3, name, budget, 12):
            pass
assert before
print(sorted(str(each) for each in compiled() - before))
"""
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert result.stdout == "[]\n"


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_heuristic_beats_random(players: int) -> None:
    games = 100 if COMPILED else 1
    bots = [bot("heuristic"), *[bot("random")] * (players - 1)]
    won = 0
    for number in range(games):
        seat = number % players
        seats = bots[-seat:] + bots[:-seat] if seat else bots
        game = Game(players, seed=number)
        for _ in moves(game, seats, str(number), Budget(), MAX_TURNS):
            pass
        won += game.winner == seat
    assert won >= 0.99 * games


@pytest.mark.parametrize("options", EVERY_TABLE[::2], ids=str)
def test_an_action_is_valued_as_if_it_had_been_played(options: Options) -> None:
    table, beam, seen = make_value_table(EvalParams()), new_beam(), 0
    for game in decisions(options, seed=6, steps=150, every=3):
        if game.state.phase != TURN:
            continue
        seat = game.state.seat
        beam.states[0], beam.lengths[0] = game.state, 0
        _evaluate(beam, 0, seat, table)
        count = _expand(beam, 0, seat, table, MAX_WIDTH, 0, MAX_WIDTH)
        for plan in range(MAX_WIDTH, MAX_WIDTH + count):
            _apply(beam, plan, seat, table)
            value, palaces = beam.values[plan], beam.palaces[plan].copy()
            _evaluate(beam, plan, seat, table)
            assert value == beam.values[plan]
            assert (palaces == beam.palaces[plan]).all()
        seen += count
    assert seen > 100


def test_better_weights_win() -> None:
    """The same beam with values of nothing but loot is no match."""
    blind = EvalParams(**dict.fromkeys(EvalParams._fields, 0.0) | {"fade": 1.0, "exponent": 1.0})
    start, wins = new_states(Options(2)), np.zeros(40)
    rngs = np.stack([new_rng("weights", number) for number in range(len(wins))])
    tables = np.stack([make_value_table(EvalParams()), make_value_table(blind)])
    pair = Planners(tables, np.full(2, WIDTH), np.full(2, PATIENCE))
    play_deals(start, pair, rngs, new_beam(), 200, wins)
    assert wins.sum() >= 0.95 * 2 * len(wins)


def test_a_bot_that_chooses_nothing_is_told_so() -> None:
    class Idle:
        def choose(self, *_: object) -> list[int]:
            return []

    game = Game(seed=1)
    with pytest.raises(ValueError, match="Idle chose nothing"):
        decide(Idle(), game.view(0), game.legal(), Budget(), new_rng(1))


def test_a_bot_that_returns_no_number_is_told_so() -> None:
    class Forgetful:
        def choose(self, *_: object) -> Action:
            return None  # type: ignore[return-value]

    game = Game(seed=1)
    with pytest.raises(TypeError, match="Forgetful chose None, which is no action"):
        decide(Forgetful(), game.view(0), game.legal(), Budget(), new_rng(1))


def test_a_bot_that_names_an_action_beyond_the_table_is_told_so() -> None:
    class Lost:
        def choose(self, *_: object) -> Action:
            return len(TOKENS)

    with pytest.raises(NotAMoveError) as stopped:
        list(moves(Game(2, seed=1), [Lost(), Lost()], "seed", Budget()))
    assert stopped.value.__notes__ == [f"Lost chose {len(TOKENS)} (no action)"]
