"""What a secret opens, what every answer carries, and how much one client may ask for."""

import asyncio
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields, replace
from http.cookies import SimpleCookie
from pathlib import Path
from random import Random

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from baghdad.cli.parser import make_parser
from baghdad.server.domain.codes import CODE_LETTERS, RARITY, code_length, is_code
from baghdad.server.domain.limits import Limits
from baghdad.server.runtime import actor
from baghdad.server.runtime.actor import TableActor
from baghdad.server.runtime.credentials import hashed, new_code, new_secret
from baghdad.server.storage.event_store import EventStore
from baghdad.server.transport.middleware import HEADERS
from baghdad.server.transport.rates import AddressLimiter
from baghdad.server.transport.reach import Endpoint
from baghdad.server.transport.routes import tables
from baghdad.server.transport.websocket import LATER
from support.live_server import FAR, GENEROUS, LiveServer, play_on

# Secrets


def test_a_secret_has_144_random_bits_and_a_code_can_be_called_out() -> None:
    assert len({new_secret() for _ in range(1000)}) == 1000
    assert all(len(new_secret()) == 24 for _ in range(100))
    codes = [new_code(length) for length in range(6, 13) for _ in range(20)]
    assert all(is_code(code) and not set(code) & set("01AEIOUYL") for code in codes)
    assert not any(map(is_code, ("F7KQX", "F7KQXM" * 3, "F7KQXA", "f7kqxm")))


def test_of_ten_million_codes_at_most_one_is_in_use(
    own_server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for count in (0, 100, 5_000, 500_000, 50_000_000):
        assert len(CODE_LETTERS) ** code_length(count) / (count + 1) >= RARITY

    async def many(_: EventStore) -> int:
        return 500_000

    old = own_server.create()
    assert len(old.code) == 6
    assert own_server.call(own_server.registry.storage.count_tables()) == 1
    monkeypatch.setattr(EventStore, "count_tables", many)
    own_server.registry._tables = None  # as after a restart
    guest = own_server.create()
    assert len(guest.code) == 9
    own_server.join(guest.code.lower(), "Bea").wants("chat", text="long codes work everywhere")
    with guest.socket() as wire:
        assert wire.until("snapshot")["table"]["code"] == guest.code
    asked = {"games": [{"code": guest.code}, {"code": old.code}]}
    assert guest.http.post("/api/transfers", json=asked).is_success
    assert old.look()["table"]["code"] == old.code, "and so do old ones"


def test_codes_are_not_guessed(tmp_path: Path) -> None:
    limits = replace(GENEROUS, misses_at_once=3, misses_a_minute=0.001)
    server = LiveServer(tmp_path, limits=limits)
    try:
        guest = server.create(watching="table")
        stranger = server.spectator(guest.code)
        for _ in range(10):
            assert stranger.get().is_success, "what exists costs nothing"
        with server.client() as http:
            found = [http.get(f"/api/tables/BBBBB{n}").status_code for n in range(2, 7)]
            assert found == [404, 404, 404, 429, 429]
            told = http.get("/api/tables/BBBBBB", params={"lang": "de"})
            assert told.json()["key"] == "server.many_misses"
            assert "Netz" in told.json()["reason"]
            wrong = {"authorization": "Bearer guessed"}
            for code in ("BBBBBB", guest.code):  # a table is not told from none
                for headers in ({}, wrong):
                    answer = http.get(f"/api/tables/{code}", headers=headers)
                    assert answer.json() == http.get("/api/tables/BBBBBB").json()
            with stranger.socket() as wire, pytest.raises(ConnectionClosed) as closed:
                wire.get()
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == LATER
        guest.wants("chat", text="who holds a secret plays on")
        with guest.socket() as wire:
            wire.until("snapshot")
    finally:
        server.stop()


def test_codes_are_not_guessed_by_many_requests_at_once(tmp_path: Path) -> None:
    server = LiveServer(tmp_path, limits=replace(GENEROUS, misses_at_once=1, misses_a_minute=0.001))
    registry = server.registry
    turn = registry._loads.turn("127.0.0.1")
    try:
        code = server.create(watching="table").code
        del registry.actors[code]  # it sleeps

        def guess(code: str) -> int:
            with server.client() as http:
                return http.get(f"/api/tables/{code}").status_code

        with ThreadPoolExecutor() as pool:
            server.call(turn.__aenter__())  # so that all wait before the first is answered
            guesses = []
            for each in ("BBBBB2", "BBBBB3", code):
                guesses.append(pool.submit(guess, each))
                while each not in registry._loading:
                    server.call(asyncio.sleep(0))
            server.call(turn.__aexit__(None, None, None))
            assert [each.result(FAR) for each in guesses] == [404, 429, 429]
    finally:
        server.stop()


@pytest.mark.parametrize("secure", [False, True])
def test_the_cookie_is_out_of_reach_of_scripts_and_other_tables(
    tmp_path: Path, secure: bool
) -> None:
    server = LiveServer(tmp_path, endpoint=Endpoint(secure=secure))
    try:
        with server.client() as http:
            created = http.post("/api/tables", json={"name": "Ali"})
        code, secret = created.json()["code"], created.json()["keys"][0]["secret"]
        header = created.headers["set-cookie"]
        cookie = SimpleCookie(header)[f"baghdad-{code}"]
        assert cookie.value == secret
        assert cookie["httponly"]
        assert cookie["samesite"] == "lax"
        assert cookie["path"] == f"/api/tables/{code}"
        assert int(cookie["max-age"]) == 400 * 86_400
        assert bool(cookie["secure"]) == secure
    finally:
        server.stop()


def test_cookie_and_bearer_open_the_seat_and_nothing_else_does(server: LiveServer) -> None:
    people = server.people(2)
    secret, path, code = people[1].secrets[0], people[1].path, people[1].code
    with server.client() as http:

        def seen(**headers: str) -> list[int]:
            found: list[int] = http.get(path, headers=headers).json()["people"]
            return found

        assert seen(authorization=f"Bearer {secret}") == [1]
        assert seen(authorization=f"bearer {secret}") == [1]
        assert seen(cookie=f"baghdad-{code}={secret}") == [1]
        assert seen() == []
        assert seen(authorization=f"Basic {secret}") == []
        assert seen(authorization=f"Bearer {secret[:-1]}") == []
        assert seen(authorization=f"Bearer {hashed(secret)}") == []
        assert seen(cookie=f"baghdad-XXXXXX={secret}") == []


def test_a_secret_opens_no_other_seat_and_no_other_table(server: LiveServer) -> None:
    people, others = server.people(2), server.people(2)
    move = people[0].command("move", action="@R")
    assert people[1].send(move | {"person": 0}).status_code == 403
    assert people[1].get(**{"as": 0}).status_code == 403  # type: ignore[arg-type]
    with server.client(others[0].secrets[0]) as http:
        assert http.get(people[0].path).json()["people"] == []
        assert http.post(f"{people[0].path}/commands", json=move).status_code == 403
    assert people[0].send(move).json()["result"] == "accepted"


def test_secrets_are_kept_hashed(own_server: LiveServer) -> None:
    people = own_server.people(2)
    own_server.stop()
    stored = b"".join(path.read_bytes() for path in own_server.folder.iterdir())
    for guest in people:
        assert guest.secrets[0].encode() not in stored
        assert hashed(guest.secrets[0]).encode() in stored


# What every answer carries


def every_kind_of_answer(server: LiveServer) -> Iterator[httpx.Response]:
    people = server.people(2)
    play_on(people, Random(1), 5)
    guest, path = people[0], people[0].path
    with server.client() as http:
        for page in ("/health", "/ready", "/metrics", "/api/openapi.json", "/api/levels"):
            yield http.get(page)
        yield http.get("/nothing/here")
        yield http.get("/api/tables/BBBBBB")
        yield http.get("/api/tables/nonsense")
        yield http.delete("/api/tables")
        yield http.get("/api/tables")
        yield http.get(f"{path}/events?after=-1")
        yield http.get(f"{path}/record")
        yield http.post("/api/tables", content=b"{")
        yield http.post("/api/tables", json=[])
        yield http.post("/api/tables", json={"name": "x" * 300_000})
        yield http.post("/api/verify", json={"record": "<script>alert(1)</script>"})
        yield http.post(f"{path}/commands", json=guest.command("undo"))
    yield guest.get()
    yield guest.get("/events")
    yield guest.send(guest.command("undo"))
    yield guest.send(guest.command("undo", version=0))


def test_every_answer_has_the_headers_and_nothing_is_html(server: LiveServer) -> None:
    codes = set()
    for response in every_kind_of_answer(server):
        codes.add(response.status_code)
        for name, value in HEADERS.items():
            assert response.headers.get_list(name.decode()) == [value.decode()], response.url
        kind = response.headers["content-type"].partition(";")[0]
        assert kind in ("application/json", "text/plain")
        assert "server" not in response.headers
    assert codes >= {200, 400, 403, 404, 405, 409, 412, 413}


@pytest.mark.parametrize("rest", ["", "/replay"])
def test_a_number_longer_than_any_is_no_address(server: LiveServer, rest: str) -> None:
    with server.client() as http:
        answer = http.get(f"/t/F7KQXM/{'9' * 5000}{rest}")
    assert (answer.status_code, answer.json()["key"]) == (404, "server.no_page")


def test_the_policy_allows_no_script_but_our_own() -> None:
    policy = HEADERS[b"content-security-policy"].decode()
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == "'self'"
    assert rules["script-src"] == "'self' 'wasm-unsafe-eval'", "WebAssembly, and no text as script"
    assert policy.count("unsafe") == 1
    assert {rules[name] for name in ("object-src", "base-uri", "frame-ancestors")} == {"'none'"}


def test_a_bug_shows_nothing_of_the_inside(
    own_server: LiveServer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def bug(*_: object) -> None:
        raise ZeroDivisionError("inside")

    monkeypatch.setattr(TableActor, "snapshot", bug)
    guest = own_server.create()
    response = guest.get()
    assert response.status_code == 500
    assert response.json()["key"] == "server.failed"
    assert "Zero" not in response.text
    assert "inside" not in response.text
    assert response.headers["content-security-policy"]
    assert "ZeroDivisionError" in caplog.text, "the log has it"


def test_a_foreign_form_is_not_understood(server: LiveServer) -> None:
    """Browsers send forms across origins, but not JSON."""
    people = server.people(2)
    cookie = {"Cookie": f"baghdad-{people[0].code}={people[0].secrets[0]}"}
    for media in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""):
        with server.client() as http:
            response = http.post(
                f"{people[0].path}/commands",
                content=b'{"id":"x","version":9,"wish":{"type":"leave"}}',
                headers=cookie | {"Content-Type": media},
            )
        assert response.status_code == 400
        assert response.json()["key"] == "server.json_only"
    assert len(people[0].look()["table"]["chairs"]) == 2


# How much one may ask for


def test_a_body_has_its_length_even_if_nobody_says_so(server: LiveServer) -> None:
    def chunks() -> Iterator[bytes]:
        yield b'{"name":"'
        for _ in range(400):
            yield b"x" * 1024

    with server.client() as http:
        response = http.post(
            "/api/tables", content=chunks(), headers={"Content-Type": "application/json"}
        )
        assert response.status_code == 413
        assert response.json()["key"] == "server.too_long"


def test_tables_and_requests_of_one_address_are_limited(tmp_path: Path) -> None:
    limits = Limits(tables_an_hour=2, requests_a_second=0.001, burst=5)
    server = LiveServer(tmp_path, limits=limits)
    try:
        with server.client() as http:
            codes = [http.post("/api/tables", json={"name": "A"}).status_code for _ in range(3)]
            assert codes == [200, 200, 429]
            left = [http.get("/api/tables/BBBBBB").status_code for _ in range(10)]
            assert left == [404] * 7 + [429] * 3, "guessing codes is limited, too"
            again = http.post("/api/tables", json={"name": "A"})
            assert (again.status_code, again.json()["key"]) == (429, "server.too_fast")
            assert http.get("/health").status_code == 200
    finally:
        server.stop()


def test_strong_bots_count_more_towards_the_tables_of_an_address(tmp_path: Path) -> None:
    strong, quick = ({"kind": "bot", "level": level} for level in ("scheherazade", "kasim"))
    server = LiveServer(tmp_path, limits=Limits(tables_an_hour=10, strong_bot=2))
    try:
        host = server.create(chairs=[strong, quick, quick], players=4)  # three of ten
        server.create(stand_in="scheherazade")  # six
        host.wants("arrange", chair=2, to="bot", level="scheherazade")  # eight
        host.wants("arrange", chair=3, to="bot", level="ali")
        with server.client() as http:
            asked = {"name": "Ali", "chairs": [strong]}
            refused = http.post("/api/tables", json=asked)
            assert (refused.status_code, refused.json()["key"]) == (429, "server.too_fast")
        server.create(chairs=[quick])  # nine
        assert host.refusal("arrange", chair=3, to="bot", level="scheherazade") == "too_fast"
        assert host.look()["table"]["chairs"][3]["level"] == "ali"
        server.create()
    finally:
        server.stop()


def test_however_low_the_limit_a_table_of_strong_bots_can_be_set_up(tmp_path: Path) -> None:
    server = LiveServer(tmp_path, limits=Limits(tables_an_hour=1))
    try:
        strong = {"kind": "bot", "level": "scheherazade"}
        server.create(chairs=[strong] * 3, players=4)
        with server.client() as http:
            assert http.post("/api/tables", json={"name": "Ali"}).status_code == 429
    finally:
        server.stop()


def test_nobody_is_told_who_has_set_a_table_up(own_server: LiveServer) -> None:
    host = own_server.create(listed=True, players=3, chairs=[{"kind": "bot", "level": "kasim"}])

    async def kept() -> tuple[str | None, str]:
        table = (await own_server.registry.actor(host.code)).table
        return table.creator, str(await own_server.registry.storage.events(host.code))

    creator, events = own_server.call(kept())
    assert creator is not None
    assert creator in events
    assert "127.0.0.1" not in events
    guest = own_server.join(host.code)
    host.wants("start")
    answers = []
    for each in (host, guest, own_server.spectator(host.code)):
        answers += [each.get(path).text for path in ("", "/summary", "/games")]
        answers += [each.get("/events", whole=True).text, each.get("/events", after=0).text]
        with each.socket() as wire:
            answers.append(str(wire.until("snapshot")))
    with own_server.client() as http:
        answers.append(http.get("/api/tables").text)
    assert not [text for text in answers if creator in text or "creator" in text]


def test_messages_of_a_person_are_limited_on_all_sockets_and_nobody_is_banned(
    tmp_path: Path,
) -> None:
    limits = Limits(messages_a_second=0.001, burst=3, requests_a_second=1e6)
    server = LiveServer(tmp_path, limits=limits)
    try:
        guest = server.create(players=3)
        other = server.join(guest.code)
        with guest.socket() as wire:
            commands = [guest.command("chat", text=f"{n}", version=1) for n in range(4)]
            assert [wire.ask(each)["result"] for each in commands[:3]] == ["accepted"] * 3
            wire.raw.send("{}")
            refused = wire.until("answer")
            assert (refused["result"], refused["key"]) == ("refused", "server.too_fast")
            assert guest.send(commands[3]).status_code == 429
        with guest.socket() as wire:  # nor is a new socket a new beginning
            wire.raw.send("{}")
            assert wire.until("answer")["key"] == "server.too_fast"
        with other.socket() as wire:
            assert wire.ask(other.command("chat", text="x", version=1))["result"] == "accepted"
    finally:
        server.stop()


def test_addresses_are_remembered_in_bounded_memory() -> None:
    limiter = AddressLimiter(rate=0.001, burst=1, most=100)
    assert limiter.take("first")
    assert not limiter.take("first")
    for n in range(1000):
        limiter.take(f"address {n}")
    assert len(limiter._addresses) == 100
    assert not limiter.take("address 999"), "the latest are still known"


def test_nothing_listens_beyond_this_machine_unless_told() -> None:
    assert make_parser("en").parse_args(["serve"]).host == "127.0.0.1"


def test_every_limit_stands_in_the_table_of_limits() -> None:
    text = (Path(__file__).parents[2] / "docs" / "server.md").read_text()
    section = text.partition("\n## Limits\n")[2].partition("\n## ")[0]
    rows = [line.split("|") for line in section.splitlines() if line.startswith("| ")]
    named = [name for row in rows[2:] for name in re.findall(r"`(\w+)`", row[3])]
    assert sorted(named) == sorted(field.name for field in fields(Limits))
    assert all(row[4].strip() for row in rows[2:]), "each has its reason"


def test_the_limits_are_as_documented() -> None:
    text = (Path(__file__).parents[2] / "docs" / "server.md").read_text()
    limits = Limits()
    for value in (
        f"{limits.body // 1024} KiB",
        f"{limits.frame // 1024} KiB",
        f"{limits.tables_an_hour} an hour",
        f"{limits.tickets_an_hour} an hour",
        f"taken back in a turn | {limits.undos_a_turn} |",
        f"{limits.talk_at_once} at once, {limits.talk_a_minute:.0f} a minute",
        f"{limits.requests_a_second:.0f} a second",
        f"{limits.messages_a_second:.0f} a second",
        f"{limits.addresses:,}",
        f"{tables.LONGEST_POLL:.0f} s",
        f"{actor.PAGE} events",
    ):
        assert value in text, value
