"""The game record: headers, tokens, comments, and mistakes in them."""

import pickle
from pathlib import Path

import pytest

from baghdad import (
    CutRecordError,
    Game,
    IllegalMoveError,
    NotAMoveError,
    OutOfTurnError,
    RecordError,
)
from baghdad.rules.engine.material import PALACE_LETTERS
from baghdad.rules.notation import read_records
from support.make_data import DATA, expectation
from support.tables import EVERY_TABLE

HEADERS = """[Players "2"]
[Variant "standard"]
[Rob "arrival"]
[Hands "hidden"]
[Result "*"]
"""

OPENING = HEADERS + "\n@R @G\n@W @P\n@Y @B\n@R @G\n=RRRRRR =GGGGGGG\n"


def error_of(text: str) -> RecordError:
    with pytest.raises(RecordError) as caught:
        Game.from_record(text)
    return caught.value


def test_a_record_is_read_and_written_again() -> None:
    game = Game.from_record(OPENING)
    assert game.to_move == 0
    assert game.record() == OPENING


def test_free_headers_are_kept_in_order() -> None:
    text = OPENING.replace(
        "\n\n", '\n[Seats "Ahmed, Jasmin"]\n[Date "2026.11.15"]\n[Event "é \\"x\\""]\n\n'
    )
    game = Game.from_record(text)
    assert game.headers["Seats"] == "Ahmed, Jasmin"
    assert game.headers["Event"] == 'é "x"'
    assert game.record() == text


def test_comments_and_white_space_do_not_matter() -> None:
    text = "\ufeff" + OPENING.replace("@R @G\n@W", "@R{one\n two}@G {} \t @W").replace("\n", "\r\n")
    assert Game.from_record(text).record() == OPENING


def test_a_record_may_stop_anywhere() -> None:
    tokens = OPENING.removeprefix(HEADERS).split()
    for stop in range(len(tokens) + 1):
        text = HEADERS + "\n" + " ".join(tokens[:stop])
        assert Game.from_record(text).tokens == tuple(tokens[:stop])


def test_a_comment_may_follow_a_header() -> None:
    text = OPENING.replace('[Players "2"]', '[Players "2"] {two of us} {really}')
    assert Game.from_record(text).record() == OPENING
    braces = OPENING.replace("\n\n", '\n[Event "{not} a [comment]"]\n\n')
    assert Game.from_record(braces).headers["Event"] == "{not} a [comment]"
    assert Game.from_record(braces).record() == braces


def test_records_without_moves_can_follow_each_other() -> None:
    assert len(read_records(HEADERS + "\n" + HEADERS + "\n" + OPENING)) == 3
    assert len(read_records("\ufeff" + OPENING + "\ufeff" + OPENING)) == 2


def test_several_records_in_one_text() -> None:
    assert len(read_records(OPENING + "\n" + OPENING)) == 2
    error = error_of(OPENING + OPENING)
    assert "2 records here" in str(error)


@pytest.mark.parametrize("name", ["Players", "Variant", "Rob", "Hands", "Result"])
def test_a_missing_header_is_named(name: str) -> None:
    lines = [line for line in OPENING.splitlines() if not line.startswith(f"[{name} ")]
    error = error_of("\n".join(lines))
    assert f"[{name} " in str(error)
    assert "is missing" in str(error)
    assert '"1"' not in str(error)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('[Players "5"]', "Players is one of: 2, 3, 4"),
        ('[Variant "classic"]', "Variant is one of: standard, neutral"),
        ('[Rob ""]', "Rob is one of: arrival, smuggle"),
        ('[Hands "open"]', "Hands is one of: hidden, seen"),
        ('[Result "5"]', "Result is one of: 1, 2, 3, 4, -, *"),
        ("[Result 1]", "a header is written"),
        ('[Result "1"', "a header is written"),
        ('[Result "1"] @R', "a header is written"),
        ('[Hands "hidden"]', "a second time"),
    ],
)
def test_a_bad_header_is_pointed_at(line: str, words: str) -> None:
    name = line[1:].split()[0]
    lines = OPENING.splitlines()
    place = next(i for i, old in enumerate(lines) if old.startswith(f"[{name} "))
    if words == "a second time":
        place += 1
        lines.insert(place, line)
    else:
        lines[place] = f"  {line}"
    error = error_of("\n".join(lines))
    assert words in str(error)
    assert error.line == place + 1
    assert error.column == (1 if words == "a second time" else 3)
    assert error.token == line


@pytest.mark.parametrize("text", ["", "\n\n", "hello", "@R", "{"])
def test_what_is_no_record_at_all(text: str) -> None:
    assert error_of(text).line == 1


def test_a_bad_move_is_told_with_place_token_and_rule() -> None:
    error = error_of(OPENING + "  {thinking}  +G(GG) .\n")
    assert (error.line, error.column, error.token, error.rule) == (12, 15, "+G(GG)", "R12")
    assert str(error) == "line 12, column 15: +G(GG): R12: no own guard in front of green"
    assert isinstance(error.cause, IllegalMoveError)


def test_three_kinds_of_mistakes() -> None:
    assert isinstance(error_of(OPENING + "hello").cause, NotAMoveError)
    assert isinstance(error_of(OPENING + "@R").cause, OutOfTurnError)
    assert isinstance(error_of(OPENING + "R>R(R)").cause, IllegalMoveError)


@pytest.mark.parametrize(
    ("token", "canonical"),
    [("+R(*R)", "+R(R*)"), ("nR>G(GR)", "nR>G(RG)"), ("nR>G(*R)", "nR>G(R*)")],
)
def test_the_order_of_a_payment_is_fixed(token: str, canonical: str) -> None:
    error = error_of(OPENING + token)
    assert isinstance(error.cause, NotAMoveError)
    assert f"is written {canonical}" in str(error)


@pytest.mark.parametrize("result", ["2", "-", "*"])
def test_a_result_that_the_moves_do_not_bear_out(result: str) -> None:
    text = (DATA / "2-standard-arrival-hidden-thieving.txt").read_text("utf-8")
    assert '[Result "1"]' in text
    error = error_of(text.replace('[Result "1"]', f'[Result "{result}"]'))
    assert error.line == 5
    assert 'the moves say [Result "1"]' in str(error)
    assert not isinstance(error, CutRecordError)


@pytest.mark.parametrize("result", ["1", "2"])
def test_a_record_that_stops_before_its_result_says_so_and_where(result: str) -> None:
    text = OPENING.replace('[Result "*"]', f'[Result "{result}"]')
    error = error_of(text)
    assert isinstance(error, CutRecordError)
    assert (error.line, error.rule) == (len(text.rstrip().splitlines()), None)
    assert error.column == len(text.rstrip().splitlines()[-1]) + 1
    assert f"stops before the end: it says that seat {result} won" in str(error)
    assert error.game.tokens == Game.from_record(OPENING).tokens
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.game.tokens) == (str(error), error.game.tokens)


@pytest.mark.parametrize(
    "torn", ["+R(R", "+", "R>>", "R>G(", "n", "nR>G(R", "@", "+R(R) . =WP", "+R(R) . ="]
)
def test_a_record_that_stops_in_the_middle_of_a_token(torn: str) -> None:
    error = error_of(OPENING + torn)
    assert isinstance(error, CutRecordError)
    assert error.token == torn.split()[-1]
    assert "in the middle of a move" in str(error)
    played = tuple(torn.split()[:-1])
    assert error.game.tokens == Game.from_record(OPENING).tokens + played


@pytest.mark.parametrize("wrong", ["+R(R +R(RR)", "+G(GG)", "hello", "-", "+R(R) . =WPBB", "=WP"])
def test_what_breaks_a_rule_is_no_record_that_stops_early(wrong: str) -> None:
    text = OPENING if wrong != "-" else OPENING + "+R(R) "
    error = error_of(text + wrong)
    assert not isinstance(error, CutRecordError)
    assert error.cause is not None


def test_a_header_that_cannot_be_written_is_refused() -> None:
    game = Game(2, headers={"Event": "two\nlines"})
    with pytest.raises(ValueError, match="no header can be made of 'Event'"):
        game.record()


def test_play_by_number_and_by_token_are_the_same() -> None:
    by_token, by_number = Game(2), Game(2)
    by_token.play("@W")
    by_number.play(2)
    assert by_token.tokens == by_number.tokens == ("@W",)
    for number in (-1, 375, 10**9):
        with pytest.raises(NotAMoveError, match="actions are numbered from 0 to 374"):
            by_number.play(number)


NAMES = {f"-{letter}" for letter in PALACE_LETTERS}


@pytest.mark.parametrize("path", sorted(DATA.glob("*.txt")), ids=lambda path: path.stem)
def test_recorded_games_go_as_they_always_did(path: Path) -> None:
    """Every position of the recorded games is on file: a change of rules can't pass unseen."""
    record = path.read_text()
    assert Game.from_record(record).record() == record
    assert expectation(record) == path.with_suffix(".json").read_text()


def test_there_are_recorded_games_for_every_table() -> None:
    games = [Game.from_record(path.read_text()) for path in DATA.glob("*.txt")]
    assert {game.options for game in games} > set(EVERY_TABLE)
    for players in (2, 3, 4):
        mine = [game for game in games if game.options.players == players]
        assert len({token for game in mine for token in game.tokens} & NAMES) > 3
        assert len({game.options.deal for game in mine}) == 3


def test_a_record_as_one_seat_knows_it_hides_the_others_cards() -> None:
    game = Game(3, seed=4, spare="chosen")
    while game.turns < 15:
        legal = game.legal_tokens()
        game.play(next((token for token in ("-*", "-B") if token in legal), legal[0]))
    assert "-B" in game.record(seat=0), "a name is public"
    for seat in range(3):
        told = game.record(seat=seat).split("\n\n", 1)[1].split()
        hidden = [token for token in told if "?" in token]
        assert len(told) == len(game.tokens)
        assert len(hidden) == len([t for t in told if t[0] == "="]) - (1 + len(range(seat, 15, 3)))
        for full, seen in zip(game.tokens, told, strict=True):
            assert seen == full or seen == "=" + "?" * (len(full) - 1)
        with pytest.raises(RecordError, match="hides cards"):
            Game.from_record(game.record(seat=seat))
    with pytest.raises(ValueError, match="seat: 0 to 2"):
        game.record(seat=3)


def test_nobody_elses_cards_are_in_a_seats_record() -> None:
    one = OPENING.replace("=GGGGGGG", "=GGGGGGG\n. =???").split("\n. ")[0]
    game = Game.from_record(one)
    other = Game.from_record(one.replace("=GGGGGGG", "=WWWWWWW"))
    assert game.record(seat=0) == other.record(seat=0)
    assert game.record(seat=1) != other.record(seat=1)


def test_what_a_seat_knows_has_no_secret_that_tells_all_cards() -> None:
    game = Game(2, hands="seen", headers={"Seed": "abc", "Commitment": "d", "Event": "Club"})
    assert 'Seed "abc"' in game.record()
    told = game.record(seat=0)
    assert "abc" not in told
    assert 'Event "Club"' in told


@pytest.mark.parametrize(("resigned", "result"), [("1@1, 2@1", "2"), ("2@1, 1@1", "1")])
def test_r28_of_two_players_only_one_can_have_given_up(resigned: str, result: str) -> None:
    game = Game(2)
    game.resign(int(resigned[0]) - 1)
    text = game.record()
    assert Game.from_record(text).result == result
    both = text.replace(f'Resigned "{resigned[:3]}"', f'Resigned "{resigned}"')
    with pytest.raises(RecordError, match="R28: of two players only one"):
        Game.from_record(both)
