"""The opponent in the guided game: it knows its part, and plays as the easiest level otherwise."""

from collections.abc import Sequence

from baghdad.bots.api import Budget
from baghdad.bots.levels import LEVELS
from baghdad.bots.players import make_level
from baghdad.rules.engine.actions import ACTION_OF, Action
from baghdad.rules.engine.dealer import Rng
from baghdad.rules.engine.views import CHANCE
from baghdad.rules.fair import fair_draw
from baghdad.rules.game import Game
from baghdad.rules.views import View

from .script import MOVES, RIVAL, SEED


class LessonBot:
    """Plays what the script wants wherever the position is one of the script.

    It looks at the position and at nothing else: a player who has taken something back, or done
    the same in another order, is in the guided game as before.
    """

    def __init__(self) -> None:
        self.otherwise = make_level(LEVELS[0])
        self.part = _part()

    def choose(
        self, view: View, legal: Sequence[Action], budget: Budget, rng: Rng
    ) -> Action | Sequence[Action]:
        return self.part.get(bytes(view)) or self.otherwise.choose(view, legal, budget, rng)


def _part() -> dict[bytes, list[Action]]:
    """By what it sees: the rest of its turn in the script."""
    game, part = Game(players=2), dict[bytes, list[Action]]()
    turn: list[bytes] = []
    for token in MOVES:
        if game.to_move == RIVAL:
            turn.append(bytes(game.view(RIVAL)))
            for seen in turn:
                part.setdefault(seen, []).append(ACTION_OF[token])
        game.play(token)
        while game.to_move == CHANCE:
            game.play(fair_draw(game, SEED))
        # A guard that is placed is a turn of its own, and so is whatever ends in a draw.
        if game.to_move != RIVAL:
            turn = []
    return part
