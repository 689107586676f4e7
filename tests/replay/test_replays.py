"""Replays: every step of a record in words and on the table, over HTTP and as one file."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from baghdad import CHANCE, Game
from baghdad.cli import main
from baghdad.replay import offline as offline_file
from baghdad.replay.offline import offline
from baghdad.replay.steps import Replay, Step
from baghdad.rules.fair import fair_draw
from baghdad.rules.narration import narrate
from baghdad.server.domain.refusals import RefusedError
from baghdad.server.wire.uploads import proof_of, replay_of_record
from baghdad.text import LANGUAGES, catalogue, say
from support.records import BEGINNING, GAMES, text_of
from support.tables import no_dancer_left


def keys(step: Step) -> list[str]:
    return [line.key for line in step.lines]


@pytest.mark.parametrize("name", GAMES)
def test_the_steps_lead_through_every_position_and_hand_of_the_game(name: str) -> None:
    replay = replay_of_record(text_of(name))
    game = Game.from_record(text_of(name))
    again = Game.with_options(game.options)
    shown, hands = again.shown(), [list(hand) for hand in replay.hands]
    assert [step.token for step in replay.steps[1:]] == list(game.tokens)
    for step in replay.steps[1:]:
        again.play(step.token)
        shown |= step.changed
        if step.hand is not None:
            assert step.seat is not None
            hands[step.seat] = list(step.hand)
        assert shown == again.shown()
        assert hands == [again.hand(seat) for seat in range(game.options.players)]
    assert replay.result == game.result


def test_a_step_tells_whose_it_was_by_which_rule_and_what_it_brought() -> None:
    steps = replay_of_record(BEGINNING).steps
    assert keys(steps[0]) == ["log.started"]
    by_token = {step.token: step for step in steps}
    assert (by_token["@G"].seat, by_token["@G"].lines[0].rule) == (1, "R6")
    assert (by_token["=GGGPPBY"].seat, by_token["=GGGPPBY"].cards) == (1, "GGGPPBY")
    assert (by_token["=WPB"].seat, by_token["=RYY"].seat) == (0, 1)
    assert by_token["=WPB"].hand == (0, 0, 2, 1, 0, 1, 0)


def test_lines_say_how_many_cards_come_and_never_which() -> None:
    ended = None
    for step in replay_of_record(text_of(GAMES[0])).steps:
        if step.cards:
            drawn, *others = step.lines
            assert drawn.key in ("log.drawn", "log.dealt_to")
            assert drawn.values == {"n": len(step.cards)}
            assert {line.key for line in others} <= {"log.reshuffled"}
            if ended is not None:
                assert ended.lines[0].values["n"] == len(step.cards)
        ended = step if step.token and step.token[0] in ".-" else None


def test_fewer_cards_are_told_as_fewer() -> None:
    """R25: stack and discard pile run out."""
    game = no_dancer_left(spare="chosen")
    while game.position()["deck"] != [0] * 6:
        game.play("-R" if game.to_move != CHANCE else fair_draw(game, "few"))
    while game.to_move == CHANCE:
        game.play(fair_draw(game, "few"))
    game.play("-")
    game.play("=")
    told = [
        step.lines[0] for step in replay_of_record(game.record()).steps if step.token[:1] == "-"
    ]
    assert (told[-2].key, told[-2].values) == ("log.pass_name", {"palace": "R", "n": 1})
    assert (told[-1].key, told[-1].values) == ("log.pass_none", {"n": 0})
    for language in LANGUAGES:
        words = narrate(game, language)
        assert words[-2].text == say("log.pass_name", language, palace="R", n=1)
        assert words[-1].text == say("log.pass_none", language)


def test_robberies_and_the_end_are_told() -> None:
    replay = replay_of_record(text_of(GAMES[0]))
    robberies = [step for step in replay.steps if step.robbed]
    assert robberies
    assert all("log.rob" in keys(step) for step in robberies)
    assert keys(replay.steps[-1])[-1] == "log.won"
    assert replay_of_record(text_of(GAMES[2])).steps[-1].lines


def test_every_line_is_in_the_catalogue() -> None:
    for name in GAMES:
        for step in replay_of_record(text_of(name)).steps:
            for key in keys(step):
                assert all(key in catalogue("messages", language) for language in LANGUAGES)


def test_names_and_colours_come_from_the_headers() -> None:
    named = BEGINNING.replace("\n\n", '\n[Seats "Ali, Morgiana"]\n[Colours "3, 1"]\n\n', 1)
    replay = replay_of_record(named)
    assert replay.names == ("Ali", "Morgiana")
    assert replay.colours == (2, 0)
    assert replay_of_record(replay.record) == replay
    plain = replay_of_record(BEGINNING)
    assert (plain.names, plain.colours) == ((), (0, 1))


def test_a_record_with_a_mistake_is_refused_with_its_place_and_rule() -> None:
    with pytest.raises(RefusedError) as caught:
        replay_of_record(BEGINNING.replace("-* =RYY", "+R(RR)"))
    assert caught.value.rule == "R12"
    for language in LANGUAGES:
        assert "R12" in caught.value.said(language)
    assert "line 13, column 1: +R(RR): R12" in caught.value.said("en")


def test_a_record_that_was_cut_off_is_shown_as_far_as_it_goes() -> None:
    whole = text_of(GAMES[0])
    for end in (len(whole) // 2, whole.rindex("(") + 1):
        cut = whole[:end]
        replay = replay_of_record(cut)
        tokens = cut.split("\n\n", 1)[1].split()
        assert [step.token for step in replay.steps[1:]] in (tokens, tokens[:-1])
        assert replay.cut is not None
        assert replay.result == "*"
    last = whole.rindex("\n", 0, -1)
    stops = replay_of_record(whole[:last]).cut
    assert stops is not None
    assert (stops.key, stops.seat) == ("record.cut", 0)
    assert replay_of_record(BEGINNING + "+R(R").cut is not None
    assert replay_of_record(BEGINNING).cut is None
    assert replay_of_record(whole).cut is None
    with pytest.raises(RefusedError, match="not_a_record"):
        replay_of_record(whole.replace('[Result "1"]', '[Result "2"]'))


def test_a_record_too_long_for_anybody_to_watch_is_refused_before_it_is_played(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    steps = len(Game.from_record(BEGINNING).tokens)
    assert len(replay_of_record(BEGINNING, most_steps=steps).steps) == steps + 1
    monkeypatch.delattr(Game, "from_record")
    with pytest.raises(RefusedError, match="too_long"):
        replay_of_record(BEGINNING, most_steps=steps - 1)
    with pytest.raises(RefusedError, match="too_long"):
        proof_of(BEGINNING, "en", steps - 1, None, None)


# One file


TEMPLATE = '<!doctype html><script type="application/json" id="game">null</script>'


def game_in(page: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="game">(.*?)</script>', page, re.DOTALL)
    assert found
    game: dict[str, Any] = json.loads(found[1])
    return game


def test_the_game_is_written_into_the_file_whatever_its_players_are_called() -> None:
    nasty = BEGINNING.replace("\n\n", '\n[Seats "</script><!--, Bob"]\n\n', 1)
    page = offline(TEMPLATE, replay_of_record(nasty))
    assert page.count("</script>") == 1
    game = game_in(page)
    assert game["names"] == ["</script><!--", "Bob"]
    assert len(game["steps"]) == len(replay_of_record(nasty).steps)


def test_the_command_line_writes_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    template, record, page = (tmp_path / name for name in ("offline.html", "game.txt", "out.html"))
    monkeypatch.setattr(offline_file, "TEMPLATE", template)
    record.write_text(BEGINNING, "utf-8")
    assert main(["--lang", "en", "replay", str(record), "--html", str(page)]) == 2
    assert "make web" in capsys.readouterr().err
    template.write_text(TEMPLATE, "utf-8")
    assert main(["--lang", "en", "replay", str(record), "--html", str(page)]) == 0
    assert "out.html" in capsys.readouterr().out
    assert Replay.__struct_fields__ == tuple(game_in(page.read_text("utf-8")))
    assert capsys.readouterr().err == ""
    record.write_text(BEGINNING.replace('"*"', '"2"') + "+R(R", "utf-8")
    assert main(["--lang", "en", "replay", str(record), "--html", str(page)]) == 0
    assert game_in(page.read_text("utf-8"))["cut"]["key"] == "record.cut_token"
    assert "line 14, column 1: +R(R: the record stops" in capsys.readouterr().err
    assert main(["--lang", "en", "replay", str(record)]) == 1
    assert "line 14, column 1: +R(R: the record stops" in capsys.readouterr().err
    record.write_text(BEGINNING + BEGINNING, "utf-8")
    assert main(["--lang", "en", "replay", str(record), "--html", str(page)]) == 1
