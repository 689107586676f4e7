"""Records that clients send: what they are told about them."""

from baghdad.replay.steps import Replay, replay_of
from baghdad.rules.errors import CutRecordError, RecordError
from baghdad.rules.game import Game
from baghdad.rules.notation import read_records
from baghdad.rules.verdict import verdict
from baghdad.server.domain.limits import Limits
from baghdad.server.domain.refusals import RefusedError

from .replies import Proof

MOST_STEPS = Limits().record_steps


def game_of(text: str, language: str, most_steps: int) -> Game:
    """The game of a record; one with a mistake is refused with the place and the rule.

    One of more steps is refused before any of them is played.
    """
    try:
        records = read_records(text)
        if sum(len(each.tokens) for each in records) > most_steps:
            raise RefusedError("too_long")
        return Game.from_record(text if len(records) > 1 else records[0])
    except RecordError as error:
        raise RefusedError("not_a_record", error.rule, why=error.said(language)) from error


def replay_of_record(text: str, language: str = "en", most_steps: int = MOST_STEPS) -> Replay:
    """All steps of a record, as far as it goes. Whoever has a record knows all hands."""
    cut = None
    try:
        game = game_of(text, language, most_steps)
    except RefusedError as error:
        if not isinstance(error.__cause__, CutRecordError):
            raise
        cut = error.__cause__
        game = cut.game
    return replay_of(game, cut)


def proof_of(
    text: str, language: str, most_steps: int, promise: str | None, number: str | None
) -> Proof:
    """Whether a record's chance follows from what was promised."""
    game = game_of(text, language, most_steps)
    return Proof(*verdict(game, promise, language, number=number))
