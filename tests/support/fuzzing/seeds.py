"""Where the fuzzer begins: one of everything that good clients send, and words to try."""

import json
from functools import cache
from itertools import product
from pathlib import Path

import msgspec
from websockets.frames import Opcode

from baghdad.rules.engine.views import CHANCE
from baghdad.rules.fair import fair_cards
from baghdad.rules.game import Game
from baghdad.server.domain.commands import Join, NewTable
from baghdad.server.wire.openapi import EXAMPLES
from baghdad.server.wire.requests import CommandMessage, NewTransfer, ReplayRequest

from .parsers import BODIES
from .wire import HANDSHAKE, PLAYER, frame

DATA = Path(__file__).parents[2] / "data"
CORPUS = DATA / "fuzz"
"""A file for each target, a line for each input: text in JSON, a letter for a byte."""

RECORDS = ("2-chosen-balanced", "2-dead", "3-neutral-arrival-seen-thieving", "4-chosen-odd-deal")
COMMANDS = [
    {"type": "move", "action": "@R"},
    {"type": "move", "action": 3},
    {"type": "undo"},
    {"type": "chat", "text": "salam ★"},
    {"type": "resign"},
    {"type": "propose_end"},
    {"type": "answer_end", "yes": True},
    {"type": "bring", "number": "00" * 32},
]
GETS = [
    *("/", "/health", "/ready", "/metrics", "/rules/", "/../etc/passwd", "/t/F7KQXM", "/x%00y"),
    *("/api/tables", "/api/levels?lang=de", "/api/server", "/api/openapi.json", "//evil.test/%2e"),
    *(f"/api/tables/%PLAYED%{rest}" for rest in ("", "?as=0", "/summary", "/games", "/record")),
    *(f"/api/tables/%PLAYED%/events?{rest}" for rest in ("after=0", "whole=true", "wait=1")),
    "/api/tables/%PLAYED%/games/1/replay",
]
LINES = [
    *("Host: localhost", "Host: [::1]:8080", "Origin: http://localhost", "Connection: close"),
    *("Accept-Language: de-AT,en;q=0.5", "Expect: 100-continue", "Transfer-Encoding: chunked"),
    *("X-Forwarded-For: 2001:db8::1, 10.0.0.1", "X-Forwarded-Proto: https", "Range: bytes=0-3"),
    *("If-None-Match: *", "Accept-Encoding: br, gzip", "Cookie: baghdad-F7KQXM=a.b"),
    *("Content-Type: application/json", "Content-Length: 9", "Authorization: Bearer %KEYS%"),
    *("Forwarded: for=192.0.2.7", "Sec-WebSocket-Protocol: x", "Sec-WebSocket-Extensions: y"),
]
WORDS = [
    *("GET ", "POST ", "HEAD ", "OPTIONS ", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", " HTTP/1.1\r\n"),
    *("\r\n", "\r\n\r\n", "0\r\n\r\n", "%PLAYED%", "%OPEN%", "%KEYS%", "{", "}", "null", "1e999"),
    *("\\ud800", "\\u0000", '[Players "2"]\n', "=RGWPYB*", "R>>G(*)", "+R(RR*)", "nR>G(R)"),
    *("\x89\x80\0\0\0\0", "\x8a\x80\0\0\0\0", "\x88\x82\0\0\0\0\x03\xe8", "\x81\xfe\0\xff\0\0\0\0"),
    *(f"{line}\r\n" for line in LINES),
    *(f'"{kind}"' for kind in ("wish", "id", "version", "person", "type", "agreement", "chairs")),
]
"""In Latin-1, a letter for a byte."""


@cache
def seeds(target: str) -> tuple[bytes, ...]:
    """What a target's fuzzing begins with: what is said here, then what earlier runs have found."""
    return (*dict.fromkeys([*_FIRST[target](), *read_corpus(target)]),)


def read_corpus(target: str) -> list[bytes]:
    file = CORPUS / f"{target}.json"
    if not file.is_file():
        return []
    return [text.encode("latin-1") for text in json.loads(file.read_text("utf-8"))]


def write_corpus(target: str, inputs: list[bytes]) -> None:
    CORPUS.mkdir(exist_ok=True)
    lines = ",\n".join(json.dumps(each.decode("latin-1")) for each in inputs)
    (CORPUS / f"{target}.json").write_text(f"[\n{lines}\n]\n", "utf-8")


def _request(method: str, path: str, body: object = None, *lines: str) -> bytes:
    """As httpx would send it."""
    sent = b"" if body is None else msgspec.json.encode(body)
    lines = ("Host: localhost", *lines)
    if body is not None:
        lines += ("Content-Type: application/json", f"Content-Length: {len(sent)}")
    head = "".join(f"{line}\r\n" for line in (f"{method} {path} HTTP/1.1", *lines))
    return head.encode() + b"\r\n" + sent


def _http() -> list[bytes]:
    posts = {
        "/api/tables": EXAMPLES[NewTable],
        "/api/tables/%OPEN%/join": EXAMPLES[Join],
        "/api/tables/%PLAYED%/commands": EXAMPLES[CommandMessage],
        "/api/replay": EXAMPLES[ReplayRequest],
        "/api/verify": EXAMPLES[ReplayRequest],
        "/api/transfers": EXAMPLES[NewTransfer],
    }
    keys = "Authorization: Bearer %KEYS%"
    found = [_request("GET", path, None, keys) for path in GETS]
    found += [_request("POST", path, body, keys) for path, body in posts.items()]
    found += [_request("GET", "/api/server", None, line) for line in LINES]
    chunked = _request("POST", "/api/replay", None, "Transfer-Encoding: chunked", LINES[13])
    found += [chunked + b"4;x=y\r\n{}  \r\n0\r\nTrailer: 1\r\n\r\n", found[0] * 3]
    found += [HANDSHAKE + b"\r\n", HANDSHAKE + PLAYER + b"\r\n", b"GET / HTTP/1.0\r\n\r\n"]
    return [bytes((way, 0)) + each for way, each in product((0, 3, 8), found)]


def _socket() -> list[bytes]:
    texts = [
        msgspec.json.encode({"id": f"c{n}", "version": 2, "wish": wish, "person": n % 2})
        for n, wish in enumerate(COMMANDS)
    ]
    found = [frame(Opcode.TEXT, text) for text in texts]
    found += [b"".join(found), frame(Opcode.TEXT, texts[0], fin=False) + frame(Opcode.CONT, b"")]
    found += [frame(Opcode.PING, b"p") * 5, frame(Opcode.PONG, b""), frame(Opcode.BINARY, b"\xff")]
    found += [frame(Opcode.CLOSE, b"\x03\xe8bye"), frame(Opcode.TEXT, b"x" * 300)]
    return [bytes((way, 0)) + each for way, each in product((4, 1, 12), found)]


def _bodies() -> list[bytes]:
    examples = [(kind, msgspec.json.encode(EXAMPLES[kind])) for kind in BODIES]
    found = [bytes((BODIES.index(kind),)) + body for kind, body in examples]
    asked = [{"id": "a", "version": 1, "wish": wish} for wish in COMMANDS]
    return [*found, *(b"\0" + msgspec.json.encode(each) for each in asked)]


def _headers() -> list[bytes]:
    return [b"as=0&after=12&lang=nl\n" + "\n".join(LINES).encode(), b"\nHost: a\nOrigin: http://a"]


def _records() -> list[bytes]:
    found = [(DATA / f"{name}.txt").read_bytes() for name in RECORDS]
    return [*found, *(record[:900] for record in found)]


def _positions() -> list[bytes]:
    """At the beginning, in the deal, in a turn, before a draw and after the end."""
    found = [msgspec.json.decode((DATA / f"{name}.json").read_bytes())["last"] for name in RECORDS]
    for players in (2, 4):
        game = Game(players, variant="neutral")
        for move in range(40):
            if move % 8 == 0 or game.to_move == CHANCE:
                found.append(game.position())
            if game.to_move == CHANCE:
                game.draw(fair_cards(game, "fuzz"))
            else:
                game.play(game.legal()[-1])
    return [msgspec.json.encode(each) for each in found]


def _texts() -> list[bytes]:
    return [b"\0" + text.encode() for text in ("Ali, Morgiana", "2, 1", "nr > g(r*)", "a\u202eb ㅤ")]


def _tables() -> list[bytes]:
    return [bytes(60), bytes(range(256)), bytes([1, 0, 0, 2, 2] * 50), bytes([3, 1] * 100)]


_FIRST = {
    "http": _http,
    "socket": _socket,
    "bodies": _bodies,
    "headers": _headers,
    "records": _records,
    "positions": _positions,
    "texts": _texts,
    "tables": _tables,
}
