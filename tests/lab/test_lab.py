"""The laboratory: the games it plays, what it concludes, and what it says."""

import json
from collections.abc import Callable

import numpy as np
import pytest

from baghdad import Game, Options, new_rng
from baghdad.arena.match import Match, play_game
from baghdad.arena.statistics import mean, quantile
from baghdad.bots import Budget
from baghdad.bots.heuristic.beam import new_beam
from baghdad.bots.heuristic.evaluation import EvalParams, make_value_table
from baghdad.bots.heuristic.match import GAME_RESULT, Planners, play_games
from baghdad.bots.neural.batch_games import GameBatch, Games, play_batch
from baghdad.bots.playing import MAX_TURNS
from baghdad.cli import main
from baghdad.lab import trial as trials
from baghdad.lab.players import ROSTERS, HeuristicPlayer, NetworkPlayer
from baghdad.lab.questions import (
    QUESTIONS,
    Answer,
    ask,
    games_to_play,
)
from baghdad.lab.setup import Setup
from baghdad.lab.skill import (
    conclude_luck,
    pairs_of,
    plan_luck,
    predicted,
    variance_parts,
)
from baghdad.lab.trial import (
    Trial,
    batch_of,
    play_deals,
    play_trials,
)
from baghdad.rules.engine.actions import ACTION_COUNT
from baghdad.rules.engine.material import FIRST_HANDS, Deal
from baghdad.rules.engine.observation import OBSERVATION_SIZE, observe
from baghdad.rules.engine.state import State
from baghdad.rules.setup import new_states
from baghdad.text import LANGUAGES, catalogue


def alike(players: int, deals: int = 8, deal: Deal = (), **changed: object) -> Trial:
    return Trial(Options(players, deal=deal), (HeuristicPlayer(),) * players, deals, **changed)  # type: ignore[arg-type]


def after_a_turn(options: Options, draws: str = "fate") -> State:
    """The table when seat 1 has had its first turn."""
    start = new_states(options)
    states = start.copy()
    tables = np.stack([make_value_table(EvalParams())] * options.players)
    settings = np.full(options.players, 2)
    dealers, drawers = new_rng("hands")[None], new_rng(draws)[None]
    play_games(
        start, states, Planners(tables, settings, settings), dealers, drawers, new_beam(), 1,
        np.zeros(1, GAME_RESULT),
    )  # fmt: skip
    state: State = states[0]
    return state


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("hands", [(7, 7, 7, 7), FIRST_HANDS, (6, 8, 10, 12)])
def test_so_many_cards_are_dealt_as_the_trial_says(players: int, hands: Deal) -> None:
    state = after_a_turn(Options(players, deal=hands[:players]))
    assert state.hands[1:players].sum(axis=1).tolist() == list(hands[1:players])
    # Seat 1 has drawn three cards after an action, or three or four after none.
    assert int(state.deck.sum()) + sum(hands[:players]) in (102 - 3, 102 - 4)


def test_another_fate_deals_the_same_hands() -> None:
    one, other = after_a_turn(Options(4)), after_a_turn(Options(4), "another")
    assert one.hands[1:].tolist() == other.hands[1:].tolist()
    assert one.deck.tolist() != other.deck.tolist()
    games, others = (play_deals(alike(2, redraw=redraw), "x", range(1, 21)) for redraw in (0, 1))
    assert games["winner"].tolist() != others["winner"].tolist()


def liking(observations: Games) -> tuple[Games, Games]:
    """A network that can be played by hand: it likes some action most, by what lies in its hand."""
    sums = observations[:, :72].astype(np.int64) @ np.arange(1, 73)
    logits = (np.arange(ACTION_COUNT) * 37 + sums[:, None] * 11) % 101
    return logits.astype(np.float32), np.zeros((len(observations), 5), np.float32)


TABLES = [
    Options(2),
    Options(3, rob="smuggle", deal=(7, 7, 9)),
    Options(4, variant="neutral", hands="seen"),
    Options(4, spare="chosen", deal=(8, 7, 8, 9)),
]


@pytest.mark.parametrize("options", TABLES)
def test_a_batch_plays_what_its_network_likes_best(options: Options) -> None:
    """Played once more by hand, with the same deals."""
    trial, limit = Trial(options, (NetworkPlayer(),) * options.players, 3), 60
    row = np.zeros(OBSERVATION_SIZE, np.int8)
    played = play_batch(batch_of([trial], "x"), liking, limit)
    for number, game in enumerate(played, 1):
        same = Game.with_options(options, seed=f"x {number}")
        loot, first, behind = np.zeros(4, np.int64), -1, np.zeros(4, np.int64)
        while (seat := same.to_move) is not None and same.turns < limit:
            observe(same.state, seat, row)
            logits = liking(row[None])[0][0].tolist()
            same.play(max(same.legal(), key=lambda action: (logits[action], -action)))
            loot[: options.players] = same.loot
            first = int(loot.argmax()) if first < 0 < loot.max() else first
            behind = np.maximum(behind, loot.max() - loot)
        winner = -1 if same.winner is None else same.winner
        assert (game["winner"], game["first"]) == (winner, first)
        assert game["loot"].tolist() == loot.tolist()
        assert game["turns"] == same.turns + (winner >= 0)
        assert game["behind"] == (behind[winner] if winner >= 0 else 0)


@pytest.mark.parametrize(
    "options", [Options(2), Options(3, rob="smuggle"), Options(4, variant="neutral", hands="seen")]
)
def test_the_laboratory_plays_the_arenas_games(options: Options) -> None:
    bots = ("heuristic",) * options.players
    match = Match(bots, options, "seed", Budget())
    played = play_deals(
        Trial(options, (HeuristicPlayer(),) * options.players, 3), "seed", range(1, 4)
    )
    for deal, game in zip(range(1, 4), played, strict=True):
        same = play_game(match, deal, bots)
        assert game["winner"] == same.winner
        assert game["turns"] == same.turns + 1, "the winning turn is one, too"
        assert game["first"] == same.robberies[0][1]
        robbers = [seat for _, seat in same.robberies]
        assert game["loot"].tolist() == [robbers.count(seat) for seat in range(4)]


def test_a_game_without_end_is_won_by_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trials, "MAX_TURNS", 3)
    games = play_deals(alike(3), "x", range(1, 5))
    assert games["winner"].tolist() == [-1] * 4
    assert games["turns"].tolist() == [3] * 4
    assert games["behind"].tolist() == [0] * 4


def test_threads_and_chunks_change_nothing() -> None:
    wanted = [alike(2, 120), alike(2, 120, deal=(7, 7))]
    alone, together = play_trials(wanted, "x"), play_trials(wanted, "x", jobs=3)
    for trial in wanted:
        games = play_deals(trial, "x", range(1, 121)).tobytes()
        assert alone[trial].tobytes() == together[trial].tobytes() == games
        assert play_trials([trial], "y")[trial].tobytes() != games


def test_the_networks_games_are_the_same_with_any_number_of_threads(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(trials, "BATCH", 3)
    cold, warm = (Trial(Options(3), (NetworkPlayer(heat),) * 3, 7) for heat in (0.0, 3.5))
    alone, together = (play_trials([cold, warm], "x", jobs=jobs) for jobs in (1, 2))
    for trial in (cold, warm):
        assert alone[trial].tobytes() == together[trial].tobytes()
        assert (alone[trial]["winner"] >= 0).all()
    assert alone[cold].tobytes() != alone[warm].tobytes()


def test_another_fate_changes_what_the_network_draws_and_not_what_it_is_dealt() -> None:
    seen: list[list[int]] = []

    def noting(observations: Games) -> tuple[Games, Games]:
        seen.extend(row.tolist() for row in observations)
        return liking(observations)

    firsts = []
    for redraw in (0, 1):
        seen.clear()
        # Cards are seen before anything else is decided; a turn is played, and cards are drawn.
        options = Options(2, hands="seen")
        play_batch(batch_of([Trial(options, (NetworkPlayer(),) * 2, 1, redraw)], "x"), noting, 6)
        firsts.append((seen[0], seen[1], seen[-1]))
    assert firsts[0][:2] == firsts[1][:2]
    assert firsts[0][2] != firsts[1][2]


def test_networks_and_heuristics_do_not_sit_at_one_table() -> None:
    with pytest.raises(TypeError, match="one table"):
        play_deals(Trial(Options(2), (HeuristicPlayer(), NetworkPlayer()), 1), "x", range(1, 2))


def test_batches_may_be_played_elsewhere() -> None:
    """On a GPU: the games come back in the order of trials."""
    asked = []

    def elsewhere(batch: GameBatch, max_turns: int, tick: Callable[[int], object]) -> Games:
        asked.append((len(batch.starts), max_turns))
        tick(len(batch.deal))
        games = np.zeros(len(batch.deal), GAME_RESULT)
        games["winner"], games["turns"] = batch.condition, batch.deal
        return games

    network_trials = [
        Trial(Options(players), (NetworkPlayer(),) * players, players) for players in (2, 3)
    ]
    heard: list[int] = []
    played = play_trials(
        [network_trials[0], alike(2, 4), network_trials[1]], "x", 1, heard.append, elsewhere
    )
    assert asked == [(2, MAX_TURNS)]
    assert played[network_trials[0]]["winner"].tolist() == [0, 0]
    assert played[network_trials[1]]["winner"].tolist() == [1, 1, 1]
    assert played[network_trials[1]]["turns"].tolist() == [0, 1, 2]
    assert sum(heard) == 5 + 4


def test_a_trial_that_questions_share_is_played_once() -> None:
    heard: list[int] = []
    asked, setup = ["start", "length", "race"], Setup(Options(2), 70)
    ask(asked, setup, "x", tick=heard.append)
    assert sum(heard) == games_to_play(asked, setup) == 3 * 70


def test_more_cards_help() -> None:
    """Seat 4 wins far more often when it is dealt twelve cards than with seven."""
    deals = ((7, 7, 7, 7), FIRST_HANDS, (6, 8, 10, 12))
    (answer,) = ask(["deals"], Setup(Options(4), 400, deals=deals), "x")
    assert list(answer.rows) == ["7-7-7-7", "6-7-8-9", "6-8-10-12"]
    even, rules, steep = (figures["seat 4"] for figures in answer.rows.values())
    assert even.high < steep.low
    assert even.value < rules.value < steep.value
    for figures in answer.rows.values():
        seats = [figures[f"seat {seat}"].value for seat in (1, 2, 3, 4)]
        assert sum(seats) == pytest.approx(1)
        spread = figures["spread"]
        assert spread.value == pytest.approx(max(seats) - min(seats))
        assert 0 <= spread.low <= spread.value <= spread.high


def test_what_an_option_changes_is_the_difference() -> None:
    (answer,) = ask(["variant"], Setup(Options(3), 60), "x")
    for name, change in answer.rows["change"].items():
        before, after = answer.rows["standard"][name], answer.rows["neutral"][name]
        assert change.value == pytest.approx(after.value - before.value)
        assert change.low <= change.value <= change.high


def test_lengths_are_in_order_and_complete() -> None:
    (answer,) = ask(["length"], Setup(Options(2), 80), "x")
    figures = answer.rows["rules"]
    names = ("shortest", "quarter", "half", "three_quarters", "longest")
    quantiles = [figures[name].value for name in names]
    assert quantiles == sorted(quantiles)
    assert sum(answer.turns.values()) == 80
    total = sum(turns * games for turns, games in answer.turns.items())
    assert figures["turns"].value == pytest.approx(total / 80)
    assert figures["of_a_player"].value == pytest.approx(total / 160)


@pytest.mark.parametrize("estimate", [mean, lambda values, seed: quantile(values, 0.5, seed)])
def test_intervals_cover_the_truth(estimate: Callable[..., object]) -> None:
    random, covered = np.random.default_rng(5), 0
    for number in range(200):
        interval = estimate(random.integers(0, 101, 80), seed=number)
        covered += interval.low <= 50 <= interval.high  # type: ignore[attr-defined]
    assert 180 <= covered <= 199


def split(winners: np.ndarray[tuple[int, ...], np.dtype[np.int64]]) -> dict[str, float]:
    """What explains these winners [redraw, seating, deal], with three players."""
    return variance_parts((winners[..., None] == np.arange(3)).astype(np.float64))


def test_every_cause_is_found_where_it_is_the_only_one() -> None:
    random = np.random.default_rng(2)
    shape = (2, 3, 4000)
    by_seating = np.broadcast_to(np.arange(3)[:, None], shape)
    by_deal = np.broadcast_to(random.integers(0, 3, 4000), shape)
    assert split(by_seating)["skill"] == pytest.approx(1)
    assert split(np.ones(shape, np.int64))["seat"] == pytest.approx(1)
    assert split(by_deal)["dealt"] == pytest.approx(1, abs=0.01)
    assert split(random.integers(0, 3, shape))["drawn"] == pytest.approx(1, abs=0.03)
    mixed = split(np.where(random.random(shape) < 0.5, by_seating, by_deal))
    assert sum(mixed.values()) == pytest.approx(1)
    assert mixed["skill"] == pytest.approx(0.25, abs=0.03)
    assert mixed["dealt"] == pytest.approx(0.25, abs=0.03)


@pytest.mark.parametrize("players", [2, 3])
def test_gaps_are_found_back_from_the_other_pairs(players: int) -> None:
    """Made-up winners by strengths of 1, 2, 4, 8, 16: neighbours are 120 Elo apart."""
    random = np.random.default_rng(4)
    strength = dict(zip("EDCBA", (1, 2, 4, 8, 16), strict=True))
    played = {}
    setup = Setup(Options(players), 6)
    for names in plan_luck(setup):
        odds = np.array([strength[name] for name in names], np.float64)
        played[names] = np.zeros(1500, GAME_RESULT)
        played[names]["winner"] = random.choice(players, 1500, p=odds / odds.sum())
    rows, ladder = conclude_luck(setup, played), list(ROSTERS["heuristic"].players)
    assert len(rows) == len(pairs_of("heuristic")) == 10
    for better, other in pairs_of("heuristic"):
        figures = rows[f"{better} – {other}"]
        true = 120.4 * (ladder.index(other) - ladder.index(better))
        assert figures["gap"].value == pytest.approx(true, abs=25)
        assert figures["share"].value == pytest.approx(predicted(true, players), abs=0.04)
        assert figures["predicted"].value == pytest.approx(figures["share"].value, abs=0.05)


def test_the_table_may_be_another() -> None:
    """An option that is asked about is tried out with the others as they are."""
    setup = Setup(Options(rulebook="de", deal=(7, 9)), 4)
    plan = QUESTIONS["hands"].plan(setup)
    assert {trial.options.rob for trial in plan.values()} == {"smuggle"}
    assert {trial.options.deal for trial in plan.values()} == {(7, 9)}
    assert {trial.options.hands for trial in plan.values()} == {"hidden", "seen"}
    (answer,) = ask(["race"], setup, "x")
    assert (answer.deal, answer.table) == ("7-9", "smuggle")


def test_answers_survive_json() -> None:
    for answer in ask(
        ["length", "race"], Setup(Options(3, variant="neutral", deal=(7, 7, 9)), 20), "x"
    ):
        assert Answer.from_json(json.loads(json.dumps(answer.as_json()))) == answer


@pytest.mark.parametrize(("language", "players"), list(zip(LANGUAGES, (2, 3, 4, 2), strict=True)))
def test_every_answer_has_words(
    language: str, players: int, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["lab", "--games", "8", "--players", str(players), "--seed", "x", "--lang", language]
    assert main(words) == 0
    told = capsys.readouterr().out
    assert told.startswith(catalogue("messages", language)["lab.head"].partition("{")[0])
    for question in QUESTIONS:
        assert catalogue("messages", language)[f"lab.{question}"] in told
    assert told.count("→") == len(QUESTIONS)
    assert "{" not in told


def test_json_for_programs_is_the_same_with_any_number_of_jobs(
    capsys: pytest.CaptureFixture[str],
) -> None:
    reports = []
    for jobs in ("1", "2"):
        assert main(["lab", "race", "--games", "60", "--seed", "x", "--jobs", jobs, "--json"]) == 0
        reports.append(json.loads(capsys.readouterr().out))
    assert reports[0] == reports[1]
    (answer,) = reports[0]["answers"]
    assert answer["question"] == "race"
    assert answer["games"] == 60
    low, high = answer["rows"]["rules"]["close"][1:]
    assert 0 <= low < high <= 1
    assert reports[0]["seed"] == "x"


def test_the_network_can_be_asked(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["lab", "rob", "--bot", "neural", "--device", "cpu", "--deal", "6-8", "--games", "4"]
    assert main([*words, "--seed", "x", "--lang", "en"]) == 0
    told = capsys.readouterr().out
    assert "deal 6-8" in told
    assert catalogue("messages", "en")["lab.ladder.neural"] in told
    assert "P wins alone against R, %" in told


def test_first_hands_of_ones_own_are_compared(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["lab", "deals", "--players", "3", "--games", "4", "--seed", "x", "--json"]
    assert main([*words, "--deals", "6-7-8,9-9-9"]) == 0
    (answer,) = json.loads(capsys.readouterr().out)["answers"]
    assert list(answer["rows"]) == ["6-7-8", "9-9-9"]


@pytest.mark.parametrize(
    "wrong", [["--deal", "6"], ["--deals", "6-7,6-7-8"], ["--deals", "6-26"], ["--deals", "x,"]]
)
def test_first_hands_that_cannot_be_dealt_are_refused(
    wrong: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["lab", "deals", *wrong, "--lang", "en"]) == 2
    assert wrong[1] in capsys.readouterr().err


def test_the_help_names_the_questions_that_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--lang", "en", "lab", "--help"])
    assert f"{', '.join(QUESTIONS)} (" in " ".join(capsys.readouterr().out.split())


def test_an_unknown_question_is_told_with_those_that_there_are(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["lab", "weather", "--lang", "en"]) == 2
    told = capsys.readouterr().err
    assert "weather" in told
    assert "luck" in told


@pytest.mark.parametrize("wrong", [["--games", "0"], ["--players", "5"], ["--jobs", "x"]])
def test_wrong_calls_are_refused(wrong: list[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["lab", *wrong])
    assert stopped.value.code == 2


def test_an_interrupt_is_heard(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    calls = []

    def interrupting(trial: Trial, seed: str, deals: range) -> object:
        calls.append(deals)
        if len(calls) == 2:
            raise KeyboardInterrupt  # a true signal could be caught by whatever runs beside
        return play_deals(trial, seed, deals)

    monkeypatch.setattr(trials, "play_deals", interrupting)
    assert main(["lab", "length", "--games", "100000", "--lang", "en"]) == 130
    assert capsys.readouterr().err == "stopped\n"
    assert len(calls) < 100
