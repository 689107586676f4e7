"""The database's tables, version by version (Alembic). A server brings them up to date itself.

The first digit of a version is the edition of the rules: events of another one can't be read.
Within an edition a server also runs on a schema that is one version newer than its own, since
servers are replaced one after another: a migration only adds what an older server may leave out.
"""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

LOCKS = {
    # Without it, a server killed in the middle would leave half of the tables behind: Python's
    # SQLite begins no transaction for them.
    "sqlite": "BEGIN IMMEDIATE",
    "postgresql": "SELECT pg_advisory_xact_lock(1218040000)",
}
"""What makes several servers that start at once wait for each other, by kind of database."""


class OtherVersionError(Exception):
    """The database has a schema from which this server has no migration."""

    def __init__(self, there: str, head: str | None) -> None:
        super().__init__(there)
        self.newer = there.isdecimal() and int(there) > int(head or 0)
        """Whether a newer server has made it, which could read it; else an earlier edition."""


def config(connection: Connection | None = None) -> Config:
    """Alembic's settings, which have no file."""
    settings = Config()
    settings.set_main_option("script_location", str(Path(__file__).parent))
    settings.attributes["connection"] = connection
    return settings


def upgrade(connection: Connection) -> None:
    """Bring the schema up to date, wholly or not at all; nothing happens where it is.

    Raises `OtherVersionError`, and changes nothing, where its version is unknown.
    """
    connection.exec_driver_sql(LOCKS[connection.dialect.name])
    settings = config(connection)
    scripts = ScriptDirectory.from_config(settings)
    known = {each.revision for each in scripts.walk_revisions()}
    there = MigrationContext.configure(connection).get_current_revision()
    head = scripts.get_current_head()
    if there is not None and there not in known:
        if there == str(int(head or 0) + 1):
            return
        raise OtherVersionError(there, head)
    command.upgrade(settings, "head")
