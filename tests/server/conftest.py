"""Servers for the tests."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from support.server_helpers import House


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A server for all tests that leave it as it is."""
    running = House(tmp_path_factory.mktemp("house"))
    yield running
    running.stop()


@pytest.fixture
def own_house(tmp_path: Path) -> Iterator[House]:
    """A server of a test's own, to be stopped, broken or looked into."""
    running = House(tmp_path)
    yield running
    running.stop()
