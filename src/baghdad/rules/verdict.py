"""Whether a deal was fair, in words: what is proved, who brought what, and what nobody can know."""

from collections.abc import Sequence
from typing import NamedTuple

from baghdad.rules.engine.material import Seat
from baghdad.text import say

from .fair import (
    COMMITMENT_HEADER,
    SEED_HEADER,
    Flaw,
    Pledge,
    Share,
    commitment,
    pledges_of,
    proof,
)
from .game import Game


class Verdict(NamedTuple):
    """What became of the proof."""

    fair: bool
    reason: str
    shares: tuple[Share, ...] = ()
    """By seat, where it is fair: who brought a number."""


def verdict(
    game: Game, promised: str | None = None, language: str = "en", *, number: str | None = None
) -> Verdict:
    """Whether all chance of a game follows from its secret and the numbers of its seats.

    `promised` is the host's promise as somebody has noted it before the game; without it, the one
    in the record's headers counts. `number` is one that somebody's own device has brought.
    """
    secret = game.headers.get(SEED_HEADER)
    noted, promised = promised, promised or game.headers.get(COMMITMENT_HEADER)
    if secret is None or promised is None:
        return Verdict(False, say("verify.no_seed", language))
    flaw = proof(game, secret, promised)
    if flaw is not None:
        return Verdict(False, _flaw(flaw, language))
    pledges = pledges_of(game.headers, game.options.players)
    if number is not None and (lost := _lost(number, pledges, language)):
        return Verdict(False, lost)
    said = [say("verify.fair", language, commitment=promised)]
    shares = tuple(pledge.share for pledge in pledges)
    if "brought" not in shares:
        said.append(say("verify.nobody", language))
    for share in ("brought", "left_out", "none"):
        if share in shares and (share != "none" or "brought" in shares):
            seats = [seat for seat, each in enumerate(shares) if each == share]
            said.append(say(f"verify.{share}", language, seats=_named(game, seats)))
    if number is not None:
        said.append(say("verify.own", language))
    if noted is None:
        said.append(say("verify.unknown", language))
    return Verdict(True, " ".join(said), shares)


def _flaw(flaw: Flaw, language: str) -> str:
    seat = None if flaw.seat is None else flaw.seat + 1
    return say(f"verify.{flaw.kind}", language, seat=seat, token=flaw.token)


def _lost(number: str, pledges: Sequence[Pledge], language: str) -> str | None:
    """What became of somebody's number that is not among those brought."""
    promise = commitment(number)
    seats = [seat for seat, pledge in enumerate(pledges) if pledge.promise == promise]
    if any(pledges[seat].number == number for seat in seats):
        return None
    if seats:
        return say("verify.own_left_out", language, seat=seats[0] + 1)
    return say("verify.own_missing", language)


def _named(game: Game, seats: Sequence[Seat]) -> str:
    """Seats from 1, with their names where the record has one for each."""
    names = [name.strip() for name in game.headers.get("Seats", "").split(",")]
    known = len(names) == game.options.players
    return ", ".join(f"{seat + 1} ({names[seat]})" if known else f"{seat + 1}" for seat in seats)
