"""The analyst in the module judges, explains and hints as it does natively."""

from functools import lru_cache

import pytest

from baghdad import Game, Options
from baghdad.analysis.engine.analyst import JUDGEMENT
from baghdad.analysis.engine.nudges import NUDGES
from baghdad.analysis.facts import fact_of
from baghdad.analysis.judge import Judge
from baghdad.analysis.marks import MARKS
from baghdad.analysis.reasons import reasons
from baghdad.analysis.turns import Turn, robberies, turn_of, turns_of
from baghdad.bots import Budget, make_bot
from baghdad.bots.playing import play_to_end
from baghdad.jit.compiler import COMPILED
from baghdad.rules.engine.dealer import new_rng
from baghdad.rules.engine.material import PALACE_LETTERS
from support.minds import Minds
from support.tables import table

pytestmark = pytest.mark.skipif(not COMPILED, reason="the network needs compiled rules")

BUDGET = 200
OPTIONS = [Options(2), Options(3, spare="chosen"), Options(4, "neutral")]
EVERY = 5
"""One in so many turns is judged."""


@pytest.fixture(scope="module")
def minds() -> Minds:
    return Minds()


@pytest.fixture(scope="module")
def judge() -> Judge:
    return Judge(budget=BUDGET)


@lru_cache
def played(options: Options) -> list[Turn]:
    """Turns from all over a game between bots."""
    game = Game.with_options(options, seed="analyst")
    bots = [make_bot("kasim") for _ in range(options.players)]
    play_to_end(game, bots, "analyst", Budget(), 100)
    turns = [turn for seat in range(options.players) for turn in turns_of(game, seat)]
    return turns[::EVERY]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_turns_are_judged_the_same_but_for_rounding(
    options: Options, minds: Minds, judge: Judge
) -> None:
    """All that was tried, too: a nudge depends on it. Of guards in palaces at which the same things
    stand, so that one is as good as the other, rounding decides which is found."""
    same = count = 0
    for number, (_, turn_number, view, actions) in enumerate(played(options)):
        for turn in ((), actions):
            here = judge.judge(view, turn, new_rng("turn", number))
            there = minds.judge(view, turn, new_rng("turn", number), BUDGET)
            assert NUDGES[minds.nudge(view, turn_of(there.asked))] == judge.nudge(here.asked)
            turns = turn_of(there.asked) == here.asked and turn_of(there.rival) == here.rival
            equal = (turns or turn_number == 0) and (
                (there.candidates, there.deals) == (here.candidates, here.deals)
            )
            count += 1
            same += equal
            if equal:
                assert there.gain == pytest.approx(here.gain, abs=0.5)
                assert there.asked_chance == pytest.approx(here.asked_chance, abs=0.01)
                assert there.rival_chance == pytest.approx(here.rival_chance, abs=0.01)
                told = MARKS[there.mark], bool(there.better), bool(there.choice)
                assert told == (here.mark, here.better, here.real)
    assert count > 10
    assert same >= 0.9 * count


def test_memory_of_another_question_and_what_is_hidden_change_no_byte(minds: Minds) -> None:
    for number, (_, _, view, actions) in enumerate(played(OPTIONS[1])):
        first = minds.judge(view, actions, new_rng("bytes", number), BUDGET).tobytes()
        minds.judge(view, (), new_rng("another"), BUDGET)
        other = Game.from_state(view.determinize(new_rng("hidden", number)))
        seen = other.view(other.to_move)
        again = minds.judge(seen, actions, new_rng("bytes", number), BUDGET)
        assert again.tobytes() == first
        assert len(first) == JUDGEMENT.itemsize


def test_reasons_are_the_same(minds: Minds, judge: Judge) -> None:
    race = table(
        guards={"R": "1n", "G": "2n"},
        thieves={"R": "111", "G": "222"},
        hands=["RG", "GGGG****"],
        loot=[5, 5],
    ).view(0)
    named = 0
    for options in OPTIONS:
        for number, view in enumerate([race, *(turn.view for turn in played(options))]):
            found = judge.judge(view, (), new_rng("reason", number))
            best, other = found.asked, judge.tried()[-1]
            here = reasons(judge, view, best, other, "why")
            there = minds.explain(view, best, other, new_rng("why"))
            assert [each.fact for each in here] == [fact_of(each) for each in there]
            for one, two in zip(here, there, strict=True):
                assert two.margin == pytest.approx(one.margin, abs=0.5)
                assert two.loses == pytest.approx(one.loses, abs=0.5)
            named += len(here)
    assert named > 3


def test_robberies_are_the_same(minds: Minds) -> None:
    robbed = 0
    for options in OPTIONS:
        for _, _, view, actions in played(options):
            here, there = robberies(view, actions), minds.robberies(view, actions)
            robs = [divmod(rob, 8) for rob in there]
            told = [f"{PALACE_LETTERS[at]}{number}" if at >= 0 else "" for at, number in robs]
            assert list(here) == told
            robbed += sum(map(bool, here))
    assert robbed > 3
