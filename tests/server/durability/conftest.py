"""Every test that wants a `database` runs on both kinds."""

from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from baghdad.server.storage.event_store import async_url, database_url
from support.runtime import new_database, postgres

_names = count(1)


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Any]:
    with postgres() as server:
        yield server


@pytest.fixture
def sqlite(tmp_path: Path) -> str:
    return database_url(tmp_path)


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database."""
    if request.param == "sqlite":
        return database_url(tmp_path)
    server = request.getfixturevalue("postgresql")
    return async_url(new_database(server, f"test{next(_names)}"))
