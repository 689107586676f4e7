"""Nobody is sent a byte that depends on a card that is not theirs.

A random game is played on a real server, and again on another with everything changed that a seat
can't know: the others' cards and the stack. The decisions are the same, and so are the seat's own
cards. Then everything that the seat is sent must be the same, byte for byte: on the socket and by
HTTP, what it is told, what it may do, what it is refused, and why. Likewise for spectators.
"""

import json
from collections import Counter
from collections.abc import Callable
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import httpx
import msgspec
import pytest

from baghdad import (
    CHANCE,
    Game,
    MoveError,
    Options,
)
from baghdad.rules.engine.actions import ACTION_OF, TOKENS
from baghdad.rules.engine.material import CARD_LETTERS
from baghdad.rules.fair import deal_seed
from baghdad.rules.notation import Move, read_token
from baghdad.rules.options import written_deal
from baghdad.server.bus import bus
from baghdad.server.bus.packets import Part, Text
from baghdad.server.domain.agreement import Agreement
from baghdad.server.domain.decisions import playing
from baghdad.server.runtime import members, registry
from baghdad.server.runtime.clock import Clock
from baghdad.server.runtime.credentials import hashed
from baghdad.server.storage import ownership
from baghdad.server.storage.event_store import async_url
from baghdad.server.transport.relay import Exchange
from support.cluster import NatsServer
from support.live_server import (
    ClientSocket,
    Guest,
    LiveServer,
    play_on,
)
from support.pledges import number_of
from support.runtime import new_database
from support.tables import (
    Manner,
    asking,
    new_game,
    thieving,
)

NOON = 1_700_000_000_000
SEED = "5eed" * 16
PALACES = CARD_LETTERS[:6]

GAMES: list[tuple[Options, int, Manner]] = [
    (Options(2), 60, thieving),
    (Options(3, "neutral", "smuggle", "seen"), 56, thieving),
    (Options(4, "standard", "arrival", "hidden"), 60, thieving),
    (Options(2, spare="chosen"), 74, asking),
    (Options(3, rulebook="cs", deal="balanced"), 70, asking),  # type: ignore[arg-type]
]


def some_game(options: Options, length: int, seed: int, manner: Manner = thieving) -> list[str]:
    """The tokens of a game that is not over yet."""
    random, game = Random(seed), new_game(options)
    while len(game.tokens) < length:
        if game.to_move == CHANCE:
            game.deal(random.randrange(1 << 30))
        else:
            game.play(manner(game.legal_tokens(), random))
            if game.over:
                game.undo()
    while game.to_move == CHANCE:
        game.deal(random.randrange(1 << 30))
    return list(game.tokens)


def drawers(options: Options, tokens: list[str]) -> list[int | None]:
    """By token: the seat to which it brings cards."""
    game, found = new_game(options), list[int | None]()
    for token in tokens:
        found.append(int(game.state.seat) if token[0] == "=" else None)
        game.play(token)
    return found


def held(options: Options, tokens: list[str], viewer: int | None) -> list[bool]:
    """By named card that others have asked for: whether the stack had it."""
    game, found = new_game(options), list[bool]()
    for token in tokens:
        named = int(game.state.named)
        if named >= 0 and int(game.state.seat) != viewer:
            found.append(bool(game.state.deck[named]))
        game.play(token)
    return found


def possible(options: Options, tokens: list[str]) -> bool:
    game = new_game(options)
    try:
        for token in tokens:
            game.play(token)
    except MoveError:
        return False
    return not game.over


def permuted(options: Options, tokens: list[str], viewer: int | None, random: Random) -> list[str]:
    """The same game with other cards, as many as can be, where the viewer can't see them."""
    seats = drawers(options, tokens)
    hidden = [
        (n, place)
        for n, seat in enumerate(seats)
        if seat is not None and seat != viewer
        for place in range(1, len(tokens[n]))
    ]
    tokens = list(tokens)
    for _ in range(250):
        (n, i), (m, j) = random.choice(hidden), random.choice(hidden)
        a, b = tokens[n][i], tokens[m][j]
        if random.random() < 0.5:  # with a card of the stack
            changes = [(n, i, random.choice(PALACES))]
        else:
            changes = [(n, i, b), (m, j, a)]
        other = list(tokens)
        for at, place, letter in changes:
            other[at] = other[at][:place] + letter + other[at][place + 1 :]
        if other != tokens and possible(options, other):
            tokens = other
    return tokens


def another_world(options: Options, tokens: list[str], viewer: int | None) -> list[str]:
    """The same game with other hidden cards.

    Where cards are asked for, a stack that had a named one has none now, or the other way round.
    """
    had = held(options, tokens, viewer)
    for seed in range(7, 20):
        others = permuted(options, tokens, viewer, Random(seed))
        if options.spare == "stack" or held(options, others, viewer) != had:
            return others
    raise AssertionError("the stack is never low enough")


class FakeListener:
    """Everything that one audience is sent."""

    def __init__(self, guest: Guest, wire: ClientSocket) -> None:
        self.guest = guest
        self.wire = wire
        self.heard: list[tuple[Any, ...]] = []

    def by_http(self, response: httpx.Response) -> None:
        headers = [(n, v) for n, v in response.headers.raw if n.lower() != b"date"]
        self.heard.append((response.status_code, headers, response.content))

    def asks(self, *, whole: bool) -> None:
        self.by_http(self.guest.get())
        self.by_http(self.guest.get("/events", after=0))
        self.by_http(self.guest.get("/record"))
        self.by_http(self.guest.get("/replay"))
        self.by_http(self.guest.get("/games"))
        self.by_http(self.guest.get("/games/1/record"))
        if whole:
            self.by_http(self.guest.get("/events", after=0, whole=True))
            self.by_http(self.guest.http.get("/api/tables"))

    def tries(self, number: int, actions: list[int | str]) -> None:
        """All kinds of moves that are refused."""
        for n, action in enumerate([*actions, "=RGW", "what?"]):
            asked = {"type": "move", "action": action}
            command = {"id": f"try-{number}-{n}", "version": number, "wish": asked}
            self.by_http(self.guest.send(command))
            self.wire.ask(command)


class Apart:
    """Two processes, and what crosses the bus to the one where the viewer is."""

    def __init__(self, postgresql: Any, address: str, name: str, viewer: int) -> None:
        self.viewer = viewer
        self.gateway = ""
        self.items: dict[str, list[Any]] = {}
        self.crossed = Counter[Any]()
        """All that the viewer's process was sent, however it was numbered and packed."""
        self._postgresql = postgresql
        self._bus = address
        self._name = name

    def places(self) -> dict[str, Any]:
        self.items.clear()
        url = new_database(self._postgresql, f"{self._name} {next(_worlds)}")
        return {"database": async_url(url), "bus": self._bus}

    def listen(self, monkeypatch: pytest.MonkeyPatch) -> None:
        really = Exchange.received

        def received(exchange: Exchange, sender: str, item: Any) -> None:
            if sender != exchange.here:
                self.items.setdefault(exchange.here, []).append(item)
            really(exchange, sender, item)

        monkeypatch.setattr(Exchange, "received", received)
        for each in (members, ownership):  # on a busy machine nobody is taken to be gone
            monkeypatch.setattr(each, "LEASE_SECONDS", 600.0)
        monkeypatch.setattr(bus, "SILENT_SECONDS", 600.0)

    def note(self) -> None:
        """Before people go, in whatever order."""
        parts: dict[int, list[Part]] = {}
        found = Counter[Any]()
        for item in self.items[self.gateway]:
            if isinstance(item, Part):
                parts.setdefault(item.id, []).append(item)
            else:
                assert isinstance(item, Text), "nothing else is needed"
                assert len(item.ids) == 1, "one socket is there"
                found[item.body] += 1
        for each in parts.values():
            body = b"".join(part.body for part in each)
            found[each[0].status, each[0].headers, body] += 1
        self.crossed = found


_worlds = count(1)


@pytest.fixture
def fixed(monkeypatch: pytest.MonkeyPatch) -> dict[str, list[str]]:
    """Time, codes and secrets are the same every time; the cards are those of a script."""
    script: dict[str, list[str]] = {"tokens": []}

    def scripted(game: Game, seed: str) -> Move:
        numbers = [number_of(n) for n in range(game.options.players)]
        assert seed in (SEED, deal_seed(SEED, numbers))
        return read_token(script["tokens"][len(game.tokens)])

    monkeypatch.setattr(playing, "fair_cards", scripted)
    monkeypatch.setattr(Clock, "now", lambda _: NOON)
    monkeypatch.setattr(registry, "new_code", lambda _: "BGHDDX")
    monkeypatch.setattr(registry, "new_seed", lambda: SEED)
    secrets = iter(range(10**9))
    monkeypatch.setattr(registry, "new_secret", lambda: f"secret-{next(secrets) % 10:017d}")
    return script


def played(
    folder: Path,
    script: dict[str, list[str]],
    options: Options,
    tokens: list[str],
    watching: str,
    apart: Apart | None = None,
) -> list[list[Any]]:
    """What every seat, and then a spectator, is sent in a whole game.

    `apart`: one of them comes by way of another process than the one that owns the table.
    """
    script["tokens"] = tokens
    folder.mkdir()
    places = apart.places() if apart is not None else {}
    servers = [LiveServer(folder, **places) for _ in range(1 if apart is None else 2)]
    server = servers[0]
    try:
        guests = server.people(
            options.players,
            numbers=options.players != 2,
            variant=options.variant,
            rob=options.rob,
            hands=options.hands,
            spare=options.spare,
            deal=written_deal(options.deal),
            rulebook=options.rulebook,
            watching=watching,
            listed=True,
            move_seconds=3600,
        )
        audience = [*guests, server.spectator(guests[0].code)]
        if apart is not None:
            audience[apart.viewer] = audience[apart.viewer].at(servers[1])
            apart.gateway = servers[1].registry.storage._name
        done = apart.note if apart is not None else lambda: None
        return told(audience, tokens, done)
    finally:
        for each in servers:
            each.stop()


def told(audience: list[Guest], tokens: list[str], done: Callable[[], None]) -> list[list[Any]]:
    """What each of them is sent until it is `done`."""
    sockets = [guest.socket() for guest in audience]
    ears = []
    try:
        for guest, socket_ in zip(audience, sockets, strict=True):
            wire = socket_.__enter__()
            ears.append(FakeListener(guest, wire))
            for each in ears:  # presence is told to all, in the order in which they come
                if guest.person is not None or each.wire is wire:
                    each.wire.get()
            if guest.person is not None:
                wire.get()
        number = audience[0].look()["number"]
        game = Game.with_options(options_of(audience[0]))
        for at, token in enumerate(tokens):
            while game.to_move == CHANCE:
                game.play(tokens[len(game.tokens)])
            if at < len(game.tokens):
                continue
            seat = game.to_move
            assert seat is not None
            random = Random(at)
            if random.random() < 0.15:
                for n, ear in enumerate(ears):
                    legal = game.legal() if n == seat else []
                    illegal = [a for a in range(len(TOKENS)) if a not in legal]
                    # Of its own: what others may not do is another number of moves in each game.
                    ear.tries(number, list(Random(n).sample(illegal, 12)))
                    ear.asks(whole=random.random() < 0.3)
            move = {"type": "move", "action": ACTION_OF[token]}
            commands: list[dict[str, Any]] = [move]
            acting = game.copy()
            acting.play(token)
            if acting.to_move == seat and random.random() < 0.3:
                commands += [{"type": "undo"}, move]
            for asked in commands:
                command = {"id": f"c{number}", "version": number, "wish": asked}
                assert ears[seat].wire.ask(command)["result"] == "accepted"
                number += 1
                for n, ear in enumerate(ears):
                    if n != seat:
                        ear.wire.until("event", number=number)
            game.play(token)
        for ear in ears:
            ear.asks(whole=True)
        done()
        return [[*ear.heard, *ear.wire.bytes] for ear in ears]
    finally:
        for socket_ in sockets[: len(ears)]:
            socket_.__exit__(None, None, None)


def options_of(guest: Guest) -> Options:
    return msgspec.convert(guest.look()["table"]["agreement"], Agreement).options


@pytest.mark.parametrize(
    ("options", "length", "manner"), GAMES, ids=lambda part: getattr(part, "__name__", str(part))
)
def test_what_is_hidden_from_a_seat_changes_no_byte_that_it_is_sent(
    tmp_path: Path, fixed: dict[str, list[str]], options: Options, length: int, manner: Manner
) -> None:
    tokens = some_game(options, length, length, manner)
    first = played(tmp_path / "first", fixed, options, tokens, "open")
    for viewer in [*range(options.players), None]:
        others = another_world(options, tokens, viewer)
        changed = sum(a != b for a, b in zip("".join(tokens), "".join(others), strict=True))
        assert changed >= 5, "most of what is hidden is another card now"
        again = played(tmp_path / f"as {viewer}", fixed, options, others, "open")
        place = options.players if viewer is None else viewer
        assert len(first[place]) > 100
        for once, twice in zip(first[place], again[place], strict=True):
            assert once == twice
        # And the test can fail: those who may see the changed cards do.
        assert any(again[n] != first[n] for n in range(options.players) if n != viewer)


@pytest.mark.parametrize("viewer", [0, 3])
def test_what_is_hidden_from_a_seat_never_comes_to_the_process_where_it_is(
    tmp_path: Path,
    fixed: dict[str, list[str]],
    postgresql: Any,
    nats: NatsServer,
    monkeypatch: pytest.MonkeyPatch,
    viewer: int,
) -> None:
    """Neither to the seat, nor over the bus: the table's owner is another process."""
    options, length, manner = GAMES[1]
    tokens = some_game(options, length // 2, length, manner)
    apart = Apart(postgresql, nats.url, f"leak {viewer}", viewer)
    apart.listen(monkeypatch)
    first = played(tmp_path / "first", fixed, options, tokens, "open", apart)[viewer]
    crossed = apart.crossed
    seat = None if viewer == options.players else viewer
    others = another_world(options, tokens, seat)
    assert others != tokens
    again = played(tmp_path / "again", fixed, options, others, "open", apart)[viewer]
    assert first == again
    assert crossed == apart.crossed
    assert len(first) > 40
    # All that came over the socket came that way.
    assert all(crossed[each] for each in first if isinstance(each, bytes))
    whole = b"".join(each if isinstance(each, bytes) else each[2] for each in crossed)
    assert SEED.encode() not in whole
    if viewer:
        return
    # And the test can fail: for somebody else other cards come.
    other = (viewer + 1) % options.players
    elsewhere = Apart(postgresql, nats.url, f"other {viewer}", other)
    elsewhere.listen(monkeypatch)
    seen = []
    for name, world in (("one", tokens), ("two", others)):
        played(tmp_path / name, fixed, options, world, "open", elsewhere)
        seen.append(elsewhere.crossed)
    assert seen[0] != seen[1]


def test_where_nobody_may_watch_spectators_see_no_move(
    tmp_path: Path, fixed: dict[str, list[str]]
) -> None:
    """Two games that have nothing in common but their length look the same from outside."""
    options = Options(2)
    one, two = (some_game(options, 60, seed) for seed in (1, 2))
    same = min(sum(token[0] != "=" for token in game) for game in (one, two))
    outside = []
    for name, game in (("one", one), ("two", two)):
        heard = played_simply(tmp_path / name, fixed, game, same)
        outside.append(heard)
    assert outside[0] == outside[1]
    assert b'"shown":{' not in b"".join(outside[0])


def played_simply(
    folder: Path, script: dict[str, list[str]], tokens: list[str], decisions: int
) -> list[bytes]:
    """What a spectator is sent of so many decisions."""
    script["tokens"] = tokens
    folder.mkdir()
    server = LiveServer(folder)
    try:
        guests = server.people(2, watching="nobody")
        outsider = server.spectator(guests[0].code)
        with outsider.socket() as wire:
            wire.until("snapshot")
            number = outsider.look()["number"]
            for token in [token for token in tokens if token[0] != "="][:decisions]:
                seat = guests[0].look()["shown"]["seat"]
                guests[seat].wants("move", action=token)
                number += 1
                wire.until("event", number=number)
            guests[0].wants("chat", text="they can't hear us")
            wire.until("event", number=number + 1)
            pages = [outsider.get(), outsider.get("/events"), outsider.get("/events", whole=True)]
            assert b"hear us" not in b"".join([*wire.bytes, *(page.content for page in pages)])
            return [*wire.bytes, *(page.content for page in pages)]
    finally:
        server.stop()


def all_of(guest: Guest) -> bytes:
    """Whatever can be had by plain HTTP, all events from the first included."""
    places = ("", "/events", "/record", "/replay", "/summary", "/games")
    sent = [guest.get(page).content for page in places]
    for game in (1, 2):
        sent += [guest.get(f"/games/{game}/{form}").content for form in ("record", "replay")]
    after, more = 0, True
    while more:
        page = guest.get("/events", after=after, whole=True)
        sent.append(page.content)
        after, more = page.json()["events"][-1]["number"], page.json()["more"]
    return b"".join(sent)


def test_seeds_secrets_hashes_and_ids_are_sent_to_nobody_else(server: LiveServer) -> None:
    people = server.people(3, numbers=True, watching="open", listed=True)
    table = server.registry.actors[people[0].code].table
    with server.spectator(people[0].code).socket() as wire, people[0].socket() as own:
        play_on(people, Random(4), 40)
        people[1].wants("chat", text="hello", id="an-id-of-guest-1")
        wire.until("event", kind="chatted")
        own.until("event", kind="chatted")
        guests = people[0], server.spectator(people[0].code)
        sent = [*wire.bytes, *own.bytes, *map(all_of, guests)]
    everything = b"".join(sent)
    assert table.promise.encode() in everything
    assert table.seed.encode() not in everything
    assert table.deal_seed != table.seed
    assert table.deal_seed.encode() not in everything
    assert b"an-id-of-guest-1" not in everything
    assert b"on-" not in everything
    for guest in people:
        assert guest.secrets[0].encode() not in everything
        assert hashed(guest.secrets[0]).encode() not in everything


def test_where_nobody_may_watch_the_seed_stays_at_the_table(server: LiveServer) -> None:
    """With it and nothing else, the first hands could be dealt again."""
    people = server.people(2, watching="nobody")
    outsider = server.spectator(people[0].code)
    with outsider.socket() as wire:
        wire.until("snapshot")
        play_on(people, Random(9))
        last = people[1].look()
        wire.until("event", number=last["number"])
        sent = b"".join([*wire.bytes, all_of(outsider)])
    assert last["table"]["seed"].encode() not in sent
    assert last["table"]["seed"].encode() in all_of(people[0])
    assert people[0].get("/record").status_code == 200


def test_who_comes_later_does_not_see_what_was_hidden_before(server: LiveServer) -> None:
    """Somebody leaves after the game, and a stranger takes the chair for the next one."""
    people = server.people(2, watching="nobody")
    people[0].wants("chat", text="between us")
    play_on(people, Random(9))
    seed = people[0].look()["table"]["seed"]
    people[1].wants("rematch")
    people[0].wants("rematch")
    people[1].wants("leave")
    stranger = server.join(people[0].code, "Cem")
    with stranger.socket() as wire:
        wire.until("snapshot")
        sent = b"".join([*wire.bytes, all_of(stranger)])
    assert seed.encode() not in sent
    assert b"between us" not in sent
    assert b'"shown":{' not in sent
    for told in (seed.encode(), b"between us", b'"shown":{'):
        assert told in all_of(people[0])
    assert stranger.look()["log"][-1]["kind"] == "joined"
    assert stranger.get("/games").json() == {"games": []}
    assert stranger.get("/games/1/record").status_code == 403
    people[0].wants("start")
    play_on([people[0], stranger], Random(9))
    assert [game["number"] for game in people[0].get("/games").json()["games"]] == [1, 2]
    assert [game["number"] for game in stranger.get("/games").json()["games"]] == [2]
    assert stranger.get("/record").status_code == 200
    assert seed.encode() not in all_of(stranger)


def test_where_nobody_may_watch_answers_and_earlier_games_stay_at_the_table(
    server: LiveServer,
) -> None:
    """Neither a spectator nor somebody who did not go on sees anything of the next game."""
    people = server.people(3, watching="nobody")
    outsider = server.spectator(people[0].code)
    with outsider.socket() as wire, people[2].socket() as left:
        wire.until("snapshot")
        play_on(people, Random(9))
        first = people[0].look()["table"]["seed"]
        people[1].wants("rematch")
        assert wire.until("event", kind="offered")["table"]["offers"] == []
        people[2].wants("decline")
        wire.until("event", kind="declined")
        assert outsider.look()["table"]["declines"] == []
        assert people[0].look()["table"]["declines"] == [2]
        people[0].wants("rematch", now=True)
        people[0].wants("arrange", chair=2, to="closed")
        people[0].wants("start")
        people[0].wants("chat", text="without Guest 2")
        play_on(people[:2], Random(9))
        second = people[0].look()
        for each in (wire, left):
            each.until("event", number=second["number"])
        seen = b"".join([*wire.bytes, all_of(outsider)])
        mine = all_of(people[2])
    seed = second["table"]["seed"]
    assert first.encode() not in seen
    assert b"wants another" not in seen
    for told in (seed.encode(), b"without Guest 2"):
        assert told not in seen
        assert told not in mine
        assert told not in b"".join(left.bytes)
    assert first.encode() in mine, "the game that was played together"
    assert people[2].look()["shown"] is None
    assert [game["number"] for game in people[2].get("/games").json()["games"]] == [1]
    assert outsider.get("/games").json() == {"games": []}
    for number, status in ((1, 200), (2, 403)):
        assert people[2].get(f"/games/{number}/replay").status_code == status
        assert outsider.get(f"/games/{number}/replay").status_code == 403


@pytest.mark.parametrize("moves", [20, 100_000])
def test_where_nobody_may_watch_who_hosts_because_all_have_gone_sees_no_more(
    server: LiveServer, moves: int
) -> None:
    """Neither a running game, which bots play to its end, nor a finished one."""
    people = server.people(3, watching="nobody")
    play_on(people, Random(9))
    people[1].wants("rematch")
    people[0].wants("rematch", now=True)
    people[0].wants("arrange", chair=2, to="closed")
    people[0].wants("start")
    play_on(people[:2], Random(9), moves)
    with people[2].socket() as wire:
        for each in people[:2]:
            each.wants("leave")
        wire.until("event", kind="left")
        wire.until("event", kind="left")
        seen = people[2].look()
        sent = b"".join([*wire.bytes, all_of(people[2])])
    assert seen["table"]["host"] == people[2].person
    assert (seen["shown"], seen["log"], seen["table"]["seed"]) == (None, [], None)
    assert b'"shown":{' not in b"".join(wire.bytes)
    assert server.registry.actors[people[0].code].table.seed.encode() not in sent
    assert people[2].get("/games/2/record").status_code in (403, 409)
    assert [game["number"] for game in people[2].get("/games").json()["games"]] == [1]


def test_nobody_sees_hands_before_the_end_and_spectators_only_where_agreed(
    server: LiveServer,
) -> None:
    for watching in ("table", "open"):
        people = server.people(2, watching=watching)
        outsider = server.spectator(people[0].code)
        play_on(people, Random(9), 30)
        assert people[0].look()["hands"] is None
        assert people[0].look()["table"]["seed"] is None
        play_on(people, Random(9))
        assert len(people[0].look()["hands"]) == 2
        assert people[0].look()["table"]["seed"]
        assert (outsider.look()["hands"] is not None) == (watching == "open")
    assert json.dumps(outsider.look()["own"]) == "null"
