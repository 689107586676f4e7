"""Records that clients send: what they are told about them."""

from baghdad.replay.steps import Replay, replay_of
from baghdad.rules.errors import CutRecordError, RecordError
from baghdad.rules.game import Game
from baghdad.rules.verdict import verdict
from baghdad.server.domain.refusals import RefusedError

from .replies import Proof
from .requests import VerifyRequest

MOST_STEPS = 20_000
"""Twice as many as the longest of some hundred games between random players."""


def game_of(text: str, language: str) -> Game:
    """The game of a record; one with a mistake is refused with the place and the rule."""
    try:
        return Game.from_record(text)
    except RecordError as error:
        raise RefusedError("not_a_record", error.rule, why=error.said(language)) from error


def replay_of_record(text: str, language: str = "en") -> Replay:
    """All steps of a record, as far as it goes. Whoever has a record knows all hands."""
    cut = None
    try:
        game = game_of(text, language)
    except RefusedError as error:
        if not isinstance(error.__cause__, CutRecordError):
            raise
        cut = error.__cause__
        game = cut.game
    if len(game.tokens) >= MOST_STEPS:
        raise RefusedError("too_long")
    return replay_of(game, cut)


def proof_of(claim: VerifyRequest, text: str, language: str) -> Proof:
    """Whether a record's chance follows from what was promised."""
    game = game_of(text, language)
    return Proof(*verdict(game, claim.promise, language, number=claim.number))
