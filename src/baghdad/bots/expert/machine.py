"""The expert as a machine: it decides step by step, in memory of its own.

Turns are sampled from the network's policy, and equal ones merged. Each is played out in
determinizations, all seats going on by the policy, until it is the searcher's turn again; there the
network returns how likely the searcher is to win. Turns that do badly drop out in rounds
(`search.seq_halving`), and every turn meets the same deals. Of two that do about as well, the one
that was drawn more often is preferred: of many that are tried, the best is also the luckiest (the
optimizer's curse, Smith and Winkler 2006).

`begin` starts a decision, `advance` goes on with it, again and again until it returns `DONE`; then
the actions are in `answer`. Where it returns the number of rows of `sight` that it wants looked at,
the network looks at them in between, however it is run. Its clock is the caller's.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from baghdad.bots.neural.sight import Sight, new_sight, sample_action, see
from baghdad.bots.search.seq_halving import (
    Halving,
    allowed,
    begin_halving,
    new_halving,
    next_deals,
)
from baghdad.bots.search.tactician import (
    MAX_DEPTH,
    TacticMemory,
    begin_tactic,
    go_on,
    new_tactic_memory,
)
from baghdad.rules.engine.actions import ROWS
from baghdad.rules.engine.dealer import Rng, deal_all, spawn
from baghdad.rules.engine.exponentials import log
from baghdad.rules.engine.legality import Rows, count_legal, legal_rows, take_first
from baghdad.rules.engine.material import CHESTS_TO_WIN, OVER, TURN
from baghdad.rules.engine.state import STATE, States
from baghdad.rules.engine.steps import play
from baghdad.rules.engine.views import ViewFields
from baghdad.rules.engine.visibility import determinize

from .compiled import compiled, noinline

Array = npt.NDArray[Any]

DONE, GO_ON = 0, -1
"""What `advance` returns; or how many rows the network is to look at."""
MAX_ACTIONS = 24
"""Actions in a sampled turn; the rest of a longer one is for the next decision."""
BATCH_SIZE = 128
"""Games that the network looks at together: with fewer the processor waits for memory."""
TRIES = 4000
"""Of the tactician, between two looks at the clock."""
SIMULATIONS_PER_CANDIDATE = 8
"""With fewer simulations than that for each, fewer turns are tried."""
SIMULATIONS_PER_SECOND = 500
"""On a slow machine with four players: with too little time for all turns, fewer are tried."""
MAX_POSITIONS = 5000
"""What the tactician may look at: some milliseconds."""


class ExpertSettings(NamedTuple):
    """How an expert decides."""

    num_samples: int
    """Turns drawn from the policy."""
    max_temperature: float
    """They are drawn at temperatures up to this: at 1 the policy proposes but a few different ones,
    and what it overlooks is what there is to gain."""
    max_candidates: int
    """Different turns that are tried out, at most."""
    prior_weight: float
    """How much more another turn has to win, each time that it was drawn e times less often."""


_FIELDS = [
    ("stage", "i8"),
    ("place", "i8"),  # of the next action in turns that are being sampled
    ("active", "i8"),  # games that go on
    ("games", "i8"),  # that are played side by side
    ("deals", "i8"),  # in which candidates are tried out
    ("count", "i8"),  # different turns
    ("length", "i8"),  # of the answer
    ("simulations", "i8"),  # that are allowed; when it is done, those that it took
    ("seconds", "f8"),
]
STAND = np.dtype((np.record, np.dtype(_FIELDS, align=True)))
"""Where a decision stands."""
_ASK_TACTICIAN, _PROPOSE, _SAMPLE, _TRY_OUT, _PLAY_ON, _JUDGE, _DECIDED = range(7)
"""Its stages: looking for a turn that wins, and for others; an action of each of these; which to
try out next, an action in each deal, and what that has led to."""


class ExpertMemory(NamedTuple):
    """Memory for decisions, allocated once."""

    stand: Array
    """[1], dtype `STAND`"""
    root: States
    """[1]: a deal that could be the true one, in which turns are proposed."""
    root_rng: Rng
    """The generator after it."""
    rows: Rows
    answer: Array
    """[MAX_DEPTH]: actions."""
    turns: Array
    """[samples, MAX_ACTIONS]: different turns, -1 after the last action. The policy's own comes
    first, then the most often drawn."""
    drawn: Array
    """[samples]: how often each was drawn."""
    sampled: Array
    """[samples, MAX_ACTIONS]: all turns, as they were drawn."""
    found: Array
    """[samples]: the first sample of each different turn."""
    numbers: Array
    """[samples]: how often that was drawn."""
    states: States
    """[games]: the games that are played side by side, samples or deals."""
    state_bytes: Array
    """[games, bytes]: the same memory, to be compared."""
    rngs: Array
    """[games, 4]: a generator for each."""
    active: Array
    """[games]: those that go on."""
    won: Array
    """[games], float32: how likely the searcher is to win."""
    deal_rngs: Array
    """[deals, 4]"""
    halving: Halving
    tactics: TacticMemory
    sight: Sight


def new_expert_memory(samples: int, games: int = BATCH_SIZE) -> ExpertMemory:
    """Memory for this many samples, and so many games that try turns out."""
    games = max(samples, games)
    states = np.zeros(games, STATE)
    return ExpertMemory(
        np.zeros(1, STAND),
        np.zeros(1, STATE),
        np.zeros(4, np.int64),
        np.zeros(ROWS, np.int64),
        np.zeros(MAX_DEPTH, np.int16),
        np.zeros((samples, MAX_ACTIONS), np.int16),
        np.zeros(samples, np.int64),
        np.zeros((samples, MAX_ACTIONS), np.int16),
        np.zeros(samples, np.int64),
        np.zeros(samples, np.int64),
        states,
        states.view(np.uint8).reshape(games, -1),
        np.zeros((games, 4), np.int64),
        np.zeros(games, np.int64),
        np.zeros(games, np.float32),
        np.zeros((games, 4), np.int64),
        new_halving(samples),
        new_tactic_memory(MAX_POSITIONS),
        new_sight(games),
    )


@compiled
def begin(
    view: ViewFields, seconds: float, simulations: int, rng: Rng, memory: ExpertMemory
) -> None:
    """Start a decision of the view's seat, with this much time and this many simulations.

    Without any simulation the policy's own turn is played.
    """
    stand, root, rows = memory.stand[0], memory.root[0], memory.rows
    stand.seconds, stand.simulations, stand.count = seconds, simulations, 0
    for part in range(4):
        memory.root_rng[part] = rng[part]
    determinize(view, memory.root_rng, root)
    legal_rows(root, rows)
    if count_legal(rows) == 1:  # without a choice nothing is drawn
        memory.answer[0] = take_first(rows)
        stand.length, stand.simulations = 1, 0
        stand.stage = _DECIDED
        return
    for part in range(4):
        rng[part] = memory.root_rng[part]
    if root.phase == TURN:
        stand.stage = _ASK_TACTICIAN
        begin_tactic(view, MAX_POSITIONS, memory.tactics)
    else:
        stand.stage = _PROPOSE


@noinline
def advance(
    view: ViewFields, settings: ExpertSettings, now: float, rng: Rng, memory: ExpertMemory
) -> int:
    """Go on with the decision; returns `DONE`, `GO_ON` or how many rows the network is to look at.

    `now` is in seconds since the decision began.
    """
    stand, rows = memory.stand[0], 0
    if stand.stage == _ASK_TACTICIAN:
        if not go_on(memory.tactics, TRIES):
            return GO_ON
        stand.stage = _DECIDED if _can_win(memory) else _PROPOSE
    if stand.stage == _PROPOSE:
        _begin_sampling(settings, rng, memory)
        rows = _show(memory)
    elif stand.stage == _SAMPLE:
        _sample(settings, memory)
        if stand.active > 0 and stand.place < MAX_ACTIONS:
            rows = _show(memory)
        else:
            _merge(settings, memory)
    elif stand.stage == _PLAY_ON:
        _play_on(memory)
        rows = _deal(view, memory)
    elif stand.stage == _JUDGE:
        _add_up(memory)
    if stand.stage == _TRY_OUT:
        stand.deals = next_deals(memory.halving, BATCH_SIZE, now)
        if stand.deals > 0:
            spawn(rng, memory.deal_rngs[: stand.deals])
            rows = begin_deals(view, memory)
        else:
            _decide(memory, memory.halving.candidates[0], memory.halving.progress[0].played)
    if stand.stage == _DECIDED:
        return DONE
    return rows if rows > 0 else GO_ON


@compiled
def _show(memory: ExpertMemory) -> int:
    """Show the network all games that go on; returns how many."""
    stand = memory.stand[0]
    for place in range(stand.active):
        see(memory.states[memory.active[place]], place, memory.sight)
    return stand.active


@compiled
def _can_win(memory: ExpertMemory) -> bool:
    """Whether the tactician has found a turn that wins; it is the answer."""
    stand, root, found = memory.stand[0], memory.root[0], memory.tactics.found[0]
    if root.loot[root.seat] + found.chests < CHESTS_TO_WIN[root.players]:
        return False
    for number in range(found.length):
        memory.answer[number] = memory.tactics.best[number]
    stand.length, stand.simulations = found.length, 0
    return True


@compiled
def _begin_sampling(settings: ExpertSettings, rng: Rng, memory: ExpertMemory) -> None:
    stand, samples = memory.stand[0], settings.num_samples
    stand.stage, stand.place, stand.active = _SAMPLE, 0, samples
    spawn(rng, memory.rngs[:samples])
    for game in range(samples):
        memory.states[game] = memory.root[0]
        memory.active[game] = game
        for place in range(MAX_ACTIONS):
            memory.sampled[game, place] = -1


@compiled
def _sample(settings: ExpertSettings, memory: ExpertMemory) -> None:
    """Play an action in every turn that goes on, as the network thinks of it."""
    stand, root, sight, going = memory.stand[0], memory.root[0], memory.sight, 0
    for row in range(stand.active):
        game = memory.active[row]
        heat = _temperature(settings, game)
        action = sample_action(sight.logits[row], sight.masks[row], heat, memory.rngs[game])
        memory.sampled[game, stand.place] = action
        state = memory.states[game]
        play(state, action)
        if state.phase == root.phase and state.seat == root.seat:
            memory.active[going] = game
            going += 1
    stand.active = going
    stand.place += 1


@compiled
def _temperature(settings: ExpertSettings, sample: int) -> float:
    """From 1 to the highest; the first sample is the policy's own choice."""
    if sample == 0:
        return 0.0
    if sample == settings.num_samples - 1:
        return settings.max_temperature
    return 1.0 + sample * ((settings.max_temperature - 1.0) / (settings.num_samples - 1))


@compiled
def _merge(settings: ExpertSettings, memory: ExpertMemory) -> None:
    """Find the different turns, and start to try them out. One that wins is the only one.

    Turns that come to the same position are the same turn, in another order.
    """
    stand, found, numbers = memory.stand[0], memory.found, memory.numbers
    stand.count = 0
    for game in range(settings.num_samples):
        if memory.states[game].winner == memory.root[0].seat:
            found[0], numbers[0], stand.count = game, 1, 1
            break
        turn = 0
        while turn < stand.count and not _same(memory.state_bytes, found[turn], game):
            turn += 1
        if turn == stand.count:
            found[turn], numbers[turn] = game, 0
            stand.count += 1
        numbers[turn] += 1
    for turn in range(stand.count):
        game, number, place = found[turn], numbers[turn], turn
        while place > 1 and memory.drawn[place - 1] < number:
            _put(memory, place, found[place - 1], memory.drawn[place - 1])
            place -= 1
        _put(memory, place, game, number)
    enough = allowed(stand.seconds, stand.simulations, SIMULATIONS_PER_SECOND)
    few = min(settings.max_candidates, max(enough // SIMULATIONS_PER_CANDIDATE, 2))
    tried = min(stand.count, few)
    if tried < 2 or stand.simulations < 1:
        _decide(memory, 0, 0)
        return
    begin_halving(memory.halving, tried, stand.seconds, stand.simulations)
    for turn in range(tried):
        memory.halving.priors[turn] = settings.prior_weight * log(float(memory.drawn[turn]))
    stand.stage = _TRY_OUT


@compiled
def _put(memory: ExpertMemory, turn: int, game: int, often: int) -> None:
    """Put a turn that was drawn this often in its place."""
    memory.found[turn], memory.drawn[turn] = game, often
    for place in range(MAX_ACTIONS):
        memory.turns[turn, place] = memory.sampled[game, place]


@compiled
def _same(states: Array, one: int, other: int) -> bool:
    byte = 0
    while byte < states.shape[1] and states[one, byte] == states[other, byte]:
        byte += 1
    return byte == states.shape[1]


@noinline
def begin_deals(view: ViewFields, memory: ExpertMemory) -> int:
    """Play the turns that are left in a determinization for each of `deals`; returns how many games
    the network is to look at.

    All turns of a deal go on with the same generator, so that chance decides little between them.
    """
    stand, states, rngs = memory.stand[0], memory.states, memory.rngs
    candidates, alive = memory.halving.candidates, memory.halving.progress[0].alive
    for number in range(stand.deals):
        first, rng = number * alive, memory.deal_rngs[number]
        determinize(view, rng, states[first])
        for game in range(first + 1, first + alive):
            states[game] = states[first]
        for place in range(alive):
            game, turn = first + place, candidates[place]
            for part in range(4):
                rngs[game, part] = rng[part]
            for action in range(MAX_ACTIONS):
                if memory.turns[turn, action] >= 0:
                    play(states[game], memory.turns[turn, action])
            memory.active[game] = game
    stand.games = stand.active = stand.deals * alive
    stand.stage = _PLAY_ON
    return _deal(view, memory)


@compiled
def _deal(view: ViewFields, memory: ExpertMemory) -> int:
    """Carry out pending chance steps; returns how many games the network is to look at.

    Those are the ones in which somebody else has to decide, and in the end all that nobody has won.
    """
    stand, going = memory.stand[0], 0
    for place in range(stand.active):
        game = memory.active[place]
        state = memory.states[game]
        deal_all(state, memory.rngs[game])
        if state.phase != OVER and state.seat != view.viewer:
            memory.active[going] = game
            going += 1
    stand.active = going
    if going == 0:
        stand.stage = _JUDGE
        for game in range(stand.games):
            state = memory.states[game]
            memory.won[game] = 1.0 if state.winner == view.viewer else 0.0
            if state.phase != OVER:
                memory.active[stand.active] = game
                stand.active += 1
    return _show(memory)


@compiled
def _play_on(memory: ExpertMemory) -> None:
    """Play an action in every game that goes on, as the network thinks of it."""
    sight = memory.sight
    for row in range(memory.stand[0].active):
        game = memory.active[row]
        action = sample_action(sight.logits[row], sight.masks[row], 1.0, memory.rngs[game])
        play(memory.states[game], action)


@compiled
def _add_up(memory: ExpertMemory) -> None:
    """Note what each turn has won in all deals, by the network where it was not decided."""
    stand, halving, alive = memory.stand[0], memory.halving, memory.halving.progress[0].alive
    for row in range(stand.active):
        memory.won[memory.active[row]] = memory.sight.outcomes[row, 0]
    for place in range(alive):
        total = np.float32(0.0)
        for deal in range(stand.deals):
            total += memory.won[deal * alive + place]
        halving.batch[halving.candidates[place]] = total
    stand.stage = _TRY_OUT


@compiled
def _decide(memory: ExpertMemory, turn: int, simulations: int) -> None:
    stand = memory.stand[0]
    stand.length, stand.simulations, stand.stage = 0, simulations, _DECIDED
    for place in range(MAX_ACTIONS):
        if memory.turns[turn, place] >= 0:
            memory.answer[stand.length] = memory.turns[turn, place]
            stand.length += 1
