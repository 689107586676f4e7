"""The arena: what it plays, what it concludes, and that both can be relied on."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from unittest.mock import Mock

import numpy as np
import pytest

from baghdad import Options
from baghdad.arena import MatchError, Outcome, html_report, run, summarize
from baghdad.arena import local as running
from baghdad.arena.fingerprint import PLAYERS_FINGERPRINT
from baghdad.arena.local import play_deals
from baghdad.arena.match import Match, Played, play_deal
from baghdad.arena.results import (
    ResultError,
    Results,
    open_results,
    read_results,
    write_deal,
)
from baghdad.arena.statistics import (
    Interval,
    Sprt,
    Wins,
    bootstrap,
    elo,
    expected,
    plackett_luce,
    rate,
)
from baghdad.bots import Budget
from baghdad.cli import main
from support.documents import blocks
from support.programs import ROOT

MATCH = Match(("heuristic", "random"), Options(2), "seed", Budget())


@pytest.mark.parametrize(("players", "games"), [(2, 2), (3, 6), (4, 8)])
def test_every_deal_is_played_in_all_seats(players: int, games: int) -> None:
    match = Match(("heuristic", "random"), Options(players), "seed", Budget(), max_turns=6)
    seatings = match.seatings()
    assert len(seatings) == len(set(seatings)) == games
    for seat in range(players):
        names = [seating[seat] for seating in seatings]
        assert names.count("heuristic") == names.count("random") == games // 2
    played = play_deal(match, 3)
    assert [game.seats for game in played] == seatings
    assert {game.deal for game in played} == {3}


def test_three_bots_meet_in_pairs() -> None:
    match = Match(("a", "b", "c"), Options(2), "seed", Budget())
    assert {frozenset(seats) for seats in match.seatings()} == {
        frozenset("ab"), frozenset("ac"), frozenset("bc"),
    }  # fmt: skip


def test_games_can_be_played_again() -> None:
    assert play_deal(MATCH, 5) == play_deal(MATCH, 5)
    assert play_deal(MATCH, 5) != play_deal(MATCH, 6)


def test_processes_play_the_same_games_in_the_same_order() -> None:
    alone = list(play_deals(MATCH, range(1, 5), 1))
    together = list(play_deals(MATCH, range(1, 5), 2))
    assert alone == together


def test_a_game_at_the_limit_is_won_by_nobody() -> None:
    match = Match(("heuristic", "random"), Options(2), "seed", Budget(), max_turns=3)
    results = Results(match, {1: play_deal(match, 1)})
    assert results.nobody() == 2
    # Everybody's in equal parts, whoever is named first.
    assert results.scores("heuristic", "random") == results.scores("random", "heuristic") == [0.5]


def test_results_on_file_go_on_where_they_stopped(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    results, file = open_results(path, MATCH, {"machine": "here"})
    for deal in (1, 2):
        results.deals[deal] = play_deal(MATCH, deal)
        write_deal(file, results.deals[deal])
    file.close()
    with path.open("a") as cut:
        cut.write('[{"deal": 3, "sea')  # the power failed
    again, file = open_results(path, MATCH, {})
    assert again.deals == results.deals
    results.deals[3] = play_deal(MATCH, 3)
    write_deal(file, results.deals[3])
    file.close()
    assert read_results(path).deals == results.deals
    assert again.match == MATCH
    other = Match(MATCH.bots, MATCH.options, "another seed", MATCH.budget)
    with pytest.raises(ResultError):
        open_results(path, other, {})


@pytest.mark.parametrize(
    "options",
    [
        Options(3, "neutral", "smuggle", "seen", "chosen", (6, 7, 9)),
        Options(2, deal=(6, 8), rulebook="cs"),
        Options(4, rulebook="de"),
    ],
    ids=str,
)
def test_all_options_are_kept_on_file(tmp_path: Path, options: Options) -> None:
    path, match = tmp_path / "results.jsonl", replace(MATCH, options=options, max_turns=6)
    _, file = open_results(path, match, {})
    write_deal(file, play_deal(match, 1))
    file.close()
    again = read_results(path)
    assert again.match == match
    assert again.deals == {1: play_deal(match, 1)}
    with pytest.raises(ResultError):
        open_results(path, replace(match, options=Options(options.players)), {})


@pytest.mark.parametrize(
    "text",
    [b"hello\n", b"\xff\xfe\n", b"{}\n", b"[]\n", b'{"format": 1, "match": {}}\n', b"\n"],
)
def test_what_is_no_result_file_is_refused(tmp_path: Path, text: bytes) -> None:
    file = tmp_path / "no.jsonl"
    file.write_bytes(text)
    with pytest.raises(ResultError):
        open_results(file, MATCH, {})
    words = ["--lang", "en", "arena", "heuristic", "random", "-o", str(file)]
    assert main(words) == 2
    assert file.read_bytes() == text


@pytest.mark.parametrize("line", [b"\xff\xfe", b"[]", b"5", b"[{}]", b"{}", b'[{"deal": 2}]'])
def test_a_damaged_line_costs_its_deal_alone(tmp_path: Path, line: bytes) -> None:
    path = tmp_path / "results.jsonl"
    _, file = open_results(path, MATCH, {})
    write_deal(file, play_deal(MATCH, 1))
    file.close()
    with path.open("ab") as more:
        more.write(line + b"\n")
        more.write(json.dumps([asdict(play_deal(MATCH, 3)[0])]).encode() + b"\n")  # half a deal
    _, file = open_results(path, MATCH, {})
    write_deal(file, play_deal(MATCH, 2))
    file.close()
    assert read_results(path).deals.keys() == {1, 2}


def test_games_of_other_players_are_not_mixed_with_these(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The network was trained on, or Baghdad is another: the names are the same."""
    path = tmp_path / "results.jsonl"
    words = ["--lang", "en", "arena", "heuristic", "random", "--seed", "1", "--games", "2"]
    assert main([*words, "-o", str(path)]) == 0
    before = path.read_text().replace(PLAYERS_FINGERPRINT, "baghdad 0.0.1 (abc, weights def)")
    path.write_text(before)
    capsys.readouterr()
    assert main([*words, "-o", str(path)]) == 2
    said = capsys.readouterr().err
    assert "baghdad 0.0.1 (abc, weights def)" in said
    assert PLAYERS_FINGERPRINT in said
    assert path.read_text() == before


def test_whoever_still_plays_when_nobody_asks_any_more_is_stopped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pool, worker = Mock(), Mock()
    pool._processes = {1: worker}
    done = Future[list[Played]]()
    done.set_result(play_deal(MATCH, 1))
    pool.submit.return_value = done
    monkeypatch.setattr(running, "ProcessPoolExecutor", Mock(return_value=pool))
    deals = play_deals(MATCH, range(1, 100), 2)
    assert next(deals) == play_deal(MATCH, 1)
    worker.terminate.assert_not_called()
    deals.close()
    worker.terminate.assert_called_once()


def test_the_bootstrap_covers_the_truth() -> None:
    """Of 95 % intervals some 95 in 100 hold the true share."""
    random = np.random.default_rng(7)
    covered = 0
    for trial in range(300):
        # Both games of a deal share its luck: scores of 0, a half and 1.
        luck = random.random(60)
        scores = ((luck < 0.6).astype(float) + (random.random(60) < 0.6)) / 2
        interval = bootstrap(scores.tolist(), seed=trial)
        covered += interval.low <= 0.6 <= interval.high
    assert 270 <= covered <= 297


def test_a_clean_sweep_leaves_doubt() -> None:
    sweep, none = bootstrap([1.0] * 20), bootstrap([0.0] * 20)
    assert sweep.value == sweep.high == 1.0
    assert 0.8 < sweep.low < 0.85
    assert none.value == none.low == 0.0
    assert none.high == pytest.approx(1 - sweep.low)


def test_one_deal_says_nothing_of_how_sure_it_is() -> None:
    assert bootstrap([1 / 3]) == Interval(1 / 3, 0.0, 1.0)


def test_elo_and_share_are_the_same_thing() -> None:
    for difference in (-300, -10, 0, 25, 400):
        assert elo(expected(difference)) == pytest.approx(difference)
    assert expected(400) == pytest.approx(10 / 11)


@pytest.mark.parametrize(("true", "accepted"), [(0.0, False), (30.0, True)])
def test_sprt_errs_as_seldom_as_it_says(true: float, accepted: bool) -> None:
    """Simulated matches under either hypothesis: at most some 5 % wrong answers."""
    random = np.random.default_rng(11)
    wrong, trials = 0, 200
    share = expected(true)
    for _ in range(trials):
        test = Sprt(0, 30)
        for score in (random.random((6000, 2)) < share).mean(axis=1).tolist():
            test.add(score)
            if test.verdict is not None:
                break
        assert test.verdict is not None
        wrong += test.verdict is not accepted
    assert wrong <= 0.05 * trials + 3 * (trials * 0.05 * 0.95) ** 0.5


def test_sprt_is_about_all_scores_so_far() -> None:
    """Reckoned deal after deal, and once from the definition."""
    scores = [0.5, 1.0, 1.0, 0.0, 0.5, 1.0, 1.0, 0.5, 0.5, 1.0]
    test = Sprt(-10, 40)
    for score in scores[:7]:
        test.add(score)
    assert test.log_ratio == 0.0  # too few to say anything
    for score in scores[7:]:
        test.add(score)
    low, high = expected(-10), expected(40)
    variance = np.var([*scores, 0.0, 1.0])
    wanted = 10 * (high - low) * (np.mean(scores) - (low + high) / 2) / variance
    assert test.log_ratio == pytest.approx(wanted)


def test_plackett_luce_finds_the_strengths_back() -> None:
    random = np.random.default_rng(3)
    names = ["a", "b", "c"]
    strength = {"a": 1.0, "b": 2.0, "c": 4.0}
    by_deal: list[Wins] = []
    for _ in range(1500):
        wins: Wins = Wins()
        for table in (("a", "b", "b"), ("a", "c", "c"), ("b", "b", "c"), ("a", "a", "c")):
            odds = np.array([strength[name] for name in table])
            winner = table[random.choice(3, p=odds / odds.sum())]
            wins[table, winner] += 1
        by_deal.append(wins)
    ratings = plackett_luce(by_deal, names)
    assert ratings.sum() == pytest.approx(0, abs=1e-6)
    assert ratings[1] - ratings[0] == pytest.approx(120, abs=20)  # 400 · log10 2
    assert ratings[2] - ratings[0] == pytest.approx(241, abs=20)


def test_a_bot_that_always_wins_has_a_rating_all_the_same() -> None:
    by_deal = [Wins({(("a", "b"), "a"): 2}) for _ in range(20)]
    best, worst = rate(by_deal, ["a", "b"])
    assert isinstance(best, Interval)
    assert 200 < best.value < 2000
    assert worst.value == pytest.approx(-best.value)
    assert best.low < best.value - 50 < best.value + 50 < best.high  # it is not known so well
    more, _ = rate(5 * by_deal, ["a", "b"])
    assert best.low < more.low < best.high


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(tmp_path / "a.jsonl")
    words = ["arena", "heuristic", "random", "--seed", "x", "-o", path, "--json"]
    assert main([*words, "--games", "6"]) == 0
    first = json.loads(capsys.readouterr().out)
    assert first["games"] == 6
    assert first["deals"] == 3
    assert main([*words, "--games", "10"]) == 0
    second = json.loads(capsys.readouterr().out)
    assert second["games"] == 10
    assert second["pairs"][0]["share"][0] == 1.0
    assert len(Path(path).read_text().splitlines()) == 6
    assert (
        main(["arena", "heuristic", "random", "--players", "3", "--games", "6", "--lang", "de"])
        == 0
    )
    assert "Wertungen" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("language", "players"), [("en", "2"), ("de", "3"), ("nl", "4"), ("cs", "2")]
)
def test_the_report_is_one_file_that_needs_nothing_else(
    tmp_path: Path, language: str, players: str
) -> None:
    page = tmp_path / "report.html"
    words = ["arena", "heuristic", "random", "--games", "8", "--players", players, "--seed", "<&>"]
    assert main([*words, "--html", str(page), "--lang", language]) == 0
    text = page.read_text("utf-8")
    assert text.startswith(f'<!doctype html><html lang="{language}">')
    assert text.count("<svg") == 4
    assert text.count("<section>") == 6
    assert "&lt;&amp;&gt;" in text
    assert "<&>" not in text
    for outside in ("http", "src=", "<script", "@import", "url("):
        assert outside not in text


def test_the_ladder_has_every_bot(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ladder", "--games", "6", "--simulations", "20", "--seed", "1", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert set(report["ratings"]) >= {"heuristic", "random", "search"}
    assert len(report["pairs"]) == len(report["ratings"]) * (len(report["ratings"]) - 1) / 2


def test_a_small_ladder_keeps_its_order(capsys: pytest.CaptureFixture[str]) -> None:
    """Frozen: same bots, seed and simulations give the same games everywhere."""
    words = ["arena", "random", "heuristic", "search", "--games", "72", "--simulations", "60"]
    assert main([*words, "--seed", "ladder", "--json"]) == 0
    ratings = json.loads(capsys.readouterr().out)["ratings"]
    order = sorted(ratings, key=lambda name: -ratings[name][0])
    assert order == ["search", "heuristic", "random"]


def test_sprt_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["arena", "heuristic", "random", "--sprt", "0", "200", "--seed", "1"]) == 0
    assert "accepted that the first bot is +200 Elo stronger" in capsys.readouterr().out


@pytest.mark.parametrize(
    "arguments",
    [
        ["heuristic"],
        ["heuristic", "heuristic"],
        ["heuristic", "nobody"],
        ["heuristic", "random", "--sprt", "10", "0"],
        ["heuristic", "random", "--players", "3", "--sprt", "0", "10"],
    ],
)
def test_wrong_calls_say_what_to_do(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["arena", *arguments]) == 2
    assert capsys.readouterr().err.strip()


@pytest.mark.parametrize(
    "arguments",
    [["--seconds", "nan"], ["--seconds", "0"], ["--sprt", "nan", "5"], ["--sprt", "0", "1e9"]],
)
def test_numbers_that_are_none_are_refused(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--lang", "en", "arena", "heuristic", "random", *arguments])
    assert ended.value.code == 2
    assert "a number" in capsys.readouterr().err


def test_a_page_that_can_not_be_written_is_told_before_the_match(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("baghdad.arena.runner.play_deals", Mock(side_effect=AssertionError))
    page = str(tmp_path / "nowhere" / "page.html")
    assert main(["--lang", "en", "arena", "heuristic", "random", "--html", page]) == 2
    assert page in capsys.readouterr().err


def test_a_page_can_go_to_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["arena", "heuristic", "random", "--games", "2", "--lang", "en", "--html", "-"]
    assert main(words) == 0
    told = capsys.readouterr()
    assert told.out.startswith("<!doctype html>")
    assert "too few deals (1)" in told.err
    assert "--games 16" in told.err


def test_a_process_that_dies_costs_no_game_that_was_played(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def dying(match: Match, deals: Iterable[int], _: int) -> Iterator[list[Played]]:
        for deal in deals:
            if deal == 3:
                raise BrokenProcessPool
            yield play_deal(match, deal)

    monkeypatch.setattr("baghdad.arena.runner.play_deals", dying)
    assert main(["--lang", "en", "arena", "heuristic", "random", "--json"]) == 1
    told = capsys.readouterr()
    assert json.loads(told.out)["deals"] == 2
    assert "a playing process has died" in told.err
    none = partial(dying, MATCH, [3], 1)
    monkeypatch.setattr("baghdad.arena.runner.play_deals", lambda *_: none())
    assert main(["--lang", "en", "arena", "heuristic", "random", "--json"]) == 1


@pytest.mark.parametrize("error", [BrokenPipeError, FileNotFoundError, ZeroDivisionError])
def test_a_bot_that_fails_costs_no_game_that_was_played(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, error: type[Exception]
) -> None:
    def failing(match: Match, deals: Iterable[int], _: int) -> Iterator[list[Played]]:
        for deal in deals:
            if deal == 3:
                raise error("the engine is gone")
            yield play_deal(match, deal)

    monkeypatch.setattr("baghdad.arena.runner.play_deals", failing)
    assert main(["--lang", "en", "arena", "heuristic", "random", "--json"]) == 1
    told = capsys.readouterr()
    assert json.loads(told.out)["deals"] == 2
    assert f"{error.__name__}: the engine is gone" in told.err
    assert "a bot has failed" in told.err


def test_a_bot_of_another_package_is_known_by_its_text(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    about, module = tmp_path / "guest-1.5.dist-info", tmp_path / "guest_bot.py"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: guest\nVersion: 1.5\n")
    (about / "entry_points.txt").write_text("[baghdad.bots]\nguest = guest_bot:RandomBot\n")
    module.write_text("from baghdad.bots.random import RandomBot\n")
    monkeypatch.syspath_prepend(tmp_path)
    words = ["--lang", "en", "arena", "guest", "heuristic", "--seed", "1", "--games", "2"]
    file = tmp_path / "results.jsonl"
    for _ in range(2):
        assert main([*words, "-o", str(file)]) == 0
    assert "guest of guest 1.5 (" in file.read_text().splitlines()[0]
    module.write_text(module.read_text() + "# better\n")
    capsys.readouterr()
    assert main([*words, "-o", str(file)]) == 2
    assert "was played by" in capsys.readouterr().err


def test_a_test_plays_no_more_games_than_it_may(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["arena", "heuristic", "kasim", "--sprt", "700", "701", "--games", "20", "--json"]
    assert main([*words, "--seed", "1"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["games"], told["sprt"]["accepted"]) == (20, None)


def test_an_interrupt_ends_the_match_early_and_not_empty(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupting(match: Match, deal: int) -> object:
        if deal == 3:
            os.kill(os.getpid(), signal.SIGINT)
        return play_deal(match, deal)

    monkeypatch.setattr(running, "play_deal", interrupting)
    path = str(tmp_path / "a.jsonl")
    words = ["arena", "heuristic", "random", "--seed", "x", "--games", "12", "-o", path, "--json"]
    assert main(words) == 0
    assert json.loads(capsys.readouterr().out)["deals"] in (2, 3)
    monkeypatch.undo()
    assert main(words) == 0
    assert json.loads(capsys.readouterr().out)["deals"] == 6


def test_a_match_from_a_program_goes_on_where_its_file_stops(tmp_path: Path) -> None:
    path, seen = tmp_path / "a.jsonl", list[tuple[int, int, int]]()

    def progress(outcome: Outcome, done: int, most: int) -> None:
        seen.append((len(outcome.results.deals), done, most))

    run(MATCH, games=4, output=path, progress=progress)
    assert seen == [(1, 1, 2), (2, 2, 2)]
    seen.clear()
    outcome = run(MATCH, games=6, output=path, progress=progress)
    assert seen == [(2, 1, 3), (2, 2, 3), (3, 3, 3)]
    assert outcome.results.deals == read_results(path).deals
    assert outcome.summary() == summarize(read_results(path)) | outcome.about
    assert run(MATCH, deals=range(2, 4)).results.deals == {
        deal: outcome.results.deals[deal] for deal in (2, 3)
    }


def test_a_failure_in_a_program_has_what_was_played(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(match: Match, deals: Iterable[int], _: int) -> Iterator[list[Played]]:
        for deal in deals:
            if deal == 3:
                raise ZeroDivisionError
            yield play_deal(match, deal)

    monkeypatch.setattr("baghdad.arena.runner.play_deals", failing)
    with pytest.raises(MatchError, match="after 2 deals") as failed:
        run(MATCH)
    assert isinstance(failed.value.__cause__, ZeroDivisionError)
    assert failed.value.outcome.results.deals.keys() == {1, 2}


@pytest.mark.parametrize(
    ("match", "sprt"),
    [
        (replace(MATCH, bots=("heuristic",)), None),
        (replace(MATCH, bots=("heuristic", "heuristic")), None),
        (replace(MATCH, options=Options(3)), (0, 10)),
        (replace(MATCH, bots=("heuristic", "random", "kasim")), (0, 10)),
        (MATCH, (10, 0)),
    ],
)
def test_what_is_no_match_is_refused(match: Match, sprt: tuple[float, float] | None) -> None:
    with pytest.raises(ValueError, match="bots"):
        run(match, sprt=sprt)


def test_what_few_matches_use_is_on_file_only_there(tmp_path: Path) -> None:
    assert not MATCH.as_json().keys() & {"timed", "first_alone"}
    assert not asdict(MATCH).keys() ^ {*MATCH.as_json(), "timed", "first_alone"}
    timed = replace(MATCH, options=Options(3), timed=True, first_alone=True, max_turns=6)
    assert Match.from_json(json.loads(json.dumps(timed.as_json()))) == timed
    assert len(timed.seatings()) == 3
    path = tmp_path / "a.jsonl"
    outcome = run(timed, games=3, output=path)
    assert read_results(path).deals == outcome.results.deals
    for game in outcome.results.games():
        assert {seat for seat, _, _ in game.thinking} == {0, 1, 2}
    assert html_report(outcome.results, outcome.about).count("<td>–</td>") == 3


def test_the_program_of_the_document() -> None:
    (code,) = blocks((ROOT / "docs" / "arena.md").read_text(), "python")
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout
    assert done.startswith("Interval(value=")
    assert "'search'" in done
