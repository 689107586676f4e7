"""The analyst as a machine: it compares the whole turns of a seat, step by step, in its own memory.

The expert proposes turns, drawn from the policy at several temperatures, the search adds those of
its beam and the tactician's, and there are always the turn that was played and ending at once. They
are merged by the position that they lead to, and the shorter one stays. Those other than the one
that was played race against each other, in the expert's own halving and with common deals. Then the
winner meets the played one in deals that neither has seen before: of many candidates the best is
also the luckiest, and only a fresh sample does not make that a mistake of the one who played (the
optimizer's curse, Smith and Winkler 2006).

The more doubtful a turn, the more deals: it is looked at after twice as many each time, and is
settled early only where no threshold lies within `EARLY` standard errors of what it gave up
(Haybittle 1971; Peto et al. 1976), so that looking often makes nothing up.

It thinks with the machines of the expert and of the search, over the memory that is here. `begin`
starts a comparison, `advance` goes on with it for some milliseconds, again and again until it
returns `DONE`. Where it returns a number of rows, the network looks at these in between.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from baghdad.bots.expert import machine as expert
from baghdad.bots.expert.machine import (
    BATCH_SIZE,
    DONE,
    GO_ON,
    MAX_ACTIONS,
    ExpertMemory,
    ExpertSettings,
    begin_deals,
)
from baghdad.bots.heuristic.beam import MAX_WIDTH
from baghdad.bots.heuristic.evaluation import ValueTable
from baghdad.bots.search import machine as search
from baghdad.bots.search.machine import (
    ROLLOUT_PATIENCE,
    RolloutPolicy,
    SearchMemory,
    SearchSettings,
)
from baghdad.bots.search.seq_halving import (
    FOREVER,
    UNLIMITED,
    Halving,
    begin_halving,
    next_deals,
)
from baghdad.rules.engine.actions import END_TURN, PASSES, ROWS
from baghdad.rules.engine.dealer import Rng, spawn
from baghdad.rules.engine.legality import Rows, is_legal, legal_rows
from baghdad.rules.engine.material import OVER, TURN
from baghdad.rules.engine.state import STATE, State, States
from baghdad.rules.engine.steps import play
from baghdad.rules.engine.views import ViewFields

from .compiled import compiled, noinline
from .marks import POINT, THRESHOLDS

Array = npt.NDArray[Any]

SAMPLES, MAX_TEMPERATURE = 192, 3.0
"""How often the policy is asked for a turn, and the highest of the temperatures."""
RACE_SHARE = 4
"""One in so many simulations goes to the race, the others to the two turns that are compared."""
MOST_SAMPLED = 24
"""Different turns of the policy, at most; those that were drawn most often."""
MOST_PLANNED = 8
"""Turns of the beam."""
MAX_CANDIDATES = 48
"""More than all of these, the played one and ending at once: placing has 12."""
FIRST_LOOK = 128
"""Deals after which a comparison is looked at for the first time; then after twice as many."""
EARLY = 3.29
"""Standard errors on either side by which a comparison is settled before its last look: one chance
in a thousand that it is settled wrongly at that look."""
ASKED, RIVAL, WORST = range(3)
"""The finalists: the turn that is asked about, the best of the others, and the least of them."""
FINALISTS = 3
_SAMPLE, _PLAN, _DEAL = 1, 2, 3
"""What is being done: the expert proposes its turns; the search does; the expert plays the
candidates that are left in new deals. Or nothing is: `DONE`."""
_THRESHOLDS: npt.NDArray[np.float64] = np.array(THRESHOLDS) * POINT
_PASSES: npt.NDArray[np.int16] = np.array(PASSES, np.int16)


_FIELDS = [
    ("stage", "i8"),
    ("doing", "i8"),
    ("begun", "i8"),  # whether that has begun
    ("samples", "i8"),  # turns that the policy is asked for
    ("race", "i8"),  # simulations of the race, all candidates together
    ("most", "i8"),  # deals in which the finalists meet, at most
    ("played", "i8"),  # whether there is a played turn: it is the first candidate
    ("count", "i8"),  # different candidates
    ("finalists", "i8"),  # that are compared now
    ("deals", "i8"),  # in which they have met
    ("asked", "i8"),  # for this batch
    ("look", "i8"),  # deals after which they are looked at next
    ("spread_deals", "i8"),  # in which the least of all was there, too
    ("simulations", "i8"),  # in all
]
JUDGE = np.dtype((np.record, np.dtype(_FIELDS, align=True)))
"""Where a comparison stands."""
_PROPOSE, _PROPOSE_MORE, _RACE, _COMPARE = range(4)
"""Its stages."""


class JudgeMemory(NamedTuple):
    """Memory for comparisons, allocated once."""

    stand: Array
    """[1], dtype `JUDGE`"""
    turns: Array
    """[MAX_CANDIDATES, MAX_ACTIONS]: different turns with their ends, -1 after the last action; the
    played one first."""
    ends: States
    """[MAX_CANDIDATES + 1]: where each leads to, in one deal; the last is to try turns in."""
    end_bytes: Array
    """[MAX_CANDIDATES + 1, bytes]: the same memory, to be compared."""
    finalists: Array
    """[FINALISTS]: candidates, by their place here."""
    chances: Array
    """[FINALISTS, 2]: sums of what each won, and of its squares."""
    gains: Array
    """[FINALISTS, 2]: sums of what each won more than the first, and of the squares."""
    rows: Rows
    table: ValueTable
    """By which the search plans."""
    expert: ExpertMemory
    """For `SAMPLES`, at least."""
    search: SearchMemory


def new_judge_memory(table: ValueTable, expert: ExpertMemory, search: SearchMemory) -> JudgeMemory:
    """Memory for comparisons; those who think for them may do so for others as well."""
    ends = np.zeros(MAX_CANDIDATES + 1, STATE)
    return JudgeMemory(
        np.zeros(1, JUDGE),
        np.zeros((MAX_CANDIDATES, MAX_ACTIONS), np.int16),
        ends,
        ends.view(np.uint8).reshape(MAX_CANDIDATES + 1, -1),
        np.zeros(FINALISTS, np.int64),
        np.zeros((FINALISTS, 2)),
        np.zeros((FINALISTS, 2)),
        np.zeros(ROWS, np.int64),
        table,
        expert,
        search,
    )


@compiled
def begin(
    view: ViewFields, played: Array, samples: int, budget: int, rng: Rng, memory: JudgeMemory
) -> None:
    """Start to judge the turn `played`, an array of actions with what is under 0 after the last;
    none of them at all looks for the best turn instead. It may take so many simulations."""
    stand = memory.stand[0]
    _begin(view, played, rng, memory)
    stand.samples = min(samples, SAMPLES)
    stand.race = budget // RACE_SHARE
    stand.most = max((budget - stand.race) // 2, 2)
    stand.stage, stand.doing, stand.begun = _PROPOSE, _SAMPLE, 1


@compiled
def begin_pair(
    view: ViewFields, one: Array, other: Array, deals: int, rng: Rng, memory: JudgeMemory
) -> None:
    """Start to compare two turns alone, in so many deals: the other is the rival."""
    stand = memory.stand[0]
    _begin(view, one, rng, memory)
    _add(other, memory)
    stand.doing = DONE
    if stand.count == 2:
        stand.most = stand.look = deals
        _begin_race(0, rng, memory)
        memory.finalists[ASKED], memory.finalists[RIVAL] = 0, 1
        stand.finalists, stand.stage = 2, _COMPARE
        stand.doing, stand.begun = _next_deals(rng, memory), 0


@compiled
def advance(view: ViewFields, rng: Rng, memory: JudgeMemory) -> int:
    """Go on for some milliseconds; returns `DONE`, `GO_ON` or how many rows of the expert's sight
    the network is to look at."""
    stand = memory.stand[0]
    if stand.doing == DONE:
        return DONE
    planning = SearchSettings(
        RolloutPolicy(memory.table, 2, ROLLOUT_PATIENCE, 1), MOST_PLANNED, MAX_WIDTH, 1
    )
    if stand.begun == 0:
        stand.begun = 1
        if stand.doing == _PLAN:
            search.begin(view, planning, FOREVER, UNLIMITED, rng, memory.search)
        else:
            rows: int = begin_deals(view, memory.expert)
            return rows if rows > 0 else GO_ON
    if stand.doing == _PLAN:
        if search.next_batch(planning, 0.0, rng, memory.search) == 0:
            return GO_ON
    else:
        drawing = ExpertSettings(stand.samples, MAX_TEMPERATURE, stand.samples, 0.0)
        rows = expert.advance(view, drawing, 0.0, rng, memory.expert)
        if rows != DONE:
            return rows
    stand.doing, stand.begun = _next(rng, memory), 0
    return DONE if stand.doing == DONE else GO_ON


@compiled
def _begin(view: ViewFields, turn: Array, rng: Rng, memory: JudgeMemory) -> None:
    """Forget what was compared before. The first candidate is the turn, if it is one."""
    stand = memory.stand[0]
    expert.begin(view, FOREVER, 0, rng, memory.expert)
    stand.count = stand.finalists = stand.deals = stand.spread_deals = stand.simulations = 0
    for finalist in range(FINALISTS):
        for part in range(2):
            memory.chances[finalist, part] = memory.gains[finalist, part] = 0.0
    stand.played = 0
    if len(turn) > 0 and turn[0] >= 0:
        stand.played = 1
        _add(turn, memory)


@compiled
def _next(rng: Rng, memory: JudgeMemory) -> int:
    """What was to be done is done; returns what is to be done next."""
    stand = memory.stand[0]
    if stand.stage == _PROPOSE:
        _add_sampled(memory)
        stand.stage = _PROPOSE_MORE
        return _PLAN
    if stand.stage == _PROPOSE_MORE:
        _add_planned(memory)
        _add_passes(memory)
        if stand.count < 2:
            return DONE
        stand.stage = _RACE
        if _begin_race(stand.race, rng, memory):
            return _DEAL
    if stand.stage == _RACE:
        stand.simulations = memory.expert.halving.progress[0].played
        _choose_finalists(memory)
        stand.stage = _COMPARE
    else:
        _add_up(memory)
    return _next_deals(rng, memory)


@noinline
def _add(turn: Array, memory: JudgeMemory) -> None:
    """One more candidate, unless another leads to the same position: then the shorter one stays,
    the played one in any case. A turn that has no end yet ends then; one too long for that is left
    out."""
    stand, root = memory.stand[0], memory.expert.root[0]
    if stand.count == MAX_CANDIDATES:
        return
    place, length = stand.count, 0
    state = memory.ends[place]
    memory.ends[place] = root
    for number in range(MAX_ACTIONS):
        memory.turns[place, number] = -1
    for number in range(len(turn)):
        if turn[number] >= 0:
            memory.turns[place, length] = turn[number]
            play(state, turn[number])
            length += 1
    if state.phase == TURN and state.seat == root.seat and state.turn == root.turn:
        if length == MAX_ACTIONS:
            return
        memory.turns[place, length] = END_TURN
        play(state, END_TURN)
    for other in range(place):
        byte = 0
        while (
            byte < memory.end_bytes.shape[1]
            and memory.end_bytes[other, byte] == memory.end_bytes[place, byte]
        ):
            byte += 1
        if byte == memory.end_bytes.shape[1]:
            if other >= stand.played and _length(place, memory) < _length(other, memory):
                for number in range(MAX_ACTIONS):
                    memory.turns[other, number] = memory.turns[place, number]
            return
    stand.count += 1


@compiled
def _length(candidate: int, memory: JudgeMemory) -> int:
    length = 0
    while length < MAX_ACTIONS and memory.turns[candidate, length] >= 0:
        length += 1
    return length


@compiled
def _add_sampled(memory: JudgeMemory) -> None:
    """The policy's turns. One that wins, or is without a choice, is the only one."""
    proposed = memory.expert
    if proposed.stand[0].count == 0:
        if proposed.stand[0].length <= MAX_ACTIONS:
            _add(proposed.answer[: proposed.stand[0].length], memory)
        return
    for number in range(min(proposed.stand[0].count, MOST_SAMPLED)):
        _add(proposed.turns[number], memory)


@compiled
def _add_planned(memory: JudgeMemory) -> None:
    planned = memory.search
    for number in range(planned.stand[0].count):
        _add(planned.turns[number], memory)


@compiled
def _add_passes(memory: JudgeMemory) -> None:
    """Ending at once, in all ways that are legal."""
    legal_rows(memory.expert.root[0], memory.rows)
    for number in range(len(_PASSES)):
        if is_legal(memory.rows, _PASSES[number]):
            _add(_PASSES[number : number + 1], memory)


@compiled
def _begin_race(simulations: int, rng: Rng, memory: JudgeMemory) -> bool:
    """All but the played turn race; that is in the final anyway. False where there is one alone."""
    stand, racing = memory.stand[0], memory.expert
    count = stand.count - stand.played
    for place in range(stand.count):
        row = _row(place, memory)
        for number in range(MAX_ACTIONS):
            racing.turns[row, number] = memory.turns[place, number]
    begin_halving(racing.halving, count, FOREVER, simulations)
    if count == 1:
        return False
    _prepare(next_deals(racing.halving, BATCH_SIZE, 0.0), rng, memory)
    return True


@compiled
def _row(candidate: int, memory: JudgeMemory) -> int:
    """Where the expert has a candidate: the played turn behind the others, where no race comes."""
    count: int = memory.stand[0].count
    return (candidate - memory.stand[0].played + count) % count


@compiled
def _prepare(deals: int, rng: Rng, memory: JudgeMemory) -> None:
    """So many new deals."""
    memory.expert.stand[0].deals = deals
    spawn(rng, memory.expert.deal_rngs[:deals])


@compiled
def _choose_finalists(memory: JudgeMemory) -> None:
    """The played turn, or else the winner; the best of the others; and the least of them."""
    stand, halving = memory.stand[0], memory.expert.halving
    count = stand.count - stand.played
    winner = _shortest_win(halving.candidates[0] + stand.played, memory) - stand.played
    second, worst = -1, -1
    for row in range(count):
        if row != winner:
            if worst < 0 or _mean(halving, row) < _mean(halving, worst):
                worst = row
            # Those that came farther have been played more often.
            if (
                second < 0
                or halving.visits[row] > halving.visits[second]
                or (
                    halving.visits[row] == halving.visits[second]
                    and _mean(halving, row) > _mean(halving, second)
                )
            ):
                second = row
    if stand.played == 1:
        memory.finalists[ASKED] = 0
        memory.finalists[RIVAL] = winner + 1
        memory.finalists[WORST] = worst + 1
        stand.finalists = 3 if worst >= 0 else 2
    else:
        memory.finalists[ASKED], memory.finalists[RIVAL] = winner, second
        memory.finalists[WORST] = worst
        stand.finalists = 3 if worst >= 0 and worst != second else 2
    stand.look = FIRST_LOOK


@compiled
def _shortest_win(winner: int, memory: JudgeMemory) -> int:
    """Turns that win at once are equally good: the shortest of them, without what it does not need.
    The winner of the race, where that is none of them."""
    stand, shortest = memory.stand[0], winner
    if not _wins(memory.ends[winner], memory):
        return winner
    for other in range(stand.played, stand.count):
        if _wins(memory.ends[other], memory) and _length(other, memory) < _length(shortest, memory):
            shortest = other
    _shorten(shortest, memory)
    row = _row(shortest, memory)
    for number in range(MAX_ACTIONS):
        memory.expert.turns[row, number] = memory.turns[shortest, number]
    return shortest


@compiled
def _wins(state: State, memory: JudgeMemory) -> bool:
    won: bool = state.phase == OVER and state.winner == memory.expert.root[0].seat
    return won


@compiled
def _shorten(candidate: int, memory: JudgeMemory) -> None:
    """Leave out of a turn that wins at once what it does not need: actions, and pairs of them, such
    as a guard's way there and back. The last come first."""
    last = _length(candidate, memory) - 1
    while last >= 0:
        shorter, other = False, last
        while other >= 0 and not shorter:
            shorter = _leave_out(candidate, last, other, memory)
            other -= 1
        last = _length(candidate, memory) - 1 if shorter else last - 1


@noinline
def _leave_out(candidate: int, one: int, other: int, memory: JudgeMemory) -> bool:
    """Take two actions, or one, out of a turn if it still wins. False where it does not."""
    turn, state = memory.turns[candidate], memory.ends[MAX_CANDIDATES]
    length = _length(candidate, memory)
    memory.ends[MAX_CANDIDATES] = memory.expert.root[0]
    for number in range(length):
        if state.phase != OVER and number != one and number != other:
            legal_rows(state, memory.rows)
            if not is_legal(memory.rows, turn[number]):
                return False
            play(state, turn[number])
    if not _wins(state, memory):
        return False
    kept = 0
    memory.ends[MAX_CANDIDATES] = memory.expert.root[0]
    for number in range(length):
        if state.phase != OVER and number != one and number != other:
            play(state, turn[number])
            turn[kept] = turn[number]
            kept += 1
    for number in range(kept, MAX_ACTIONS):
        turn[number] = -1
    return True


@compiled
def _mean(halving: Halving, candidate: int) -> float:
    visits: float = halving.visits[candidate]
    return halving.sums[candidate] / max(visits, 1.0)


@compiled
def _next_deals(rng: Rng, memory: JudgeMemory) -> int:
    """Let the finalists meet in some more deals, all of them new; `DONE` where it is settled."""
    stand, trying = memory.stand[0], memory.expert
    if stand.deals >= stand.look:
        stand.finalists = 2  # whether there is a choice is known well enough
        stand.look *= 2
        if _is_settled(memory):
            return DONE
    left = min(stand.most, stand.look) - stand.deals
    if left <= 0:
        return DONE
    stand.asked = min(max(BATCH_SIZE // stand.finalists, 1), left)
    progress = trying.halving.progress[0]
    progress.alive, progress.left, progress.deals = stand.finalists, 0, 0
    for finalist in range(stand.finalists):
        row = _row(memory.finalists[finalist], memory)
        trying.halving.candidates[finalist] = row
        trying.halving.batch[row] = 0.0
    _prepare(stand.asked, rng, memory)
    return _DEAL


@compiled
def _add_up(memory: JudgeMemory) -> None:
    """Note what each finalist has won in each deal."""
    stand, won, finalists = memory.stand[0], memory.expert.won, memory.stand[0].finalists
    for deal in range(stand.asked):
        first = float(won[deal * finalists])
        for finalist in range(finalists):
            chance = float(won[deal * finalists + finalist])
            gain = chance - first
            memory.chances[finalist, 0] += chance
            memory.chances[finalist, 1] += chance * chance
            memory.gains[finalist, 0] += gain
            memory.gains[finalist, 1] += gain * gain
    stand.deals += stand.asked
    stand.simulations += stand.asked * finalists
    if finalists == FINALISTS:
        stand.spread_deals = stand.deals


@compiled
def _is_settled(memory: JudgeMemory) -> bool:
    """Whether no threshold lies near to what the rival has gained."""
    deals = float(memory.stand[0].deals)
    total, squares = memory.gains[RIVAL, 0], memory.gains[RIVAL, 1]
    mean = total / deals
    variance = max(squares - total * mean, 0.0) / (deals - 1.0) / deals
    for number in range(len(_THRESHOLDS)):
        apart = mean - _THRESHOLDS[number]
        if apart * apart <= EARLY * EARLY * variance:
            return False
    return True
