"""What is agreed before a game begins, and the rulebooks that name it as a whole."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

from baghdad.rules.engine.material import (
    BALANCED,
    BALANCED_DEAL,
    FIRST_HANDS,
    HANDS,
    LARGEST_HAND,
    ROBS,
    SPARES,
    VARIANTS,
    Deal,
    Hands,
    Rob,
    Spare,
    Variant,
)

Rulebook: TypeAlias = Literal["ours", "de", "en", "nl", "cs", "12thieves"]
RULEBOOKS: tuple[Rulebook, ...] = get_args(Rulebook)
Board: TypeAlias = Literal["classic", "loose"]


class Preset(NamedTuple):
    """What a rulebook decides; where its text is silent our reading holds."""

    rob: Rob = "arrival"
    hands: Hands = "hidden"
    spare: Spare = "stack"
    board: Board = "classic"
    """Only proposed: every device may show the other one."""


PRESETS: dict[Rulebook, Preset] = {
    "ours": Preset(),
    "de": Preset(rob="smuggle"),
    "en": Preset(rob="smuggle"),
    "nl": Preset(),
    "cs": Preset(spare="chosen"),
    "12thieves": Preset(rob="smuggle", board="loose"),
}

VALUES: dict[str, tuple[str, ...]] = {
    "variant": VARIANTS,
    "rob": ROBS,
    "hands": HANDS,
    "spare": SPARES,
    "rulebook": RULEBOOKS,
}
"""What may be chosen by name; the first is the default."""


class DealError(ValueError):
    """First hands that can't be dealt."""


class RulebookError(ValueError):
    """A rulebook was named, and an option that contradicts it."""

    def __init__(self, rulebook: str, option: str, wanted: str, given: str) -> None:
        super().__init__(rulebook, option, wanted, given)
        self.rulebook, self.option, self.wanted, self.given = rulebook, option, wanted, given

    def __str__(self) -> str:
        return f"{self.option}: {self.wanted} by the rulebook {self.rulebook}, not {self.given}"


@dataclass(frozen=True, slots=True)
class Options:
    """What is agreed before a game begins. What is not named is the rulebook's, or the usual.

    >>> Options(players=3, rob="smuggle").deal
    (6, 7, 8)
    >>> Options(rulebook="cs", deal="balanced")
    Options(players=2, spare='chosen', deal=(6, 8), rulebook='cs')
    >>> Options(players=5)
    Traceback (most recent call last):
    ValueError: players: 2, 3 or 4, not 5
    >>> Options(rulebook="nl", rob="smuggle")
    Traceback (most recent call last):
    baghdad.rules.options.RulebookError: rob: arrival by the rulebook nl, not smuggle
    """

    players: int = 2
    variant: Variant = "standard"
    rob: Rob = None  # type: ignore[assignment]  # None is replaced at once
    hands: Hands = None  # type: ignore[assignment]
    spare: Spare = None  # type: ignore[assignment]
    deal: Deal = ()
    """Cards of the first hands by seat (R7); `"6-8"` and `"balanced"` are understood, too."""
    rulebook: Rulebook | None = None

    def __post_init__(self) -> None:
        if isinstance(self.players, float) or self.players not in (2, 3, 4):
            raise ValueError(f"players: 2, 3 or 4, not {self.players!r}")
        self._set("players", int(self.players))
        self._check("variant")
        if self.rulebook is not None:
            self._check("rulebook")
        preset = PRESETS[self.rulebook or "ours"]
        for name, usual in (("rob", preset.rob), ("hands", preset.hands), ("spare", preset.spare)):
            if getattr(self, name) is None:
                self._set(name, usual)
            self._check(name)
            given = getattr(self, name)
            if self.rulebook is not None and given != usual:
                raise RulebookError(self.rulebook, name, usual, given)
        self._set("deal", first_hands(self.players, self.deal))

    def _set(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)

    def _check(self, name: str) -> None:
        value, values = getattr(self, name), VALUES[name]
        if value not in values:
            raise ValueError(f"{name}: {', '.join(values[:-1])} or {values[-1]}, not {value!r}")

    @property
    def usual_deal(self) -> bool:
        """Whether the first hands are R7's."""
        return self.deal == FIRST_HANDS[: self.players]

    @property
    def board(self) -> Board:
        """The board that the rulebook proposes."""
        return PRESETS[self.rulebook or "ours"].board

    def chosen(self) -> dict[str, Any]:
        """What differs from the usual, by name, and the players."""
        usual = Options(self.players)
        names = [field.name for field in fields(self)]
        return {
            name: getattr(self, name)
            for name in names
            if name == "players" or getattr(self, name) != getattr(usual, name)
        }

    def __repr__(self) -> str:
        return f"Options({', '.join(f'{k}={v!r}' for k, v in self.chosen().items())})"


def first_hands(players: int, deal: str | Sequence[int]) -> Deal:
    """The first hands that a number for each seat, a text such as `6-8`, or `balanced` names.

    >>> first_hands(3, ""), first_hands(2, "6-8"), first_hands(4, "balanced")
    ((6, 7, 8), (6, 8), (8, 7, 8, 9))
    >>> first_hands(3, "6-8")
    Traceback (most recent call last):
    baghdad.rules.options.DealError: deal: a number from 1 to 25 for each of 3 seats, not '6-8'
    """
    numbers: tuple[int, ...]
    if deal is None:
        numbers = ()
    elif not isinstance(deal, str):
        numbers = tuple(deal) if isinstance(deal, Iterable) else (0,)
    elif deal == BALANCED_DEAL:
        numbers = BALANCED[players]
    elif re.fullmatch(r"([0-9]{1,2}-)*[0-9]{1,2}", deal):
        numbers = tuple(map(int, deal.split("-")))
    else:
        numbers = (0,) if deal else ()
    if not numbers:
        return FIRST_HANDS[:players]
    possible = all(isinstance(n, int) and 1 <= n <= LARGEST_HAND for n in numbers)
    if not possible or len(numbers) != players:
        raise DealError(
            f"deal: a number from 1 to {LARGEST_HAND} for each of {players} seats, not {deal!r}"
        )
    return tuple(int(number) for number in numbers)


def written_deal(deal: Deal) -> str:
    """First hands as in a record.

    >>> written_deal((6, 7, 9))
    '6-7-9'
    """
    return "-".join(map(str, deal))
