"""R27 before it happens: the thief after which a player can never rob again."""

from typing import Literal, TypeAlias

from baghdad.rules.engine.actions import ACTIONS, SMUGGLE, Action
from baghdad.rules.engine.material import HEAVIEST_CHEST

from .views import View

Stranded: TypeAlias = Literal["self", "all"]


def stranded_by(view: View, action: Action) -> Stranded | None:
    """Which seats an action leaves without any robbery to come, where only smuggling robs.

    A thief from stock goes in, robs nothing and was the last one: of that seat, or of all, which
    ends the game at once (R27).
    """
    seen, meaning = view.fields, ACTIONS[action]
    if not seen.rob or meaning.kind != SMUGGLE or seen.stock[seen.seat] != 1:
        return None
    left = int(seen.chests[meaning.to])
    if left and int(seen.thieves[meaning.to, seen.seat]) + 1 >= HEAVIEST_CHEST + 1 - left:
        return None
    return "all" if int(seen.stock.sum()) == 1 else "self"
