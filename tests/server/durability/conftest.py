"""Every test that wants a `database` runs on both kinds."""

import tempfile
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from baghdad.server.storage.event_store import async_url, database_url
from support.runtime import new_database

_names = count(1)


@pytest.fixture
def folder() -> Iterator[Path]:
    """For a PostgreSQL of a test's own. As root it runs as somebody else, who has to reach it: the
    folders of pytest are closed to others whenever another run begins."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        yield Path(name)


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
