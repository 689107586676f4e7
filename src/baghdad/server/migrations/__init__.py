"""The database's tables, version by version (Alembic). A server brings them up to date itself."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection


def config(connection: Connection | None = None) -> Config:
    """Alembic's settings; there is no file of them."""
    settings = Config()
    settings.set_main_option("script_location", str(Path(__file__).parent))
    settings.attributes["connection"] = connection
    return settings


def upgrade(connection: Connection) -> None:
    """Bring the tables up to date; nothing happens where they are."""
    command.upgrade(config(connection), "head")
