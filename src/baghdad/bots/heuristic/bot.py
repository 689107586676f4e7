"""A player that plans its turn with a beam over tuned values, and never looks further."""

from collections.abc import Sequence

from baghdad.bots.api import Budget
from baghdad.rules.engine.actions import Action
from baghdad.rules.engine.dealer import Rng
from baghdad.rules.views import View

from .beam import MAX_ACTIONS, TURNS_AT, choose_turn, new_beam, stop_after
from .evaluation import EvalParams, make_value_table

WIDTH, PATIENCE = 4, 2


class HeuristicBot:
    """Plays the best turn that a beam finds, or the first `most_actions` actions of it."""

    def __init__(
        self,
        params: EvalParams | None = None,
        *,
        width: int = WIDTH,
        patience: int = PATIENCE,
        most_actions: int = MAX_ACTIONS,
    ) -> None:
        self.table = make_value_table(params or EvalParams())
        self.width = width
        self.patience = patience
        self.most_actions = most_actions
        self.beam = new_beam()

    def choose(
        self, view: View, legal: Sequence[Action], budget: Budget, rng: Rng
    ) -> Sequence[Action]:
        count = choose_turn(view.fields, self.table, self.width, self.patience, rng, self.beam)
        count = stop_after(self.most_actions, count, self.beam)
        plan: list[Action] = self.beam.actions[TURNS_AT, :count].tolist()
        return plan
