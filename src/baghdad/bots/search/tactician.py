"""The exact answer to: how many chests can this hand take this turn, and how?

There is no chance within a turn, so this is depth-first branch and bound (Land, Doig 1960) through
its positions, each once by a transposition table. The bound is never too low: it counts the chests
within reach of the thief actions and cards left. Nothing here is random. Where the search stands
is all in its memory, so that it can be done in slices.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from baghdad.bots.heuristic.evaluation import cards_held
from baghdad.bots.heuristic.pruning import drop_wasteful_payments
from baghdad.rules.engine.actions import ROWS, Action
from baghdad.rules.engine.dealer import Rng, new_rng
from baghdad.rules.engine.legality import guards_at, legal_rows, take_first
from baghdad.rules.engine.material import (
    DANCER,
    GUARD_FIELDS,
    NEUTRAL,
    THIEF_ACTIONS,
    TURN,
    Palace,
)
from baghdad.rules.engine.state import STATE, State, States
from baghdad.rules.engine.steps import chest_number, play
from baghdad.rules.engine.views import ViewFields
from baghdad.rules.engine.visibility import determinize
from baghdad.rules.views import View

from .compiled import compiled, inline, noinline

MAX_DEPTH = 128
"""No hand pays for more actions than there are cards."""
MAX_POSITIONS = 120_000
"""Then it gives up: a few tenths of a second, which is as long as people wait for a hint."""
UNLIMITED = 1 << 62
"""As many tries as it takes."""
DEAL = new_rng("tactician")


@dataclass(frozen=True, slots=True)
class Tactic:
    """What a turn can take."""

    chests: int
    actions: tuple[Action, ...]
    """How to get them, without the end of the turn."""
    exact: bool
    """False where the search gave up: there might be more."""
    positions: int
    """Positions looked at."""


_FIELDS = [
    ("chests", "i8"),  # that the best path takes
    ("length", "i8"),  # of that path
    ("positions", "i8"),  # looked at
    ("max_positions", "i8"),  # then it gives up
    ("level", "i8"),  # of the position whose actions are being tried; under 0 at the end
    ("exact", "i8"),  # 0 where it gave up
]
FOUND = np.dtype((np.record, np.dtype(_FIELDS, align=True)))
"""What has been found, and where the search stands."""


class TacticMemory(NamedTuple):
    """Memory for a search, allocated once."""

    found: npt.NDArray[Any]
    """[1], dtype `FOUND`"""
    rng: Rng
    states: States
    """[MAX_DEPTH + 1]: the positions on the path."""
    rows: npt.NDArray[Any]
    """[MAX_DEPTH + 1, ROWS]: actions still to be tried at each."""
    path: npt.NDArray[Any]
    """[MAX_DEPTH]: actions."""
    best: npt.NDArray[Any]
    """[MAX_DEPTH]: the best path so far."""
    seen: npt.NDArray[Any]
    """Hashes of positions, 0 where there is none: a power of two, with room to spare."""
    prices: npt.NDArray[Any]
    """[6, 3]: thieves, cards and dancers that each palace within reach needs."""


def new_tactic_memory(max_positions: int) -> TacticMemory:
    """Memory for searches that look at this many positions at most."""
    return TacticMemory(
        np.zeros(1, FOUND),
        np.zeros(4, np.int64),
        np.zeros(MAX_DEPTH + 1, STATE),
        np.zeros((MAX_DEPTH + 1, ROWS), np.int64),
        np.zeros(MAX_DEPTH, np.int16),
        np.zeros(MAX_DEPTH, np.int16),
        np.zeros(1 << (4 * max_positions).bit_length(), np.int64),
        np.zeros((6, 3), np.int64),
    )


@inline
def _hash(state: State) -> int:
    """A number for all that can change within a turn. Never 0."""
    seat = state.seat
    key = int(state.thief_actions) + 1
    for palace in range(6):
        thieves, guards = int(state.thieves[palace, seat]), int(state.guards[palace, seat])
        key = _times(key) ^ int(state.hands[seat, palace])
        key = _times(key) ^ (thieves << 4 | int(state.chests[palace]))
        key = _times(key) ^ (guards << 4 | int(state.guards[palace, 4]))
        key ^= key >> 29
    key = _times(key) ^ int(state.hands[seat, 6])
    key ^= key >> 32
    key = _times(key)
    key ^= key >> 29
    return key if key != 0 else 1


@compiled
def _times(key: int) -> int:
    """The lowest bits of a product: the same in 64 bits and in a Python integer."""
    return (key * MULTIPLIER) & LOWEST


MULTIPLIER = 0x1B873593CC9E2D51
LOWEST = 2**63 - 1


@compiled
def _is_new(state: State, seen: npt.NDArray[Any]) -> bool:
    """Whether a position was not in the table `seen` yet; puts it there."""
    key = _hash(state)
    place = key & (len(seen) - 1)
    while seen[place] != 0:
        if seen[place] == key:
            return False
        place = (place + 1) & (len(seen) - 1)
    seen[place] = key
    return True


@compiled
def _min_cost(state: State, palace: Palace, arrivals: int, elsewhere: int, ready: int) -> int:
    """A lower bound on the cards that this many arrivals in a palace cost, or `IMPOSSIBLE`.

    This many thieves `elsewhere` can be taken along: for one card where a guard is `ready` beside
    them, for two at least where one is not.
    """
    seat = state.seat
    own, neutral = state.guards[palace, seat], state.guards[palace, NEUTRAL]
    others = guards_at(state, palace) - own - neutral  # they stay (R16)
    if others == GUARD_FIELDS:
        return IMPOSSIBLE
    cheapest = IMPOSSIBLE
    fewest_smuggled = max(arrivals - elsewhere, state.rob)  # only A robs under `smuggle`
    for smuggled in range(fewest_smuggled, arrivals + 1):
        carried = arrivals - smuggled
        for sent_away in range(neutral + 1):
            foreign = others + neutral - sent_away
            cost = carried + max(carried - ready, 0) + 2 * sent_away
            if own == 0 and foreign == GUARD_FIELDS:
                continue  # no own guard gets in
            if smuggled > 0:
                cost += smuggled * max(foreign, 1)
                if foreign == 0:
                    cost += 2  # a neutral guard must come
                if own == 0 and carried == 0:
                    cost += 1  # an own guard must come, and brings nobody
            cheapest = min(cheapest, cost)
    return cheapest


IMPOSSIBLE = 1000


@inline
def _price(state: State, palace: Palace, left: int, thieves: int, ready: int) -> Any:
    """Lower bounds on the arrivals, cards and dancers that the top chest of a palace needs."""
    seat = state.seat
    own = state.thieves[palace, seat]
    missing = max(chest_number(state, palace) - own, 1)
    if missing > left:
        return IMPOSSIBLE, IMPOSSIBLE, IMPOSSIBLE
    # An action to spare can bring a thief in elsewhere first, where it is cheaper.
    elsewhere = thieves - own + left - missing
    beside = ready - min(own, state.guards[palace, seat])
    cost = _min_cost(state, palace, missing, elsewhere, beside)
    others = 0
    for owner in range(state.players):
        if owner != seat:
            others += state.guards[palace, owner]
    smuggled = max(missing - elsewhere, state.rob)
    dancers = max(smuggled * max(others, 1) - state.hands[seat, palace], 0) if smuggled > 0 else 0
    return missing, cost, dancers


@noinline
def _upper_bound(state: State, prices: npt.NDArray[Any]) -> int:
    """An upper bound on the chests that can still be taken this turn. Writes to `prices` [6, 3]."""
    seat = state.seat
    left = THIEF_ACTIONS - state.thief_actions
    cards, thieves, ready = cards_held(state, seat), 0, 0
    for palace in range(6):
        thieves += state.thieves[palace, seat]
        ready += min(state.thieves[palace, seat], state.guards[palace, seat])
    dancers = state.hands[seat, DANCER]
    count = 0  # palaces within reach
    for palace in range(6):
        missing, cost, jokers = _price(state, palace, left, thieves, ready)
        if missing <= left and cost <= cards and jokers <= dancers:
            prices[count, 0], prices[count, 1], prices[count, 2] = missing, cost, jokers
            count += 1
    if state.rob == 1 and count > 0:
        return left  # thieves in waiting can take several chests of one palace
    best = min(count, 1)
    for one in range(count):
        for two in range(one + 1, count):
            missing = prices[one, 0] + prices[two, 0]
            cost = prices[one, 1] + prices[two, 1]
            jokers = prices[one, 2] + prices[two, 2]
            if missing > left or cost > cards or jokers > dancers:
                continue
            best = 2
            for three in range(two + 1, count):
                if (
                    missing + prices[three, 0] <= left
                    and cost + prices[three, 1] <= cards
                    and jokers + prices[three, 2] <= dancers
                ):
                    return 3
    return best


@compiled
def begin_tactic(view: ViewFields, max_positions: int, work: TacticMemory) -> None:
    """Start a search for the chests that the viewer, whose turn it must be, can take."""
    # Nobody else's cards matter here; some must be dealt to make a state.
    for part in range(4):
        work.rng[part] = DEAL[part]
    state, found = work.states[0], work.found[0]
    determinize(view, work.rng, state)
    found.chests, found.length, found.exact = 0, 0, 1
    found.positions, found.max_positions = 1, max_positions
    found.level = -1
    if _upper_bound(state, work.prices) > 0:
        found.level = 0
        for place in range(len(work.seen)):
            work.seen[place] = 0
        legal_rows(state, work.rows[0])
        drop_wasteful_payments(work.rows[0])


@noinline
def go_on(work: TacticMemory, tries: int) -> bool:
    """Search on until it is done, or this many actions were tried; returns whether it is done.

    What was found is in `work.found`, the actions are in `work.best`.
    """
    found = work.found[0]
    seat = work.states[0].seat
    before = work.states[0].loot[seat]
    best, positions, level = found.chests, found.positions, found.level
    while level >= 0 and tries > 0:
        tries -= 1
        action = take_first(work.rows[level])
        if action < 0 or level + 1 >= MAX_DEPTH:
            level -= 1
            continue
        work.states[level + 1] = work.states[level]
        state = work.states[level + 1]
        play(state, action)
        work.path[level] = action
        taken = state.loot[seat] - before
        if taken > best:
            best = taken
            found.length = level + 1
            for number in range(level + 1):
                work.best[number] = work.path[number]
        if state.winner >= 0:
            level = -1
        elif taken + _upper_bound(state, work.prices) > best and _is_new(state, work.seen):
            positions += 1
            if positions > found.max_positions:
                found.exact = 0
                level = -1
            else:
                level += 1
                legal_rows(state, work.rows[level])
                drop_wasteful_payments(work.rows[level])
    found.chests, found.positions, found.level = best, positions, level
    return level < 0


class Tactician:
    """Answers for one position after another, in the same memory."""

    def __init__(self, max_positions: int = MAX_POSITIONS) -> None:
        self.max_positions = min(max_positions, MAX_POSITIONS)
        self._memory = new_tactic_memory(self.max_positions)

    def ask(self, view: View, max_positions: int | None = None) -> Tactic:
        """What the viewer, whose turn it must be, can take before the turn ends.

        It looks at `max_positions` or at as many as it was made for, whichever is less.

        >>> from baghdad import Game
        >>> Tactician().ask(Game(2).view(0))
        Traceback (most recent call last):
        ValueError: no turn of this seat is under way
        """
        if view.fields.phase != TURN or view.to_move != view.viewer:
            raise ValueError("no turn of this seat is under way")
        limit = self.max_positions
        limit = limit if max_positions is None else min(limit, max_positions)
        begin_tactic(view.fields, limit, self._memory)
        go_on(self._memory, UNLIMITED)
        found = self._memory.found[0]
        actions: Sequence[int] = self._memory.best[: found.length].tolist()
        return Tactic(int(found.chests), tuple(actions), bool(found.exact), int(found.positions))
