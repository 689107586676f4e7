"""A player that plans its turn with a beam over tuned values, and never looks further."""

from collections.abc import Sequence

from baghdad.bots.api import Budget
from baghdad.rules.engine.actions import Action
from baghdad.rules.engine.dealer import Rng
from baghdad.rules.engine.material import PLACING
from baghdad.rules.views import View

from .beam import (
    TURNS_AT,
    new_beam,
    plan_placement,
    plan_turn,
)
from .evaluation import EvalParams, make_value_table

WIDTH, PATIENCE = 4, 2


class HeuristicBot:
    """Plays the best turn that a beam finds."""

    def __init__(
        self, params: EvalParams | None = None, *, width: int = WIDTH, patience: int = PATIENCE
    ) -> None:
        self.table = make_value_table(params or EvalParams())
        self.width = width
        self.patience = patience
        self._beam = new_beam()

    def choose(
        self, view: View, legal: Sequence[Action], budget: Budget, rng: Rng
    ) -> Sequence[Action]:
        # The others' cards are determinized only because a state has a place for them.
        state, beam = view.determinize(rng), self._beam
        if state.phase == PLACING:
            return [int(plan_placement(state, self.table, beam))]
        plan_turn(state, self.table, self.width, self.patience, 1, beam)
        return [int(action) for action in beam.actions[TURNS_AT, : beam.lengths[TURNS_AT]]]
