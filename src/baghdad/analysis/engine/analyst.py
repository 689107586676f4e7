"""The analyst as a machine: it judges a turn, or weighs why one is better, and says what it found.

`begin_judgement`, `begin_weighing` or `begin_explanation` starts; `advance` goes on for some
milliseconds, again and again until it returns `DONE`, and where it returns a number of rows the
network looks at these in between. What it was given it has copied.

To weigh a fact, the two turns meet once more, in the same deals, in the position without it. A fact
is a reason only where that changes the advice.
"""

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from baghdad.bots.expert.machine import BATCH_SIZE, DONE, GO_ON, MAX_ACTIONS, ExpertMemory
from baghdad.bots.heuristic.evaluation import ValueTable
from baghdad.bots.search.machine import SearchMemory
from baghdad.rules.engine.dealer import Rng
from baghdad.rules.engine.views import VIEW, ViewFields

from . import machine
from .compiled import compiled, noinline
from .facts import MAX_FACTS, REASON, FactMemory, find_facts, new_fact_memory, take_away
from .machine import ASKED, RIVAL, WORST, JudgeMemory, new_judge_memory
from .marks import BEST, POINT, REAL_CHOICE, SIDE, THRESHOLDS, mark_number
from .nudges import nudge_number
from .turns import fitted

Array = npt.NDArray[Any]

EVEN = 0.005
"""Points: turns that are less apart are as good as each other, but for the sums' last places."""
REASON_DEALS = 256
"""In which the turns meet with and without a fact."""
MOST_REASONS = 2
"""That are named."""
PART = 0.75
"""Of the margin that has to hang on the fact."""
FIRST_DEALS, FIRST_PART = BATCH_SIZE // 2, 0.5
"""After these deals, the first that are played together, a fact is looked at, and left where not
even so much of that part hangs on it: most facts that are true don't matter at all."""

_FIELDS = [
    ("task", "i8"),
    ("facts", "i8"),  # to be weighed
    ("fact", "i8"),  # that is being weighed, or `_ALL`
    ("deals", "i8"),  # in which the turns meet
    ("hurries", "i8"),  # whether facts are left that don't seem to matter
    ("margin", "f8"),  # by which the better turn is ahead with all facts, in points
    ("chance", "f8"),  # to win after it, in points, too
    ("first_margin", "f8"),  # the same after `FIRST_DEALS`
    ("first_chance", "f8"),
]
STAND = np.dtype((np.record, np.dtype(_FIELDS, align=True)))
"""What the analyst is at."""
_JUDGE, _WEIGH = range(2)
_ALL = -1
"""With all facts as they are."""
_KNOWN, _EDITED = range(2)
"""Views: what the seat knows, and the same without a fact."""
_OTHER, _BETTER, _OTHER_FITTED, _BETTER_FITTED = range(4)
"""Turns that are weighed."""

_MEAN, _LOW, _HIGH = range(3)
_ESTIMATE = ("f8", (3,))  # a mean over deals, and the bounds in which it lies 19 times in 20
_OF_A_JUDGEMENT = [
    ("asked", "i2", (MAX_ACTIONS,)),  # -1 after the last action; where none was, the best found
    ("rival", "i2", (MAX_ACTIONS,)),  # the best of all others, or the same where there is none
    ("gain", *_ESTIMATE),  # points that the rival wins more
    ("asked_chance", *_ESTIMATE),  # to win after it
    ("rival_chance", *_ESTIMATE),
    ("spread", "f8"),  # points between the best and the least of the turns that were tried
    ("candidates", "i4"),  # turns with different ends
    ("deals", "i4"),  # in which the two have met
    ("simulations", "i4"),  # in all
    ("mark", "i4"),  # of the asked turn, as a place in `MARKS`
    ("better", "i4"),  # whether the rival is better, as far as is known
    ("choice", "i4"),  # whether there was a real one
]
JUDGEMENT = np.dtype((np.record, np.dtype(_OF_A_JUDGEMENT, align=True)))
"""A turn beside another."""


class AnalystMemory(NamedTuple):
    """Memory for one question after another."""

    stand: Array
    """[1], dtype `STAND`"""
    views: Array
    """[2], dtype `VIEW`"""
    rng: Rng
    seed: Rng
    """With which every comparison of a weighing begins."""
    turns: Array
    """[4, MAX_ACTIONS]: -1 after the last action."""
    reasons: Array
    """[MAX_FACTS], dtype `REASON`: facts, and what they are worth."""
    facts: FactMemory
    judge: JudgeMemory


def new_analyst_memory(
    table: ValueTable, expert: ExpertMemory, search: SearchMemory
) -> AnalystMemory:
    """Memory for questions; table and memory of those who think for it may be others' as well."""
    return AnalystMemory(
        np.zeros(1, STAND),
        np.zeros(2, VIEW),
        np.zeros(4, np.int64),
        np.zeros(4, np.int64),
        np.zeros((4, MAX_ACTIONS), np.int16),
        np.zeros(MAX_FACTS, REASON),
        new_fact_memory(MAX_ACTIONS),
        new_judge_memory(table, expert, search),
    )


@compiled
def begin_judgement(
    view: ViewFields, played: Array, samples: int, budget: int, rng: Rng, memory: AnalystMemory
) -> None:
    """Start to judge the turn `played`, or to look for the best one where it is empty. The policy
    is asked for so many turns, and simulations are limited by the budget."""
    memory.stand[0].task = _JUDGE
    memory.views[_KNOWN] = view
    _copy(rng, memory.rng)
    machine.begin(memory.views[_KNOWN], played, samples, budget, memory.rng, memory.judge)


@compiled
def begin_comparison(
    view: ViewFields, one: Array, other: Array, deals: int, rng: Rng, memory: AnalystMemory
) -> None:
    """Start to compare two turns alone, in so many deals: the other is the rival."""
    memory.stand[0].task = _JUDGE
    memory.views[_KNOWN] = view
    _copy(rng, memory.rng)
    machine.begin_pair(memory.views[_KNOWN], one, other, deals, memory.rng, memory.judge)


@compiled
def begin_explanation(
    view: ViewFields, best: Array, other: Array, rng: Rng, memory: AnalystMemory
) -> None:
    """Start to weigh all that speaks for the best turn and not for the other; an empty one does no
    more."""
    fitted(view, other, memory.turns[_OTHER], memory.facts.scratch)
    count = find_facts(view, best, memory.turns[_OTHER], memory.reasons, memory.facts)
    begin_weighing(view, best, memory.turns[_OTHER], count, REASON_DEALS, rng, memory)
    memory.stand[0].hurries = 1


@compiled
def begin_weighing(
    view: ViewFields,
    best: Array,
    other: Array,
    count: int,
    deals: int,
    rng: Rng,
    memory: AnalystMemory,
) -> None:
    """Start to weigh the first `count` facts of `reasons`: two turns meet with each and without it,
    in so many deals, the same again."""
    stand = memory.stand[0]
    stand.task, stand.deals, stand.facts, stand.hurries = _WEIGH, deals, count, 0
    stand.fact = _ALL if count > 0 else 0
    memory.views[_KNOWN] = view
    _copy(rng, memory.seed)
    _copy_turn(other, memory.turns[_OTHER])
    _copy_turn(best, memory.turns[_BETTER])
    if count > 0:
        _compare(_KNOWN, _OTHER, memory)


@compiled
def advance(memory: AnalystMemory) -> int:
    """Go on for some milliseconds; returns `DONE`, `GO_ON` or how many rows of the expert's sight
    the network is to look at."""
    stand = memory.stand[0]
    if stand.task == _WEIGH and stand.fact == stand.facts:
        return DONE
    place = _EDITED if stand.task == _WEIGH and stand.fact > _ALL else _KNOWN
    rows: int = machine.advance(memory.views[place], memory.rng, memory.judge)
    if stand.task == _JUDGE:
        return rows
    if rows == DONE:
        _note(memory)
    elif not _can_be_left(memory):
        return rows
    stand.fact += 1
    while stand.fact < stand.facts:
        if _take_away(memory):
            _compare(_EDITED, _OTHER_FITTED, memory)
            return GO_ON
        stand.fact += 1
    return DONE


@noinline
def tell_judgement(told: Any, memory: AnalystMemory) -> None:
    """Write what was judged, of dtype `JUDGEMENT`."""
    judge = memory.judge
    stand, deals = judge.stand[0], judge.stand[0].deals
    told.candidates, told.deals, told.simulations = stand.count, deals, stand.simulations
    told.spread = 0.0
    for part in range(3):
        told.gain[part] = told.asked_chance[part] = told.rival_chance[part] = 0.0
    asked = rival = 0
    if deals > 0:  # else there is one turn alone
        asked, rival = judge.finalists[ASKED], judge.finalists[RIVAL]
        _estimate(judge.gains[RIVAL], deals, 1 / POINT, told.gain)
        _estimate(judge.chances[ASKED], deals, 1.0, told.asked_chance)
        _estimate(judge.chances[RIVAL], deals, 1.0, told.rival_chance)
        told.spread = abs(told.gain[_MEAN])
        if stand.spread_deals > 0:
            least = judge.gains[WORST, 0] / stand.spread_deals / POINT
            most = max(0.0, told.gain[_MEAN], least)
            told.spread = most - min(0.0, told.gain[_MEAN], least)
    for number in range(MAX_ACTIONS):
        told.asked[number] = judge.turns[asked, number]
        told.rival[number] = judge.turns[rival, number]
    told.better = 1 if told.gain[_MEAN] > EVEN else 0
    told.choice = 1 if told.spread > REAL_CHOICE else 0
    low, high = max(told.gain[_LOW], 0.0), max(told.gain[_HIGH], 0.0)
    told.mark = mark_number(low, high) if deals > 0 else BEST


@noinline
def tell_reasons(told: Array, memory: AnalystMemory) -> int:
    """Write the facts on which most of the margin hangs, `MOST_REASONS` at most, the strongest
    first; returns how many. None where no fact that is known explains it."""
    count = 0
    for fact in range(memory.stand[0].facts):
        reason, place = memory.reasons[fact], count
        if matters(reason.margin, reason.loses, reason.changes):
            while place > 0 and told[place - 1].loses < reason.loses:
                if place < MOST_REASONS:
                    told[place] = told[place - 1]
                place -= 1
            if place < MOST_REASONS:
                told[place] = reason
                count = min(count + 1, MOST_REASONS)
    return count


@compiled
def matters(margin: float, loses: float, changes: float) -> bool:
    """Whether a fact is a reason: the turn is ahead by what counts, and without the fact most of
    that is gone, from its lead and from its own chance."""
    return margin >= THRESHOLDS[0] and min(changes, loses) >= PART * margin


@compiled
def nudge(best: Array, memory: AnalystMemory) -> int:
    """What draws attention to the best turn, after a judgement: a place in `NUDGES`."""
    tried, count = memory.judge.turns, memory.judge.stand[0].count
    return nudge_number(memory.views[_KNOWN], best, tried, count, memory.facts)


@noinline
def _compare(view: int, other: int, memory: AnalystMemory) -> None:
    """Let a pair of turns meet, with the same generator each time; the better one is the rival."""
    _copy(memory.seed, memory.rng)
    one, two, deals = memory.turns[other], memory.turns[other + 1], memory.stand[0].deals
    machine.begin_pair(memory.views[view], one, two, deals, memory.rng, memory.judge)


@compiled
def _note(memory: AnalystMemory) -> None:
    """The turns have met with or without a fact."""
    stand, deals = memory.stand[0], memory.judge.stand[0].deals
    margin, chance = _so_far(memory)
    if stand.fact == _ALL:
        stand.margin, stand.chance = margin, chance
        return
    reason = memory.reasons[stand.fact]
    reason.loses = stand.margin - margin
    # Without it both may have become the same turn.
    reason.changes = abs(stand.chance - chance) if deals > 0 else abs(stand.margin)


@compiled
def _can_be_left(memory: AnalystMemory) -> bool:
    """Whether a fact does not seem to matter, after the first deals."""
    stand, judge = memory.stand[0], memory.judge.stand[0]
    if stand.hurries == 0 or judge.deals != FIRST_DEALS:
        return False
    margin, chance = _so_far(memory)
    if stand.fact == _ALL:
        stand.first_margin, stand.first_chance = margin, chance
        return False
    hangs = min(stand.first_margin - margin, abs(stand.first_chance - chance))
    return hangs < FIRST_PART * PART * stand.first_margin


@compiled
def _so_far(memory: AnalystMemory) -> tuple[float, float]:
    """By how much the better turn is ahead, and its chance to win: points, on average."""
    judge, deals = memory.judge, memory.judge.stand[0].deals
    if deals == 0:
        return 0.0, 0.0
    scale = 1 / (deals * POINT)
    return judge.gains[RIVAL, 0] * scale, judge.chances[RIVAL, 0] * scale


@compiled
def _take_away(memory: AnalystMemory) -> bool:
    """Prepare the position without a fact, and the turns as far as they go there. False where there
    is nothing to compare: they are too long for that, or the better one is not ahead."""
    stand, scratch = memory.stand[0], memory.facts.scratch
    reason, view = memory.reasons[stand.fact], memory.views[_EDITED]
    reason.margin, reason.loses, reason.changes = stand.margin, 0.0, 0.0
    memory.views[_EDITED] = memory.views[_KNOWN]
    take_away(reason, view)
    longest = 0
    for turn in range(2):
        out = memory.turns[_OTHER_FITTED + turn]
        longest = max(longest, fitted(view, memory.turns[turn], out, scratch))
    return stand.margin >= THRESHOLDS[0] and longest <= MAX_ACTIONS


@compiled
def _estimate(sums: Array, deals: int, scale: float, out: Array) -> None:
    """The mean by its sum and that of the squares, and the bounds in which it lies."""
    mean = sums[0] / deals
    variance = max(sums[1] - sums[0] * mean, 0.0) / max(deals - 1, 1)
    side = SIDE * math.sqrt(variance / deals)
    out[_MEAN], out[_LOW], out[_HIGH] = mean * scale, (mean - side) * scale, (mean + side) * scale


@compiled
def _copy(source: Rng, target: Rng) -> None:
    for part in range(4):
        target[part] = source[part]


@compiled
def _copy_turn(source: Array, target: Array) -> None:
    """In front: nothing is copied that comes after the last action."""
    for number in range(MAX_ACTIONS):
        target[number] = source[number] if number < len(source) else -1
