"""What is agreed on for a game of the command line."""

import argparse

from baghdad.rules.engine.material import BALANCED, LARGEST_HAND
from baghdad.rules.options import (
    DealError,
    Options,
    RulebookError,
    written_deal,
)
from baghdad.text import say

from .files import UsageError

OF_A_TABLE = ("rulebook", "variant", "rob", "hands", "spare", "deal")
"""By the names of their options."""


def table_options(given: argparse.Namespace, players: int, language: str) -> Options:
    """The options that were named; a `UsageError` says what does not go together."""
    try:
        return Options(
            players,
            given.variant or "standard",
            given.rob,
            given.hands,
            given.spare,
            given.deal or (),
            given.rulebook,
        )
    except RulebookError as error:
        named = {"rulebook": error.rulebook, "option": error.option}
        both = {"wanted": error.wanted, "given": error.given}
        raise UsageError(say("cli.rulebook_says", language, **named, **both)) from None
    except DealError:
        example = written_deal(BALANCED[players])
        values = {"most": LARGEST_HAND, "players": players, "example": example, "given": given.deal}
        raise UsageError(say("cli.bad_deal", language, **values)) from None


def agreed(options: Options, language: str) -> str:
    """What is other than usual, in a line; nothing where all is.

    >>> agreed(Options(rulebook="cs", deal="balanced"), "en")
    'Agreed: Czech (2006), spare chosen, deal 6-8'
    """
    chosen = options.chosen()
    parts = []
    for name in OF_A_TABLE:
        if name not in chosen:
            continue
        value = written_deal(options.deal) if name == "deal" else chosen[name]
        parts.append(
            say(f"rulebook.{value}", language) if name == "rulebook" else f"{name} {value}"
        )
    return say("cli.agreed", language, options=", ".join(parts)) if parts else ""
