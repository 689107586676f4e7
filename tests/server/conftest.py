"""Servers for the tests."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from support.live_server import LiveServer


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
