"""Backups: whole, of one moment, for their owner alone, while the server goes on."""

import asyncio
import os
import sqlite3
import stat
import threading
from contextlib import closing
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import pytest

from baghdad.cli import main
from baghdad.server.domain.events import Hushed, StoredEvent
from baghdad.server.storage import backup
from baghdad.server.storage.backup import copy_database
from baghdad.server.storage.event_store import DATABASE, EventStore, database_url
from support.programs import ROOT
from support.runtime import in_loop

LONG = 120
"""Seconds after which something hangs."""


async def filled(folder: Path, events: int) -> EventStore:
    storage = await EventStore.open(database_url(folder))
    for number in range(1, events + 1):
        stored = StoredEvent(number, number, Hushed(True), f"command {number}")
        await storage.append("TABLEB", stored, "gathering", listed=False)
    return storage


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    folder.mkdir()
    return folder


@in_loop
async def test_a_backup_is_one_private_file_with_all_that_was_stored(
    data: Path, tmp_path: Path
) -> None:
    storage, file = await filled(data, 20), tmp_path / "backup.db"
    command = ("backup", "--data", str(data), str(file))
    assert await asyncio.to_thread(main, command) == 0
    await storage.close()
    assert sorted(each.name for each in tmp_path.iterdir()) == ["backup.db", "data"]
    if os.name == "posix":
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    (tmp_path / "other").mkdir()
    file.rename(tmp_path / "other" / DATABASE)
    restored = await EventStore.open(database_url(tmp_path / "other"))
    assert [each.number for each in await restored.events("TABLEB")] == list(range(1, 21))
    await restored.close()


@in_loop
async def test_a_backup_comes_to_its_end_though_others_write_all_the_time(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite's own begins again from the front whenever somebody else has written."""
    monkeypatch.setattr(backup, "PAGES", 1)
    await (await filled(data, 50)).close()
    source, stop = data / DATABASE, threading.Event()

    def write() -> None:
        with closing(sqlite3.connect(source, isolation_level=None, timeout=LONG)) as writing:
            writing.execute("PRAGMA synchronous=OFF")
            while not stop.is_set():
                writing.execute("UPDATE tables SET changed = changed + 1")

    writer = threading.Thread(target=write, daemon=True)
    copying = threading.Thread(target=copy_database, args=(source, tmp_path / "copy"), daemon=True)
    writer.start()
    copying.start()
    await asyncio.to_thread(copying.join, LONG)
    finished = not copying.is_alive()
    stop.set()
    writer.join()
    assert finished
    with closing(sqlite3.connect(tmp_path / "copy")) as copy:
        assert copy.execute("SELECT count(*) FROM events").fetchone() == (50,)


def test_what_can_not_be_backed_up_leaves_the_last_backup_alone(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "backup.db"
    file.write_text("the last one")
    assert main(("backup", "--data", str(tmp_path / "nowhere"), str(file))) == 2
    assert not (tmp_path / "nowhere").exists()
    (data / DATABASE).write_text("no database " * 1000)
    assert main(("backup", "--data", str(data), str(file))) == 2
    assert "not a database" in capsys.readouterr().err
    assert main(("backup", "--data", str(data), str(data / DATABASE))) == 2
    assert "the database itself" in capsys.readouterr().err
    assert main(("backup", "--data", str(data), str(tmp_path / "nowhere" / "file"))) == 2
    assert file.read_text() == "the last one"
    assert sorted(each.name for each in tmp_path.iterdir()) == ["backup.db", "data"]


@pytest.mark.skipif(os.name != "posix", reason="a script of the shell")
def test_postgresql_is_dumped_without_a_password_in_the_process_list(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    url, file = "postgresql://ali:sesame@localhost/baghdad", str(tmp_path / "backup")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert main(("backup", "--database-url", url, file)) == 2
    assert "pg_dump is needed" in capsys.readouterr().err
    program = tmp_path / "pg_dump"
    program.write_text(f'#!/bin/sh\necho "$PGPASSWORD $*" > {tmp_path}/told\n')
    program.chmod(0o700)
    assert main(("backup", "--database-url", url, file)) == 0
    password, *arguments = (tmp_path / "told").read_text().split()
    assert password == "sesame"
    assert "sesame" not in str(arguments)
    assert "--dbname=postgresql://ali@localhost/baghdad" in arguments
    program.write_text("#!/bin/sh\necho 'no such database' >&2\nexit 1\n")
    assert main(("backup", "--database-url", url, file)) == 2
    told = capsys.readouterr().err
    assert "no such database" in told
    assert "sesame" not in told


@pytest.fixture
def drill(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(ROOT))
    return import_module("benchmarks.restore")


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_server_goes_on_elsewhere_after_its_disk_is_lost(
    kind: str, drill: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("BAGHDAD_PLAIN", "1")
    monkeypatch.setenv("PATH", os.environ["PATH"])  # the drill adds to it
    assert drill.main(["--database", kind, "--tables", "2", "--seconds", "0.3"]) == 0
    assert "are lost with the disk" in capsys.readouterr().out


def test_the_drill_notices_what_is_missing(drill: Any) -> None:
    table = drill.Table("TABLEB", "127.0.0.1", {}, Random(1))
    table.acknowledged = {"0:a": (2, 1.0), "0:b": (3, 5.0)}
    kept = {"TABLEB": [StoredEvent(2, 0, Hushed(True), "0:a")]}
    assert any("gaps" in each for each in drill.compare([table], kept, until=2.0))
    lost = [each for each in drill.compare([table], kept, until=9.0) if "was event" in each]
    assert lost == ["TABLEB: 0:b was event 3"]
    assert drill.count_lost([table], kept) == 1
