"""A kindly player that plans a turn as the heuristic does, and is content with half of it."""

from collections.abc import Sequence
from typing import Any

import numpy.typing as npt

from baghdad.bots.api import Budget
from baghdad.rules.engine.actions import (
    CARRY,
    END,
    END_TURN,
    KIND,
    MEANING,
    MOVE,
    MOVE_NEUTRAL,
    NAME,
    NAME_ROW,
    PALACE,
    PASS,
    SETUP_ROW,
    TO,
    Action,
)
from baghdad.rules.engine.dealer import Rng, below
from baghdad.rules.engine.legality import Rows, count_legal, legal_rows, nth_legal
from baghdad.rules.engine.material import PLACING
from baghdad.rules.engine.state import State
from baghdad.rules.views import View

from .beam import ROOT, TURNS_AT, Beam
from .bot import HeuristicBot
from .compiled import compiled

ENOUGH = 2
"""Actions after which it is content with a turn."""
FULL_HAND = 24
"""More cards than this remind it of what they are for: if all pass for ever, nobody wins (R27)."""


class DreamerBot:
    """Plays the beginning of a good plan: each move makes sense, and many more are missed.

    Two actions are enough for a turn, and before each of them it may forget what it was about to
    do, and end the turn: with cards, a dancer or a card that it names, as it happens, where it has
    done nothing yet. It also ends it before guards would wander about: a second neutral one, or an
    own one that has just come.
    """

    def __init__(self, planner: HeuristicBot, *, forgets: int) -> None:
        self.planner = planner
        self.forgets = forgets
        """How many of a hundred planned actions it forgets, and all that would follow them."""

    def choose(
        self, view: View, legal: Sequence[Action], budget: Budget, rng: Rng
    ) -> Sequence[Action]:
        plan = self.planner.choose(view, legal, budget, rng)
        beam = self.planner.beam
        count = dream(len(plan), self.forgets, rng, beam)
        dreamed: list[Action] = beam.actions[TURNS_AT, :count].tolist()
        return dreamed


@compiled
def dream(count: int, forgets: int, rng: Rng, beam: Beam) -> int:
    """Cut the plan short that `choose_turn` has made; returns the number of actions left."""
    state, plan = beam.states[ROOT], beam.actions[TURNS_AT]
    if state.phase == PLACING:
        return count
    cards = 0
    for card in range(7):
        cards += state.hands[state.seat, card]
    for number in range(count):
        kind = MEANING[plan[number], KIND]
        if kind in (END, PASS, NAME):
            break
        dreams = cards <= FULL_HAND and (number >= ENOUGH or below(rng, 100) < forgets)
        if dreams or _wanders(plan, number):
            plan[number] = END_TURN if number > 0 else _any_end(state, rng, beam.rows)
            return number + 1
    return count


@compiled
def _any_end(state: State, rng: Rng, rows: Rows) -> Action:
    """One of the ways to end the turn at once."""
    legal_rows(state, rows)
    for row in range(SETUP_ROW + 1, NAME_ROW):
        rows[row] = 0
    return nth_legal(rows, below(rng, count_legal(rows)))


@compiled
def _wanders(plan: npt.NDArray[Any], number: int) -> bool:
    """Whether this action of a plan moves what the others before it have moved enough."""
    kind = MEANING[plan[number], KIND]
    for before in range(number):
        earlier = MEANING[plan[before], KIND]
        if kind == MOVE_NEUTRAL and earlier == MOVE_NEUTRAL:
            return True
        comes = earlier in (MOVE, CARRY)
        if kind == MOVE and comes and MEANING[plan[before], TO] == MEANING[plan[number], PALACE]:
            return True
    return False
