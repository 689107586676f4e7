"""A review of a seat's turns: what it judges, what it must not know, and that it stays the same."""

from random import Random

import msgspec
import numpy as np
import pytest

from baghdad import Game, Options
from baghdad.analysis import Review, UnfinishedGameError, mark, review, review_turns
from baghdad.analysis.engine import machine
from baghdad.analysis.judge import Judge
from baghdad.analysis.reviewing import review_turn
from baghdad.analysis.turns import Turn, array_of, tokens_of, turns_of
from baghdad.bots import Budget, make_bot
from baghdad.bots.expert.machine import MAX_ACTIONS
from baghdad.bots.playing import play_to_end
from baghdad.rules.engine.actions import ACTION_OF, PASS_CARDS
from baghdad.rules.engine.dealer import new_rng
from baghdad.rules.engine.material import CARD_LETTERS
from support.positions import decisions
from support.tables import table

SMALL = 400
"""Simulations, for tests."""


def played(players: int, turns: int, seed: str = "review") -> Game:
    """A game between bots that is stopped after some turns."""
    options = Options(players)
    game = Game.with_options(options, seed=seed)
    bots = [make_bot("kasim") for _ in range(players)]
    return play_to_end(game, bots, seed, Budget(), turns)


def as_bytes(found: Review) -> bytes:
    return msgspec.json.encode(found)


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (0.0, 0.0, "best"),
        (0.0, 1.99, "best"),
        (1.5, 1.9, "best"),
        (0.0, 2.0, "unclear"),
        (1.99, 30.0, "unclear"),
        (2.0, 2.5, "fine"),
        (4.99, 30.0, "fine"),
        (5.0, 6.0, "inaccuracy"),
        (9.99, 10.0, "inaccuracy"),
        (10.0, 10.0, "mistake"),
        (19.99, 50.0, "mistake"),
        (20.0, 21.0, "blunder"),
    ],
)
def test_a_mark_is_the_highest_threshold_that_the_lower_end_clears(
    low: float, high: float, expected: str
) -> None:
    assert mark(low, high) == expected


def hidden_otherwise(game: Game, seat: int, random: Random) -> Game:
    """The same game as far as a seat can know: others drew other cards, which nobody has played."""
    tokens, players = list(game.tokens), game.options.players
    drawn: list[int] = []
    again = Game.with_options(game.options)
    dealt = 0
    for place, token in enumerate(tokens):
        if token[0] == "=":
            owner = dealt if dealt < players else int(again.state.seat)
            dealt += 1
            if owner != seat:
                drawn.append(place)
        again.play(token)
    for place in reversed(drawn):
        for letter in set(tokens[place][1:]):
            card = CARD_LETTERS.index(letter)
            for other in random.sample(range(6), 6):
                if other == card:
                    continue
                swapped = tokens.copy()
                swapped[place] = "=" + "".join(
                    sorted(
                        tokens[place][1:].replace(letter, CARD_LETTERS[other], 1),
                        key=CARD_LETTERS.index,
                    )
                )
                if legal_to_the_end(game.options, swapped):
                    tokens = swapped
                    break
    twin = Game.with_options(game.options)
    for token in tokens:
        twin.play(token)
    if game.termination is not None:
        twin.end(game.termination)
    return twin


def legal_to_the_end(options: Options, tokens: list[str]) -> bool:
    twin = Game.with_options(options)
    try:
        for token in tokens:
            twin.play(token)
    except ValueError:
        return False
    return True


@pytest.mark.parametrize("players", [2, 3])
def test_what_a_seat_cannot_see_changes_no_byte_of_its_review(players: int) -> None:
    game = played(players, 5 * players)
    twin = hidden_otherwise(game, 0, Random(players))
    others = range(1, players)
    assert any(game.hand(seat) != twin.hand(seat) for seat in others), "nothing was exchanged"
    assert game.hand(0) == twin.hand(0)
    one, other = (review(each, 0, budget=SMALL) for each in (game, twin))
    assert len(one.turns) > 5
    assert as_bytes(one) == as_bytes(other)


def test_the_same_again_by_any_number_of_threads_and_from_a_record() -> None:
    game = played(2, 8)
    first = review(game, 1, budget=SMALL, jobs=1)
    assert as_bytes(first) == as_bytes(review(game.record(), 1, budget=SMALL, jobs=3))
    assert as_bytes(first) != as_bytes(review(game, 1, budget=SMALL, seed="another"))


def test_turns_that_are_known_are_not_judged_again() -> None:
    game = played(2, 8)
    found = review(game, 0, budget=SMALL)
    marked = {turn.at: msgspec.structs.replace(turn, given_up=99.0) for turn in found.turns[:3]}
    again = sorted(review_turns(game, 0, budget=SMALL, known=marked), key=lambda turn: turn.at)
    assert again[:3] == [marked[turn.at] for turn in found.turns[:3]]
    assert again[3:] == list(found.turns[3:])


def test_turns_that_lead_to_the_same_position_are_one() -> None:
    """All candidates are different, legal and whole, and the played one is among them once."""
    judge = Judge(budget=SMALL)
    memory = judge._memory.judge
    for game in decisions(Options(3, spare="chosen"), seed=4, steps=90, every=13):
        state = game.state
        if state.acted:
            continue
        seat = int(state.seat)
        turn = (PASS_CARDS,) if not game.placing else (game.legal()[-1],)
        judge.judge(game.view(seat), turn, new_rng("merged"))
        count = int(memory.stand[0].count)
        ends = {memory.ends[number].tobytes() for number in range(count)}
        assert len(ends) == count > 1
        assert judge.tried()[0] == turn
        for each in judge.tried():
            again = game.copy()
            for action in each:
                assert again.to_move == seat
                again.play(action, seat=seat)
            assert again.over or again.to_move != seat


def test_the_order_of_actions_makes_no_other_turn() -> None:
    game = table(guards={"R": "1n", "G": "1n"}, hands=["RRGG"])
    judge = Judge(budget=SMALL)
    found = [
        judge.judge(game.view(0), [ACTION_OF[token] for token in turn], new_rng("order"))
        for turn in (["+R(R)", "+G(G)", "."], ["+G(G)", "+R(R)", "."])
    ]
    assert found[0].candidates == found[1].candidates
    assert found[0].asked_chance == found[1].asked_chance


def winning(mine: str = "RG", loot: int = 5) -> Game:
    """One more thief in the red palace takes the chest that wins; otherwise the rival wins next."""
    return table(
        guards={"R": "1n", "G": "2n"},
        thieves={"R": "111", "G": "222"},
        hands=[mine, "GGGG****"],
        loot=[loot, 5],
    )


@pytest.mark.parametrize("tokens", [["-"], ["R>G(R)", "."], ["-*"]])
def test_a_win_that_was_passed_by_is_a_blunder(tokens: list[str]) -> None:
    turn = Turn(0, 1, winning().view(0), tuple(ACTION_OF[token] for token in tokens))
    found = review_turn(Judge(budget=SMALL), turn, "seed")
    assert found.mark == "blunder"
    assert found.best == ("+R(R)",)
    assert found.best_chance == 1.0
    assert found.real


def test_a_win_that_was_taken_is_the_best_turn() -> None:
    turn = Turn(0, 1, winning().view(0), (ACTION_OF["+R(R)"],))
    found = review_turn(Judge(budget=SMALL), turn, "seed")
    assert (found.mark, found.best, found.given_up) == ("best", ("+R(R)",), 0.0)
    assert found.real


THERE_AND_BACK = ["nR>G(RG)", "nG>R(GR)", "R>G(R)", "G>R(G)"]
"""With the guards where they were after the first two, and after all four."""


def test_of_turns_to_the_same_position_the_shorter_one_stays_but_the_played_one_in_any_case() -> (
    None
):
    view = table(guards={"R": "1n"}, hands=["RRGG"]).view(0)
    short, long = (
        array_of([ACTION_OF[token] for token in tokens])
        for tokens in (THERE_AND_BACK[:2], [*THERE_AND_BACK[2:] * 2, "."])
    )
    memory = Judge()._memory.judge
    first = array_of([ACTION_OF["R>G(R)"]])
    for played, other, kept in ((first, long, short), (long, short, long)):
        machine.begin_pair(view.fields, played, other, 1, new_rng("shorter"), memory)
        machine._add(short, memory)
        place = 1 if played is first else 0
        assert memory.stand[0].count == place + 1
        length = int(np.argmin(memory.turns[place]))
        assert memory.turns[place, :length].tolist()[: len(kept)] == kept.tolist()


def test_a_turn_that_wins_at_once_goes_without_what_it_does_not_need() -> None:
    view = winning("RRRGGG").view(0)
    actions = [ACTION_OF[token] for token in [*THERE_AND_BACK, "+R(R)"]]
    memory = Judge()._memory.judge
    passing = array_of([PASS_CARDS])
    machine.begin_pair(view.fields, passing, array_of(actions), 1, new_rng("win"), memory)
    assert machine._shortest_win(1, memory) == 1
    assert memory.turns[1].tolist() == [ACTION_OF["+R(R)"]] + [-1] * (MAX_ACTIONS - 1)
    assert machine._shortest_win(0, memory) == 0
    assert memory.turns[0, 0] == PASS_CARDS


def test_what_a_win_needs_stays() -> None:
    """Without a guard of one's own in front of the palace no thief comes in."""
    view = table(
        guards={"R": "n", "G": "1n"},
        thieves={"R": "111"},
        hands=["GGGWWR", "GGGG****"],
        loot=[5, 5],
    ).view(0)
    tokens = ["nG>W(GW)", "nW>G(WG)", "G>R(G)", "+R(R)"]
    memory = Judge()._memory.judge
    turn = array_of([ACTION_OF[token] for token in tokens])
    machine.begin_pair(view.fields, array_of([PASS_CARDS]), turn, 1, new_rng("need"), memory)
    assert machine._shortest_win(1, memory) == 1
    assert memory.turns[1, :3].tolist() == [ACTION_OF["G>R(G)"], ACTION_OF["+R(R)"], -1]


def test_nothing_is_a_mistake_where_all_is_lost() -> None:
    """The rival wins whatever happens: the best of many is only the luckiest."""
    game = winning("RWWP", loot=0)
    view = game.view(0)
    turn = Turn(0, 1, view, (PASS_CARDS,))
    found = review_turn(Judge(budget=SMALL), turn, "seed")
    assert found.mark == "best"
    assert not found.real


def test_a_turn_without_another_is_no_choice() -> None:
    game = table(hands=["", "********"])
    turn = Turn(0, 1, game.view(0), (PASS_CARDS,))
    found = review_turn(Judge(budget=SMALL), turn, "seed")
    assert (found.real, found.mark, found.candidates) == (False, "best", 1)


def test_a_turn_too_long_to_be_tried_is_not_judged() -> None:
    view = table(guards={"R": "1n"}, hands=["R" * 16 + "G" * 10]).view(0)
    tokens = ["R>G(R)", "G>R(R)"] * 8 + ["R>G(G)", "G>R(G)"] * 5 + ["."]
    assert len(tokens) > MAX_ACTIONS
    turn = Turn(0, 1, view, tuple(ACTION_OF[token] for token in tokens))
    found = review_turn(Judge(budget=SMALL), turn, "seed")
    assert (found.real, found.mark, found.given_up) == (False, "unclear", 0.0)


def test_the_turns_of_a_seat_are_all_it_has_decided() -> None:
    game = played(3, 12)
    turns = {seat: list(turns_of(game, seat)) for seat in range(3)}
    decided = [token for token in game.tokens if token[0] != "="]
    assert sum(len(turn.actions) for each in turns.values() for turn in each) == len(decided)
    for seat, each in turns.items():
        for turn in each:
            assert game.tokens[turn.at : turn.at + len(turn.actions)] == turn.tokens
            assert turn.view.viewer == turn.view.to_move == seat
            assert not turn.view.fields.acted
        placed = [turn for turn in each if turn.number == 0]
        assert len(placed) == 3
        assert [turn.number for turn in each[3:]] == [
            1 + seat + 3 * k for k in range(len(each) - 3)
        ]


def test_what_a_bot_plays_on_for_somebody_is_not_judged() -> None:
    game = played(3, 6)
    turns = list(turns_of(game, 0))
    again = Game.with_options(game.options)
    for number, token in enumerate(game.tokens):
        if number == turns[-1].at:
            again.resign(0)
        again.play(token)
    assert [turn.at for turn in turns_of(again, 0)] == [turn.at for turn in turns[:-1]]


def test_only_finished_games_are_reviewed() -> None:
    game = Game(players=2, seed=7)
    game.play("@R")
    with pytest.raises(UnfinishedGameError, match="finished"):
        review(game, 0)
    with pytest.raises(ValueError, match="seat: 0 to 1"):
        review(played(2, 2), 2)
    found = list(review_turns(game, 0, budget=SMALL, running=True))
    assert [turn.played for turn in found] == [("@R",)]


def test_a_judge_that_is_asked_for_the_best_turn_finds_it() -> None:
    found = Judge(budget=SMALL).judge(winning().view(0), (), new_rng("hint"))
    assert tokens_of(found.asked) == ("+R(R)",)
    assert found.asked_chance.mean == 1.0
    assert found.gain.high < 0


def test_an_interval_says_how_sure_a_mean_is() -> None:
    """Twenty small judgements of one turn scatter about as their intervals say."""
    game = played(2, 6)
    turn = list(turns_of(game, 0))[-1]
    judge = Judge(budget=SMALL)
    found = [
        judge.judge(turn.view, (PASS_CARDS,), new_rng("again", number)).asked_chance
        for number in range(20)
    ]
    middle = float(np.mean([each.mean for each in found]))
    inside = sum(each.low <= middle <= each.high for each in found)
    assert inside >= 16
