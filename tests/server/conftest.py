"""Servers for the tests."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from baghdad.server.bus import bus
from baghdad.server.runtime import members
from baghdad.server.storage import ownership
from support.cluster import NatsServer, nats_server
from support.live_server import LiveServer
from support.runtime import postgres


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A server for all tests that leave it as it is."""
    running = LiveServer(tmp_path_factory.mktemp("server"))
    yield running
    running.stop()


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[LiveServer]:
    """A server of a test's own, to be stopped, broken or looked into."""
    running = LiveServer(tmp_path)
    yield running
    running.stop()


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Any]:
    with postgres() as server:
        yield server


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Processes are gone, or cut off, where a test says so: not who is slow on a busy machine."""
    for module in (members, ownership):
        monkeypatch.setattr(module, "LEASE_SECONDS", 600.0)
    monkeypatch.setattr(bus, "SILENT_SECONDS", 600.0)


@pytest.fixture(scope="session")
def nats() -> Iterator[NatsServer]:
    with nats_server() as server:
        yield server
