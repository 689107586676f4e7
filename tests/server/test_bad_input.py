"""Whatever comes over the wire: a reason, and nothing else. No 500, no traceback, no change."""

import json
import logging
from contextlib import suppress
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis import Case
from schemathesis.config import SchemathesisConfig
from websockets.exceptions import ConnectionClosed

from baghdad.server.app import make_app
from baghdad.server.transport.routes.tables import LONGEST_POLL
from support.live_server import Guest, LiveServer

QUICK = settings(
    max_examples=10,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)

DOCUMENT = make_app("sqlite+aiosqlite://").openapi()
TOO_LONG = {"negative_data_rejection": {"expected-statuses": ["4xx"]}}
schema = schemathesis.openapi.from_dict(
    DOCUMENT, config=SchemathesisConfig.from_dict({"checks": TOO_LONG})
)


def whole(body: Any) -> Any:
    """1.0 is an integer to JSON Schema; we want integers to be written as such."""
    if isinstance(body, dict):
        return {name: whole(value) for name, value in body.items()}
    if isinstance(body, list):
        return [whole(value) for value in body]
    return int(body) if isinstance(body, float) and body.is_integer() else body


def prepare(case: Case[Any]) -> None:
    case.body = whole(case.body)
    with suppress(KeyError, TypeError, ValueError):
        if 0 < float(case.query["wait"]) <= LONGEST_POLL:
            case.query["wait"] = 0.01  # polls that wait are tested elsewhere


@schema.parametrize()
@QUICK
def test_every_operation_does_what_its_document_says(case: Case[Any], server: LiveServer) -> None:
    prepare(case)
    case.call_and_validate(base_url=server.url)


@schema.include(path_regex="code").parametrize()
@QUICK
def test_at_a_table_too(case: Case[Any], server: LiveServer) -> None:
    """With the secret of a seat; the code is a real one, whatever was made up."""
    host = server.create()
    prepare(case)
    case.path_parameters["code"] = host.code
    case.call_and_validate(
        base_url=server.url,
        headers={"Authorization": f"Bearer {host.secrets[0]}"},
        excluded_checks=[
            schemathesis.checks.negative_data_rejection,
            schemathesis.checks.positive_data_acceptance,  # versions are out of date
        ],
    )


def test_every_operation_has_examples() -> None:
    for path, operations in DOCUMENT["paths"].items():
        for method, operation in operations.items():
            where = f"{method} {path}"
            assert operation["summary"], where
            for media in operation.get("requestBody", {"content": {}})["content"].values():
                assert "example" in media, where
            for media in operation["responses"]["200"]["content"].values():
                assert "example" in media, where


# The socket

TEXTS = st.text(max_size=30)
JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=8,
)
KINDS = ["move", "undo", "start", "sit", "leave", "kick", "arrange", "chat", "emote", "hush",
         "return", "rematch", "choose_start", "admit",
         "open_door", "decline", "resign", "propose_end", "answer_end", "bring",
         "created", "moved", ""]  # fmt: skip
FIELDS = ["action", "chair", "colour", "person", "to", "level", "text", "emote", "off", "seed",
          "start", "now", "yes", "promise", "number"]  # fmt: skip
COMMANDS = st.builds(
    lambda kind, values: {"type": kind} | values,
    st.sampled_from(KINDS),
    st.dictionaries(st.sampled_from(FIELDS), JUNK, max_size=3),
)
MESSAGES = st.fixed_dictionaries(
    {},
    optional={
        "id": JUNK | st.sampled_from(["a", "x" * 65, "\x00", "é"]),
        "version": JUNK | st.sampled_from([0, 1, 2**63, -1, 1e9]),
        "wish": COMMANDS | JUNK,
        "person": JUNK | st.integers(-1, 3),
        "extra": JUNK,
    },
)
NESTED = ["[" * 30_000, '{"wish":{"a":' + "[" * 3_000, '{"a":' * 2_000]
FRAMES = st.one_of(
    MESSAGES.map(json.dumps),
    JUNK.map(json.dumps),
    st.binary(max_size=200),
    TEXTS,
    st.sampled_from(NESTED),
    st.just("x" * 5_000),
    st.tuples(MESSAGES.map(json.dumps), st.integers(0, 80)).map(lambda cut: cut[0][: cut[1]]),
)


@pytest.fixture(scope="module")
def players(server: LiveServer) -> list[Guest]:
    """A running game, in which it is the first one's turn."""
    return server.people(2)


@settings(QUICK, max_examples=100)
@given(frames=st.lists(FRAMES, min_size=1, max_size=8), who=st.integers(0, 2))
def test_no_frame_changes_anything_or_breaks_the_server(
    players: list[Guest],
    caplog: pytest.LogCaptureFixture,
    frames: list[str | bytes],
    who: int,
) -> None:
    """From the player who is not on, from nobody, and from another table."""
    server, path = players[0].server, players[0]
    stranger = server.spectator(path.code)
    if who == 2:
        stranger.secrets = server.create().secrets
    guest = players[1] if who == 0 else stranger
    before = state_of(players[0])
    with guest.socket() as wire:
        for frame in frames:
            wire.raw.send(frame)
        for _ in frames:
            answer = wire.until("answer")
            assert answer["result"] in ("refused", "stale")
            assert answer["reason"]
    assert state_of(players[0]) == before
    assert not [each for each in caplog.records if each.levelno >= logging.WARNING]


def state_of(guest: Guest) -> dict[str, Any]:
    return guest.look() | {"at": 0, "present": []}


def test_a_frame_too_large_to_read_closes_that_socket_only(server: LiveServer) -> None:
    people = server.people(2)
    before = state_of(people[0])
    with people[1].socket() as other, people[0].socket() as wire:
        wire.raw.send("x" * 100_000)
        with pytest.raises(ConnectionClosed):
            wire.until("answer")
        assert wire.raw.close_code == 1009
        assert other.ask(people[1].command("chat", text="still here"))["result"] == "accepted"
    assert before["number"] + 1 == people[0].look()["number"]


def test_text_that_is_no_text_closes_that_socket_only(server: LiveServer) -> None:
    guest = server.create()
    with guest.socket() as wire:
        wire.raw.send(b"\xff\xfe", text=True)
        with pytest.raises(ConnectionClosed):
            wire.until("answer")
        assert wire.raw.close_code == 1007
    with guest.socket() as wire:
        assert wire.get()["type"] == "snapshot"


def test_replayed_frames_of_another_seat_are_refused(server: LiveServer) -> None:
    """What one seat has sent does nothing from another, not even with its name on it."""
    people = server.people(2)
    command = people[0].command("move", action="@R")
    with people[0].socket() as mine, people[1].socket() as theirs:
        assert mine.ask(command)["result"] == "accepted"
        before = state_of(people[0])
        assert theirs.ask(command | {"person": 0})["key"] == "server.no_secret"
        assert theirs.ask(command)["result"] == "stale"
        assert mine.ask(command)["result"] == "accepted"
        assert state_of(people[0]) == before
