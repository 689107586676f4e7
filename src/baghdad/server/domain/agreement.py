"""What a table agrees on before anybody sits down."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from baghdad.rules.engine.material import (
    BALANCED_DEAL,
    Hands,
    Rob,
    Spare,
    Variant,
)
from baghdad.rules.options import Options, Rulebook, first_hands

Watching: TypeAlias = Literal["nobody", "table", "open"]
"""Spectators: none; what everybody at the table sees; and besides, all hands after the end."""
FirstPlayer: TypeAlias = Literal["random", "order"] | Annotated[int, Meta(ge=0, le=3)]
"""Who begins (R5): chance, the first chair, or the chair that the host has chosen."""
USUAL_DEAL = "usual"
"""First hands as in R7."""
DEAL_LENGTH = 40
"""More than four numbers need, so that a wrong one is refused in words."""
DEFAULT_STAND_IN = "morgiana"
"""The bot that plays on where nobody else was agreed on: neither weak nor slow."""


class Agreement(Struct, frozen=True, omit_defaults=True, kw_only=True, forbid_unknown_fields=True):
    """What a table agrees on before anybody sits down."""

    players: Annotated[int, Meta(ge=2, le=4)] = 2
    variant: Variant = "standard"
    rulebook: Rulebook | None = None
    """Decides `rob`, `hands` and `spare`; naming one of them otherwise contradicts it."""
    rob: Rob | None = None
    """Like the next two: not named, it is the rulebook's, or the usual."""
    hands: Hands | None = None
    spare: Spare | None = None
    deal: Annotated[str, Meta(max_length=DEAL_LENGTH)] = USUAL_DEAL
    """First hands: `usual` (R7), `balanced`, or a number for each seat, such as `6-8`. Where some
    chairs stay empty, the balanced ones are those for the players who are there, and of other
    numbers the first ones count."""
    start: FirstPlayer = "random"
    listed: bool = False
    """In the lobby, for everybody to join."""
    watching: Watching = "table"
    move_seconds: Annotated[int, Meta(ge=5, le=30 * 86_400)] | None = None
    """Time for one turn; a day and more for play by correspondence."""
    game_seconds: Annotated[int, Meta(ge=30, le=365 * 86_400)] | None = None
    """Time for all turns of a seat together."""
    grace_seconds: Annotated[int, Meta(ge=0, le=86_400)] = 60
    """How long an absent player is waited for, beyond the clock."""
    stand_in: str | None = None
    """The bot that plays for somebody who is absent; where there is a clock, there is one."""
    teaching: bool = False
    """Hints and reviews are allowed while the game goes on, also with other people. Everybody sees
    that before sitting down, and it never changes."""

    @property
    def options(self) -> Options:
        """Of a game in which all chairs are taken."""
        return self.options_for(self.players)

    def options_for(self, players: int) -> Options:
        """Of a game for those who are there. Raises `ValueError` for what can't be agreed on."""
        deal = self.deal if self.deal == BALANCED_DEAL else self._hands_of_all()[:players]
        agreed = self.variant, self.rob, self.hands, self.spare
        return Options(players, *agreed, deal, self.rulebook)  # type: ignore[arg-type]

    def _hands_of_all(self) -> tuple[int, ...]:
        return first_hands(self.players, "" if self.deal == USUAL_DEAL else self.deal)
