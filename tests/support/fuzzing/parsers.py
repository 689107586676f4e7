"""Parsers of the wire without a connection: bodies, records, positions, texts, headers."""

import msgspec
from starlette.websockets import WebSocket

from baghdad.replay.headers import colours_in, names_in
from baghdad.rules.errors import CutRecordError, MoveError, PositionError, RecordError
from baghdad.rules.game import Game
from baghdad.server.domain.commands import Join, NewTable
from baghdad.server.domain.decisions.conditions import cleaned
from baghdad.server.domain.decisions.gathering import settled
from baghdad.server.domain.refusals import RefusedError, reason_of
from baghdad.server.runtime.credentials import hashed
from baghdad.server.transport.auth import same_origin, secrets_of
from baghdad.server.transport.http import language_of
from baghdad.server.transport.rates import network_of
from baghdad.server.transport.reach import Endpoint, names_machine
from baghdad.server.transport.routes.tables import number_in
from baghdad.server.wire.codec import encode, understood
from baghdad.server.wire.requests import (
    CommandMessage,
    NewTransfer,
    ReplayRequest,
    TransferClaim,
    TransferTicket,
    VerifyRequest,
)
from baghdad.server.wire.uploads import MOST_STEPS, proof_of, replay_of_record
from baghdad.text import LANGUAGES

from .choices import Choices

BODIES = (
    CommandMessage,
    NewTable,
    Join,
    NewTransfer,
    TransferTicket,
    TransferClaim,
    ReplayRequest,
    VerifyRequest,
)
"""All that a request can hold, in the order of `bodies`' first byte."""
_DECODERS = [msgspec.json.Decoder(kind) for kind in BODIES]
_NOBODY = Endpoint("192.0.2.7", 8080, find=list)
_SEED = "fuzz"


def bodies(data: bytes) -> None:
    """A request's body, of the kind that the first byte says."""
    choices = Choices(data)
    decode, body = choices.one_of(_DECODERS).decode, choices.rest()
    try:
        message = understood(decode, body)
    except RefusedError as error:
        _tell(error)
        return
    assert decode(encode(message)) == message
    if isinstance(message, NewTable):
        try:
            agreed = settled(message.agreement)
        except RefusedError as error:
            _tell(error)
        else:
            assert settled(agreed) == agreed


def records(data: bytes) -> None:
    """A game record: looked at, proved, written and read again."""
    text = data.decode(errors="ignore")
    language = LANGUAGES[len(data) % len(LANGUAGES)]
    try:
        game = Game.from_record(text)
    except CutRecordError as error:
        assert error.said(language)
        game = error.game
    except RecordError as error:
        assert error.said(language)
        _refused_alike(text, language)
        return
    written = game.record()
    again = Game.from_record(written)
    assert again.tokens == game.tokens
    assert again.record() == written
    encode(replay_of_record(text, language))
    for promise in (None, hashed(text)):
        try:
            encode(proof_of(text, language, MOST_STEPS, promise, hashed("")))
        except RefusedError as error:  # one that is cut can be looked at, not proved
            _tell(error)


def _refused_alike(text: str, language: str) -> None:
    for work, noted in ((replay_of_record, ()), (proof_of, (None, None))):
        try:
            work(text, language, MOST_STEPS, *noted)
        except RefusedError as error:
            _tell(error)
        else:
            raise AssertionError("no record, but not refused")


def positions(data: bytes) -> None:
    """A position as JSON. One that is taken can be told again, and played on."""
    try:
        position = msgspec.json.decode(data, type=dict)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return
    try:
        game = Game.from_position(position, seed=_SEED)
    except PositionError as error:
        assert all(error.said(language) for language in LANGUAGES)
        return
    for _ in range(3):
        assert Game.from_position(game.position()).position() == game.position()
        encode(game.shown())
        if not (legal := game.legal()):
            break
        game.play(legal[len(data) % len(legal)])


def texts(data: bytes) -> None:
    """Names, chat and typed moves."""
    choices = Choices(data)
    players, text = 2 + choices.below(3), choices.rest().decode(errors="ignore")
    try:
        kept = cleaned(text)
    except RefusedError as error:
        _tell(error)
    else:
        assert kept.isprintable()
        assert 0 < len(kept) <= len(text)
        assert cleaned(kept) == kept
    assert len(names_in(text, players)) in (0, players)
    assert len(colours_in(text, players)) == players
    game = Game(players, seed=_SEED)
    for attempt in (game.understand, game.play):
        try:
            attempt(text)
        except MoveError as error:
            _tell(error)


def headers(data: bytes) -> None:
    """The head of a request: its address's query, then a line for each header.

    Names and values are Latin-1, as uvicorn gives them.
    """
    query, *lines = data.split(b"\n")
    pairs = [line.partition(b":")[::2] for line in lines]
    given = [(name.strip().lower(), value.strip()) for name, value in pairs]
    scope = {"type": "websocket", "path": "/", "query_string": query, "headers": given}
    socket = WebSocket(scope, _never, _never)  # type: ignore[arg-type]
    same_origin(socket, None)
    assert language_of(socket) in LANGUAGES
    assert all(len(hashed(secret)) == 64 for secret in secrets_of(socket, "F7KQXM"))
    for name in ("as", "after"):
        number = number_in(socket, name)
        assert number is None or 0 <= number < 10**16
    host = socket.headers.get("host", "")
    names_machine(host)
    network_of(host)
    encode(_NOBODY.reach_for(host, socket.headers))


def _tell(error: RefusedError | MoveError) -> None:
    """Every refusal can be said in every language, and sent."""
    for language in LANGUAGES:
        encode(reason_of(error, language))


async def _never(*_: object) -> None:
    raise AssertionError("nothing is sent or received here")
