"""Programs at tables: the client, the example, the export."""

import ast
import json
import subprocess
import sys
import threading
from pathlib import Path
from random import Random

import httpx
import pytest

from baghdad import CHANCE, Game, client
from baghdad.cli import main
from baghdad.client import Table, TableError
from baghdad.rules.position import view_from_shown
from support.live_server import (
    FAR,
    LiveServer,
    play_on,
    sensible,
)

EXAMPLE = Path(__file__).parents[2] / "examples" / "online_bot.py"


def play_out(table: Table, seed: int) -> None:
    random = Random(seed)
    for _, legal in table.turns():
        table.play(sensible(legal, random))


def test_the_example_has_at_most_twenty_lines_of_code() -> None:
    tree = ast.parse(EXAMPLE.read_text())
    lines = set()
    for node in ast.walk(tree):
        docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if isinstance(node, ast.stmt) and not docstring:
            lines.add(node.lineno)
    assert len(lines) <= 20


def test_the_example_plays_a_whole_game(server: LiveServer) -> None:
    with Table.create(server.url, "Ali", start="order") as host:
        bot = subprocess.Popen(
            [sys.executable, str(EXAMPLE), server.url, host.code], stdout=subprocess.PIPE, text=True
        )
        try:
            while len([c for c in host._seen["table"]["chairs"] if c["kind"] == "human"]) < 2:
                host.wait()
            host.start()
            play_out(host, 1)
            output, _ = bot.communicate(timeout=FAR)
        finally:
            bot.kill()
            bot.wait()
    assert bot.returncode == 0
    assert output.strip() == ("won" if host.winner == 1 else "lost")
    assert '[Seats "Ali, First steps"]' in host_record(server, host)


def test_a_program_gives_up_or_agrees_to_an_end(server: LiveServer) -> None:
    with Table.create(server.url, "Ali", start="order") as ali:
        with Table.join(server.url, ali.code, "Bea") as bea:
            ali.refresh()
            ali.start()
            bea.refresh()
            bea.propose_end()
            ali.refresh()
            assert ali.proposal is not None
            assert (ali.proposal["person"], ali.proposal["people"]) == (1, [0])
            ali.answer_end(yes=False)
            with pytest.raises(TableError, match="R28: nobody is proposing"):
                ali.answer_end(yes=True)
            bea.refresh()
            bea.resign()
            assert (bea.state, bea.termination, bea.resigned) == ("over", "resigned", [1])
            assert list(bea.turns()) == []
        ali.refresh()
        assert ali.winner == 0
        assert not ali.proposal
        assert Game.from_record(ali.record()).termination == "resigned"


def host_record(server: LiveServer, host: Table) -> str:
    with Table(server.url, host.code, host.secret) as again:
        return again.record()


def test_the_client_says_which_rule_is_broken(server: LiveServer) -> None:
    with Table.create(server.url, "Ali", start="order") as one:
        assert one.link == f"{server.url}/t/{one.code}"
        with pytest.raises(TableError, match="chairs are still open"):
            one.start()
        with Table.join(server.url, one.code, "Bea") as two:
            one.refresh()
            one.start()
            two.refresh()
            with pytest.raises(TableError, match="R5"):
                two.play("@R")
            one.play("@R")
            two.wait()
            two.say("well done")
            with pytest.raises(TableError, match="not over"):
                one.record()
            with pytest.raises(TableError, match="no table"):
                Table.join(server.url, "BBBBBB", "Cem")


def test_a_decision_outlives_what_does_not_concern_it(server: LiveServer) -> None:
    with (
        Table.create(server.url, "Ali", players=3, start="order") as host,
        Table.join(server.url, host.code, "Bea") as bea,
        Table.join(server.url, host.code, "Cem") as cem,
    ):
        host.refresh()
        host.start()
        for table in (bea, cem):
            table.refresh()
        host.send("hush", off=True)
        host.play("@R")
        bea.wait()
        while not bea.legal:
            bea.wait()
        host.send("hush", off=False)
        bea.play("@G")  # decided before the host spoke
        with pytest.raises(TableError, match="R5"):
            bea.play("@W")


def test_an_address_without_its_protocol_is_told_at_once() -> None:
    with pytest.raises(TableError, match="is not an address"):
        Table.join("localhost:8080", "BBBBBB", "Cem")


def test_the_client_waits_for_a_server_behind_a_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = [
        httpx.Response(502, html="<h1>Bad Gateway</h1>"),
        httpx.Response(504, text=""),
        httpx.Response(200, json={"tables": []}),
    ]
    monkeypatch.setattr("baghdad.client.FIRST_PAUSE", 0.0)
    transport = httpx.MockTransport(lambda _: answers.pop(0))
    with httpx.Client(base_url="http://there", transport=transport) as http:
        assert client._patiently(http, "GET", "/api/tables") == {"tables": []}
        answers.append(httpx.Response(200, html="somebody else's page"))
        with pytest.raises(TableError, match="http://there answers 200"):
            client._patiently(http, "GET", "/api/tables")


def test_the_client_outlives_a_restart(own_server: LiveServer) -> None:
    """The server goes away in the middle of a game, comes back, and the game goes on."""
    port = int(own_server.address.partition(":")[2])
    one = Table.create(own_server.url, "Ali", start="order")
    two = Table.join(own_server.url, one.code, "Bea")
    one.refresh()
    one.start()
    anew = list[LiveServer]()
    restarting = threading.Event()

    def play(table: Table, seed: int) -> None:
        random = Random(seed)
        for moves, (_, legal) in enumerate(table.turns()):
            if moves == 12:
                restarting.set()
            table.play(sensible(legal, random))

    threads = [threading.Thread(target=play, args=(table, n)) for n, table in enumerate((one, two))]
    for thread in threads:
        thread.start()
    assert restarting.wait(FAR)
    own_server.stop()
    anew.append(LiveServer(own_server.folder, port=port))
    try:
        for thread in threads:
            thread.join(2 * FAR)
            assert not thread.is_alive()
        assert one.state == two.state == "over"
        assert one.winner == two.winner
        assert Game.from_record(one.record()).over
    finally:
        one.close()
        two.close()
        anew[0].stop()


def test_the_export_loses_nothing(own_server: LiveServer, tmp_path: Path) -> None:
    first = own_server.people(2)
    play_on(first, Random(1))
    for guest in reversed(first):
        guest.wants("rematch")
    first[0].wants("start")
    play_on(first, Random(2))
    second = own_server.people(4, variant="neutral", hands="seen")
    play_on(second, Random(3))
    unfinished = own_server.people(2)
    play_on(unfinished, Random(4), 30)
    records = [guest.get("/record").text for guest in (first[0], second[0])]
    output = tmp_path / "games.jsonl"
    assert main(["export", "--data", str(own_server.folder), "-o", str(output)]) == 0
    games = [json.loads(line) for line in output.read_text().splitlines()]
    assert [(game["table"], game["game"]) for game in games] == [
        (first[0].code, 1),
        (first[0].code, 2),
        (second[0].code, 1),
    ]
    without = [game["record"].replace('[Puzzles "no, no"]\n', "") for game in games]
    without[2] = games[2]["record"].replace('[Puzzles "no, no, no, no"]\n', "")
    assert without[1:] == records
    for exported in games:
        game = Game.from_record(exported["record"])
        assert game.record() == exported["record"]
        assert exported["winner"] == game.winner
        twin, steps = Game.with_options(game.options), iter(exported["steps"])
        for token in game.tokens:
            if twin.to_move != CHANCE:
                step = next(steps)
                seat = step["seat"]
                assert seat == twin.to_move
                assert view_from_shown(step["shown"], seat, step["hand"]) == twin.view(seat)
                assert step["legal"] == twin.legal()
                before = twin.copy()
                before.play(step["action"])
                assert before.tokens[-1] == token
            twin.play(token)
        assert next(steps, None) is None


def exported_answers(server: LiveServer, folder: Path) -> list[str]:
    """What people have said of each game, as the export has it."""
    assert main(["export", "--data", str(server.folder), "-o", str(folder / "games.jsonl")]) == 0
    lines = (folder / "games.jsonl").read_text().splitlines()
    return [Game.from_record(json.loads(line)["record"]).headers["Puzzles"] for line in lines]


def test_the_export_says_who_lets_puzzles_be_made_of_a_game(
    own_server: LiveServer, tmp_path: Path
) -> None:
    people = own_server.people(2)
    for each in people:
        assert each.refusal("lend", game=1, yes=True) == "not_over"
    play_on(people, Random(1))
    assert exported_answers(own_server, tmp_path) == ["no, no"]
    seats = {guest.look()["own"]["seat"]: guest for guest in people}
    seats[1].wants("lend", game=1, yes=True)
    assert seats[1].refusal("lend", game=1, yes=True) == "answered"
    assert people[0].refusal("lend", game=2, yes=True) == "no_game"
    assert exported_answers(own_server, tmp_path) == ["no, yes"]
    seats[0].wants("lend", game=1, yes=True)
    assert exported_answers(own_server, tmp_path) == ["yes, yes"]
    # Also after another game has begun.
    for guest in reversed(people):
        guest.wants("rematch")
    people[0].wants("start")
    (first, _) = people[0].get("/games").json()["games"]
    assert sorted(first["lent"]) == sorted(first["people"])
    seats[0].wants("lend", game=1, yes=False)
    play_on(people, Random(2))
    assert exported_answers(own_server, tmp_path) == ["no, yes", "no, no"]
