"""R28: giving up, ending by agreement, abandoned games; and a simulation's turn limit (R27)."""

import copy
import pickle
from typing import Any

import pytest

from baghdad import (
    CutRecordError,
    Game,
    OutOfTurnError,
    RecordError,
)
from baghdad.rules.ending import TERMINATIONS
from baghdad.rules.narration import outcome
from baghdad.text import LANGUAGES
from support.make_data import DATA
from support.tables import refuses, table

PLAYERS = (2, 3, 4)
MORE = (3, 4)
WITHOUT_A_WINNER = ("agreed", "abandoned", "turn limit")


def begun(players: int, placed: int = 3) -> Game:
    """A game in which some guards are placed: it has tokens, and none is chance's."""
    game = Game(players)
    for _ in range(placed):
        game.play(game.legal_tokens()[0])
    return game


def text_of(players: int, result: str, *headers: str, tokens: str = "@R @R @G") -> str:
    options = ["standard", "arrival", "hidden", result]
    names = ("Variant", "Rob", "Hands", "Result")
    lines = [f'[Players "{players}"]']
    lines += [f'[{name} "{value}"]' for name, value in zip(names, options, strict=True)]
    return "\n".join([*lines, *headers, "", tokens, ""])


def error_of(text: str) -> RecordError:
    with pytest.raises(RecordError) as caught:
        Game.from_record(text)
    for language in LANGUAGES:
        assert "{" not in caught.value.said(language)
    return caught.value


# Giving up


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("placed", [0, 2, 3])
def test_r28_with_two_players_the_other_wins_at_once(seat: int, placed: int) -> None:
    game = begun(2, placed)
    game.resign(seat)
    assert (game.over, game.winner, game.to_move) == (True, 1 - seat, None)
    assert (game.termination, game.resigned) == ("resigned", {seat: placed})
    assert game.result == str(2 - seat)
    assert game.legal() == []
    assert game.view(seat).fields.winner == 1 - seat
    assert game.shown()["winner"] == 1 - seat
    refuses(game, "@W", "R28", f"seat {seat + 1} gave up", OutOfTurnError)


@pytest.mark.parametrize("players", MORE)
def test_r28_with_more_players_the_seat_is_played_on(players: int) -> None:
    game = begun(players)
    for seat in range(players - 1):
        game.resign(seat)
        assert not game.over
        assert game.to_move == 3 % players
    assert game.resigned == dict.fromkeys(range(players - 1), 3)
    before = game.to_move
    game.play(game.legal_tokens()[0], seat=before)
    assert game.result == "*"


@pytest.mark.parametrize("players", MORE)
def test_r28_when_all_have_given_up_nobody_has_won(players: int) -> None:
    game = begun(players)
    for seat in reversed(range(players)):
        game.resign(seat)
    assert (game.over, game.winner, game.result) == (True, None, "-")
    assert game.termination == "resigned"
    refuses(game, "@W", "R28", "nobody is left", OutOfTurnError)


@pytest.mark.parametrize("players", MORE)
def test_r28_a_seat_that_is_played_on_can_win(players: int) -> None:
    game = table(
        players,
        guards={"R": "1n"},
        thieves={"R": "111"},
        hands=["R"],
        loot=[{3: 4, 4: 3}[players]],
    )
    game.resign(0)
    game.play("+R(R)")
    assert (game.winner, game.termination, game.resigned) == (0, None, {0: 0})
    assert game.result == "1"
    assert "had given up and has lost" in outcome(game)
    with pytest.raises(OutOfTurnError, match="R21: the game is over: seat 1 has won"):
        game.resign(1)


@pytest.mark.parametrize("players", PLAYERS)
def test_r28_out_of_turn_and_before_cards_come(players: int) -> None:
    game = Game(players, hands="seen")
    game.resign(players - 1)
    assert game.over == (players == 2)
    if players > 2:
        game.play("=RRRRRR")


@pytest.mark.parametrize("players", MORE)
def test_r28_it_is_final(players: int) -> None:
    game = begun(players)
    game.resign(1)
    with pytest.raises(OutOfTurnError, match="R28: seat 2 has given up already"):
        game.resign(1)


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("how", TERMINATIONS)
def test_r28_after_an_ending_there_is_no_other(players: int, how: Any) -> None:
    game = begun(players)
    if how == "resigned":
        for seat in range(players - (players == 2)):
            game.resign(seat)
    else:
        game.end(how)
    record = game.record()
    for try_it in (
        lambda: game.resign(0),
        lambda: game.end("agreed"),
        lambda: game.play("@W"),
        lambda: game.play("=RGW"),
        game.deal,
        lambda: game.understand("w"),
    ):
        with pytest.raises(OutOfTurnError, match=r"R2[78]: the game is over: ") as refused:
            try_it()
        assert len({refused.value.said(language) for language in LANGUAGES}) == 4
    assert game.record() == record


@pytest.mark.parametrize("seat", [True, 2, -1, None, "1"])
def test_only_a_seat_can_give_up(seat: Any) -> None:
    with pytest.raises(ValueError, match="seat: 0 to 1, not"):
        Game(2).resign(seat)


# Ending without a winner


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("how", WITHOUT_A_WINNER)
def test_r28_ended_without_a_winner(players: int, how: Any) -> None:
    game = begun(players)
    game.end(how)
    assert (game.over, game.winner, game.to_move, game.result) == (True, None, None, "-")
    assert game.termination == how
    assert len({outcome(game, language) for language in LANGUAGES}) == 4


def test_there_are_no_other_endings() -> None:
    wrong: Any = "tired"
    with pytest.raises(ValueError, match="how: resigned, agreed, abandoned, turn limit, not"):
        Game(2).end(wrong)
    with pytest.raises(ValueError, match="nobody has given up"):
        Game(3).end("resigned")


# Taking back, copies


def test_an_ending_is_taken_back_with_the_move_before_it() -> None:
    for how in TERMINATIONS:
        game = begun(2)
        if how == "resigned":
            game.resign(0)
        else:
            game.end(how)
        assert game.undo() == "@B"
        assert (game.termination, game.resigned, game.over, game.to_move) == (None, {}, False, 0)
        game.play("@W")


def test_whoever_has_given_up_stays_so_when_another_takes_back() -> None:
    game = begun(3)
    game.resign(1)
    game.undo()
    assert game.resigned == {1: 2}
    assert '[Resigned "2@3"]' in game.record()
    game.play("@W")
    assert game.resigned == {1: 2}


COPIES: Any = [copy.copy, copy.deepcopy, Game.copy, lambda g: pickle.loads(pickle.dumps(g))]


@pytest.mark.parametrize("how", COPIES)
def test_copies_have_the_ending_and_go_their_own_way(how: Any) -> None:
    game = begun(3)
    game.resign(1)
    twin = how(game)
    twin.resign(0)
    assert (game.resigned, twin.resigned) == ({1: 3}, {1: 3, 0: 3})
    twin.end("agreed")
    assert (game.termination, how(twin).termination) == (None, "agreed")
    assert how(twin).record() == twin.record()


# Records


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("how", WITHOUT_A_WINNER)
def test_an_ending_is_written_and_read(players: int, how: Any) -> None:
    game = begun(players)
    game.end(how)
    record = game.record()
    assert f'[Result "-"]\n[Termination "{how}"]\n\n' in record
    again = Game.from_record(record)
    assert (again.record(), again.termination) == (record, how)
    assert not again.headers


@pytest.mark.parametrize("players", PLAYERS)
def test_giving_up_is_written_and_read(players: int) -> None:
    game = begun(players)
    game.resign(1)
    record = game.record()
    assert '[Resigned "2@4"]' in record
    assert ('[Termination "resigned"]' in record) == (players == 2)
    again = Game.from_record(record)
    assert (again.record(), again.resigned, again.winner) == (record, {1: 3}, game.winner)


@pytest.mark.parametrize("players", MORE)
def test_several_who_gave_up_are_written_in_their_order(players: int) -> None:
    game = begun(players)
    game.resign(2)
    game.play(game.legal_tokens()[0])
    game.resign(0)
    game.end("resigned")
    record = game.record()
    assert '[Result "-"]\n[Termination "resigned"]\n[Resigned "3@4, 1@5"]' in record
    assert Game.from_record(record.replace("3@4, 1@5", "1@5,3@4")).record() == record


def test_the_seat_that_won_for_another_is_the_winner_of_the_record() -> None:
    tokens = "@R @G @W @R @G @W @R @G @W =RRRRRR =RRRRRRR =RRRRGGGG"
    text = text_of(3, "*", '[Resigned "1@3"]', tokens=tokens)
    game = Game.from_record(text)
    assert (game.resigned, game.result) == ({0: 2}, "*")
    assert game.record() == Game.from_record(game.record()).record()


def test_headers_of_a_game_can_not_tell_of_another_ending() -> None:
    game = Game(2, headers={"Termination": "agreed", "Resigned": "1@1", "Event": "evening"})
    assert "Termination" not in game.record()
    assert "Resigned" not in game.record()


@pytest.mark.parametrize(
    ("players", "result", "headers", "line", "words"),
    [
        (2, "-", ['[Termination "tired"]'], 6, "Termination is one of: resigned, agreed"),
        (2, "-", ['[Termination ""]'], 6, "Termination is one of"),
        (2, "1", ['[Termination "agreed"]'], 5, '[Result "-"] belongs here'),
        (3, "*", ['[Termination "abandoned"]'], 5, '[Result "-"] belongs here'),
        (4, "4", ['[Termination "turn limit"]'], 5, '[Result "-"] belongs here'),
        (2, "1", ['[Termination "resigned"]'], 6, "nobody gave up"),
        (3, "-", ['[Termination "resigned"]'], 6, "nobody gave up"),
        (2, "2", ['[Termination "resigned"]', '[Resigned "2@4"]'], 5, '[Result "1"] belongs'),
        (2, "-", ['[Termination "resigned"]', '[Resigned "1@4"]'], 5, '[Result "2"] belongs'),
        (3, "1", ['[Termination "resigned"]', '[Resigned "2@4"]'], 5, '[Result "-"] belongs'),
        (2, "*", ['[Resigned "2@4"]'], 6, "giving up has ended this game"),
        (2, "1", ['[Resigned "2@4"]'], 6, "giving up has ended this game"),
        (2, "-", ['[Resigned "2@4"]', '[Termination "agreed"]'], 6, "giving up has ended"),
        (3, "*", ['[Resigned "1@4,2@4,3@4"]'], 6, "giving up has ended this game"),
        (2, "1", ['[Termination "resigned"]', '[Resigned "2@3"]'], 9, "over before this move"),
        (3, "-", ['[Resigned "1@1,2@2,3@3"]'], 8, "over before this move"),
        (2, "1", ['[Resigned "3@1"]'], 6, "each seat from 1 to 2 once"),
        (3, "*", ['[Resigned "0@1"]'], 6, "each seat from 1 to 3 once"),
        (3, "*", ['[Resigned "2@1, 2@2"]'], 6, "each seat from 1 to 3 once"),
        (3, "*", ['[Resigned "2"]'], 6, 'such as "2@57"'),
        (3, "*", ['[Resigned "2@0"]'], 6, 'such as "2@57"'),
        (3, "*", ['[Resigned ""]'], 6, 'such as "2@57"'),
        (3, "*", ['[Resigned "2@1,"]'], 6, 'such as "2@57"'),
        (3, "*", ['[Resigned "2@²"]'], 6, 'such as "2@57"'),
    ],
)
def test_what_a_record_can_not_say(
    players: int, result: str, headers: list[str], line: int, words: str
) -> None:
    error = error_of(text_of(players, result, *headers))
    assert words in str(error)
    assert (error.line, type(error)) == (line, RecordError)


def test_an_ending_beside_moves_that_end_the_game() -> None:
    game = table(2, guards={"R": "1n"}, thieves={"R": "111"}, hands=["R"], loot=[5])
    game.play("+R(R)")
    with pytest.raises(OutOfTurnError, match="R21"):
        game.resign(1)
    with pytest.raises(OutOfTurnError, match="R21"):
        game.end("agreed")
    assert (game.termination, game.resigned) == (None, {})


def test_moves_that_end_the_game_leave_nothing_to_be_said(won: str) -> None:
    last = len(Game.from_record(won).tokens)
    assert Game.from_record(with_headers(won, f'[Resigned "2@{last}"]')).winner is not None
    error = error_of(with_headers(won, '[Termination "agreed"]'))
    assert error.token == '[Termination "agreed"]'
    assert "the moves end this game" in str(error)
    error = error_of(with_headers(won, f'[Resigned "2@{last + 1}"]'))
    assert error.token.startswith("[Resigned")
    assert "before seat 2 gives up" in str(error)


def with_headers(record: str, *headers: str) -> str:
    """With more headers, right after the result."""
    head, _, rest = record.partition('[Result "')
    result, _, rest = rest.partition("\n")
    return f'{head}[Result "{result}\n' + "".join(f"{line}\n" for line in headers) + rest


@pytest.fixture(scope="module")
def won() -> str:
    return (DATA / "3-standard-arrival-hidden-thieving.txt").read_text("utf-8")


def test_a_record_that_stops_before_somebody_gives_up() -> None:
    text = text_of(2, "1", '[Termination "resigned"]', '[Resigned "2@9"]')
    error = error_of(text)
    assert isinstance(error, CutRecordError)
    assert (error.line, error.game.tokens) == (7, ("@R", "@R", "@G"))
    assert "stops before move 9, where seat 2 gave up" in str(error)


def test_a_record_that_does_not_say_why_nobody_won() -> None:
    error = error_of(text_of(2, "-"))
    assert isinstance(error, CutRecordError)
    assert "nobody won, but not why" in str(error)
