"""The OpenAPI document, made of the wire's own types: nothing is described twice."""

from typing import Any

import msgspec

from baghdad.replay.steps import Replay
from baghdad.server.domain.agreement import Agreement
from baghdad.server.domain.commands import Join, NewTable
from baghdad.server.domain.events import Created, Person, Seating, Started, StoredEvent
from baghdad.server.domain.evolution.evolve import evolve
from baghdad.server.domain.table import Table

from .codec import encode
from .messages import Answer, EventMessage, Heartbeat, Page, Presence, Snapshot
from .projection import message_for, project
from .replies import (
    ClaimedTransfer,
    Levels,
    Lobby,
    PlayedGame,
    PlayedGames,
    Problem,
    Proof,
    Reach,
    SeatCount,
    Summary,
    TransferPeek,
    Welcome,
)
from .requests import (
    CommandMessage,
    NewTransfer,
    ReplayRequest,
    TransferClaim,
    TransferTicket,
    VerifyRequest,
)
from .snapshots import snapshot, summary

TEMPLATE = "#/components/schemas/{name}"
NOON = 1_790_000_000_000
AGREEMENT = Agreement(start="order", listed=True)
CHAIRS = (
    Seating(kind="human", colour=0, person=0),
    Seating(kind="bot", colour=1, level="kasim"),
)
BEGINNING = [
    StoredEvent(1, NOON, Created(AGREEMENT, CHAIRS, (Person(0, "Scheherazade", ""),), "seed")),
    StoredEvent(2, NOON + 1000, Started((0, 1))),
]


def _example() -> dict[type, Any]:
    """A table that has just begun, as its host sees it: really made, so never out of date."""
    table, found = Table("F7KQXM"), []
    for stored in BEGINNING:
        before, table = table, evolve(table, stored)
        found.append(message_for(project(before, table, stored), table, 0))
    seen = snapshot(table, NOON + 2000, 0, (0,), (0,), (found[0],))
    page = Page(2, tuple(found[1:]))
    return {Snapshot: seen, Page: page, Summary: summary(table, NOON + 1000, (0,))}


TICKET = "q1w2e3r4t5z6u7i8o9p0aA"
GAME = {"code": "F7KQXM", "view": "table", "at": NOON}
EXAMPLES: dict[type, Any] = {
    NewTable: {
        "name": "Scheherazade",
        "agreement": {"players": 2, "variant": "standard"},
        "chairs": [{"kind": "bot", "level": "kasim"}],
    },
    Join: {"name": "Ali"},
    CommandMessage: {"id": "a1", "version": 3, "wish": {"type": "move", "action": "@R"}},
    ReplayRequest: {
        "record": '[Players "2"]\n[Variant "standard"]\n[Rob "arrival"]\n[Hands "hidden"]\n'
        '[Result "*"]\n\n@R @G\n'
    },
    VerifyRequest: {"record": "…", "promise": "9f" * 32, "number": "0a" * 32},
    Replay: {
        "names": ["Ali", "Morgiana"],
        "colours": [0, 1],
        "headers": {"Date": "2026-11-15"},
        "result": "*",
        "shown": {"phase": 0, "seat": 0, "…": "all fields of Shown"},
        "hands": [[0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0]],
        "steps": [
            {"lines": [{"key": "log.started", "rule": "R5", "seat": 0}]},
            {
                "token": "@R",
                "lines": [{"key": "log.place", "rule": "R6", "seat": 0, "values": {"palace": "R"}}],
                "seat": 0,
                "action": 0,
                "changed": {"seat": 1},
            },
        ],
        "record": '[Players "2"]\n…\n\n@R\n',
    },
    PlayedGames: {
        "games": [
            PlayedGame(
                number=1,
                state="over",
                names=("Scheherazade", "kasim"),
                colours=(0, 1),
                bots=(None, "kasim"),
                people=(0, None),
                loot=(6, 4),
                winner=0,
                ended=NOON + 900_000,
            )
        ]
    },
    Welcome: {"code": "F7KQXM", "keys": [{"person": 0, "secret": "q1w2e3r4t5z6u7i8o9p0a1s2"}]},
    Answer: {"type": "answer", "id": "a1", "result": "accepted", "number": 4},
    Problem: {"reason": "there is no table F7KQXM", "key": "server.no_table"},
    Lobby: {
        "tables": [
            {
                "code": "F7KQXM",
                "host": "Scheherazade",
                "agreement": {"listed": True},
                "free": 1,
                "created": NOON,
            }
        ]
    },
    Levels: {"levels": [{"name": "kasim", "about": "plays any move that comes to mind"}]},
    Reach: {"addresses": ["http://192.168.1.20:8080"], "public": None, "open": True},
    NewTransfer: {"games": [GAME], "name": "Scheherazade"},
    TransferTicket: {"ticket": TICKET, "seconds": 600},
    TransferPeek: {"games": 1, "seats": 1, "seconds": 540},
    TransferClaim: {"ticket": TICKET, "claimant": "9f8e7d6c5b4a39281706f5e4"},
    ClaimedTransfer: {"name": "Scheherazade", "games": [GAME]},
    SeatCount: {"seats": 1},
    Proof: {"fair": False, "reason": "NOT fair: the seed is not the one that was promised"},
}
TYPES: tuple[type, ...] = (
    Answer,
    VerifyRequest,
    ClaimedTransfer,
    CommandMessage,
    EventMessage,
    Join,
    Levels,
    Lobby,
    NewTable,
    NewTransfer,
    Page,
    PlayedGames,
    Problem,
    Proof,
    Reach,
    Replay,
    SeatCount,
    Snapshot,
    Summary,
    ReplayRequest,
    TransferClaim,
    TransferPeek,
    TransferTicket,
    Welcome,
    Presence,
    Heartbeat,
)


def components() -> dict[str, Any]:
    """The JSON schema of every message, by name."""
    _, found = msgspec.json.schema_components(TYPES, schema_hook=_raw, ref_template=TEMPLATE)
    return found


def _raw(kind: type) -> dict[str, Any]:
    if kind is msgspec.Raw:
        return {"$ref": TEMPLATE.format(name="Shown")}
    raise NotImplementedError


def body(kind: type) -> dict[str, Any]:
    """A request body, for `openapi_extra`."""
    return {"requestBody": {"required": True, "content": _content(kind)}}


def answers(
    kind: type | None, *problems: int, media: str = "application/json", example: object = None
) -> dict[int | str, Any]:
    """The responses of an operation: the good one, and the codes of those with a reason."""
    good: dict[str, Any] = {"description": "As asked."}
    if kind is not None:
        good["content"] = _content(kind)
    else:
        shape = "string" if isinstance(example, str) else "object"
        good["content"] = {media: {"schema": {"type": shape}, "example": example}}
    found: dict[int | str, Any] = {200: good}
    for code in problems:
        found[code] = {"description": MEANINGS[code], "content": _content(Problem)}
    return found


MEANINGS = {
    400: "Not understood; the reason says what to do.",
    403: "Not allowed here.",
    404: "There is no such table.",
    409: "Refused as things stand; the reason says why.",
    412: "The version is out of date; the answer has what was missed.",
    413: "Too long.",
    429: "Too fast; try again in a moment.",
    503: "Not stored; nothing has changed, try again.",
}


def _content(kind: type) -> dict[str, Any]:
    content: dict[str, Any] = {"schema": {"$ref": TEMPLATE.format(name=kind.__name__)}}
    if kind in (Snapshot, Page, Summary):
        content["example"] = msgspec.json.decode(encode(_example()[kind]))
    else:
        content["example"] = msgspec.to_builtins(EXAMPLES[kind])
    return {"application/json": content}
