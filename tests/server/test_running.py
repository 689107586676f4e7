"""`baghdad serve` as an operator meets it: starting, looking after, stopping."""

import json
import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from baghdad.cli import main
from baghdad.cli.files import UsageError
from baghdad.cli.serve import take_port
from baghdad.server.storage.errors import StorageError
from baghdad.server.storage.event_store import DATABASE, EventStore
from support.live_server import FAR, NO_TLS, LiveServer


class Serving:
    """A server in a process of its own."""

    def __init__(self, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "baghdad", "--lang", "en", "serve", *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ | {"PYTHONUNBUFFERED": "1"},
        )
        assert self.process.stdout is not None
        self.said = self.process.stdout.readline()
        self.url = re.findall(r"(http\S+?)/?(?:\s|$)", self.said)[0]
        self.http = httpx.Client(base_url=self.url, timeout=FAR, verify=NO_TLS)

    def stop(self, how: signal.Signals = signal.SIGTERM) -> tuple[int, str]:
        self.process.send_signal(how)
        return self.ended()

    def ended(self) -> tuple[int, str]:
        """Exit code, and what was logged."""
        self.http.close()
        _, logged = self.process.communicate(timeout=FAR)
        return self.process.returncode, logged


@contextmanager
def serving(*arguments: str) -> Iterator[Serving]:
    running = Serving(*arguments)
    try:
        yield running
    finally:
        running.http.close()
        running.process.kill()
        running.process.wait()
        for pipe in (running.process.stdout, running.process.stderr):
            if pipe is not None:
                pipe.close()


def test_it_starts_serves_and_stops_in_peace(tmp_path: Path) -> None:
    with serving("--port", "0", "--data", str(tmp_path)) as running:
        assert running.url.startswith("http://127.0.0.1:")
        http = running.http
        welcome = http.post("/api/tables", json={"name": "Ali"}).json()
        address = running.url.replace("http", "ws")
        with connect(f"{address}/api/tables/{welcome['code']}/socket", proxy=None) as raw:
            assert json.loads(raw.recv(timeout=FAR))["type"] == "snapshot"
            running.process.send_signal(signal.SIGTERM)
            with pytest.raises(ConnectionClosed):
                raw.recv(timeout=FAR)
            assert raw.close_code == 1012
        code, logged = running.ended()
    assert code == 0
    lines = [json.loads(line) for line in logged.splitlines()]
    assert {"at", "level", "from", "message"} <= set(lines[0])
    assert [line["message"] for line in lines if line["from"].startswith("baghdad")] == [
        "ready",
        "stopped",
    ]
    assert welcome["keys"][0]["secret"] not in logged
    assert (tmp_path / "baghdad.db").exists()


def test_health_readiness_and_figures(
    own_server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    own_server.people(2)
    with own_server.client() as http:
        assert http.get("/health").json() == {"status": "alive"}
        assert http.get("/ready").json() == {"status": "ready"}
        figures = http.get("/metrics").text
        for name in (
            'baghdad_commands_total{result="accepted"}',
            'baghdad_events_total{kind="started"}',
            "baghdad_sockets ",
            "baghdad_tables ",
            "baghdad_database_writable 1.0",
            "baghdad_slow_clients_total ",
            "baghdad_commit_seconds_bucket",
            "baghdad_bot_seconds",
            "baghdad_bots_replaced",
        ):
            assert name in figures

        async def full(_: EventStore) -> None:
            raise StorageError("database or disk is full")

        monkeypatch.setattr(EventStore, "check_writing", full)
        told = http.get("/ready", params={"lang": "de"})
        assert (told.status_code, told.json()["key"]) == (503, "server.no_writing")
        assert "voll" in told.json()["reason"]
        assert http.get("/health").status_code == 200


def test_a_port_that_is_taken(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = str(other.getsockname()[1])
        assert main(["--lang", "en", "serve", "--port", port, "--data", str(tmp_path)]) == 2
    said = capsys.readouterr().err
    assert port in said
    assert "Traceback" not in said


def test_a_port_is_taken_from_the_start() -> None:
    """Nobody else gets it while the server starts, and whoever comes early waits."""
    with take_port("127.0.0.1", 0, "en", search=False) as taken:
        host, port = taken.getsockname()
        socket.create_connection((host, port)).close()
        with pytest.raises(UsageError):
            take_port(host, port, "en", search=False)
        with take_port(host, port, "en", search=True) as next_one:
            assert port < next_one.getsockname()[1] < port + 20


@pytest.mark.skipif(not socket.has_dualstack_ipv6(), reason="no IPv6 here")
def test_every_address_includes_the_old_ones() -> None:
    with take_port("::", 0, "en", search=False) as taken:
        socket.create_connection(("127.0.0.1", taken.getsockname()[1])).close()


@pytest.mark.parametrize(
    "url",
    [
        "mysql://localhost/baghdad",
        "nonsense",
        "postgresql://nobody@127.0.0.1:1/baghdad",
        "sqlite:////nowhere/at/all.db",
    ],
)
def test_a_database_that_is_not_there(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    for command in (["serve", "--port", "0"], ["export"]):
        assert main(["--lang", "en", *command, "--database-url", url]) == 2
        said = capsys.readouterr().err
        assert url in said
        assert "Traceback" not in said


@pytest.mark.parametrize(
    ("language", "word"),
    [
        ("en", "stored by an earlier edition of Baghdad"),
        ("de", "frühere Ausgabe von Baghdad gespeichert"),
        ("nl", "eerdere uitgave van Baghdad bewaard"),
        ("cs", "dřívější vydání programu Baghdad"),
    ],
)
def test_a_database_of_an_earlier_edition_is_refused_with_a_clear_word(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], language: str, word: str
) -> None:
    with sqlite3.connect(tmp_path / DATABASE) as database:  # as the first edition left it
        database.execute("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)")
        database.execute("INSERT INTO alembic_version VALUES ('001')")
        database.execute("CREATE TABLE tables (code VARCHAR(16) NOT NULL)")
    database.close()
    before = (tmp_path / DATABASE).stat().st_size
    for command in (["serve", "--port", "0"], ["export"]):
        assert main(["--lang", language, *command, "--data", str(tmp_path)]) == 2
        said = capsys.readouterr().err
        assert word in said
        assert str(tmp_path / DATABASE) in said
        assert "--data" in said
    assert (tmp_path / DATABASE).stat().st_size == before


@pytest.mark.parametrize(
    ("language", "word"),
    [
        ("en", "update Baghdad"),
        ("de", "Aktualisiere Baghdad"),
        ("nl", "werk Baghdad bij"),
        ("cs", "aktualizuj Baghdad"),
    ],
)
def test_a_database_of_a_newer_version_asks_for_an_update(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], language: str, word: str
) -> None:
    with sqlite3.connect(tmp_path / DATABASE) as database:
        database.execute("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)")
        database.execute("INSERT INTO alembic_version VALUES ('999')")
    database.close()
    assert main(["--lang", language, "serve", "--port", "0", "--data", str(tmp_path)]) == 2
    said = capsys.readouterr().err
    assert word in said
    assert "--data" in said


def test_an_export_makes_no_database(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    nowhere = tmp_path / "typo"
    assert main(["--lang", "en", "export", "--data", str(nowhere)]) == 2
    assert str(nowhere) in capsys.readouterr().err
    assert not nowhere.exists()


def test_a_password_is_not_shown(capsys: pytest.CaptureFixture[str]) -> None:
    for scheme in ("postgresql", "mysql"):
        url = f"{scheme}://ali:sesame@127.0.0.1:1/baghdad"
        for command in (["serve", "--port", "0"], ["export"]):
            assert main(["--lang", "en", *command, "--database-url", url]) == 2
            said = capsys.readouterr().err
            assert f"{scheme}://ali:***@127.0.0.1:1/baghdad" in said
            assert "sesame" not in said


@pytest.mark.parametrize("port", ["70000", "-1", "http"])
def test_a_port_that_is_none(port: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--lang", "en", "serve", f"--port={port}"])
    assert f"a whole number from 0 to 65535, not {port}" in capsys.readouterr().err


def test_a_folder_that_is_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "file"
    file.write_text("")
    assert main(["--lang", "en", "serve", "--port", "0", "--data", str(file)]) == 2
    assert str(file) in capsys.readouterr().err
