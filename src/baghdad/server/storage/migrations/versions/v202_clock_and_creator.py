"""Which tables have a clock, and which are of one creator: found without replaying.

Creators of tables that were there before are not known.
"""

import json

import sqlalchemy as sa
from alembic import op

revision = "202"
down_revision = "201"
branch_labels = None
depends_on = None

AT_A_TIME = 1000
"""Tables that are read together: memory stays small."""


def upgrade() -> None:
    op.add_column("tables", sa.Column("creator", sa.String(16)))
    # The default is for those that are there; the server always says.
    clock = sa.Column("clock", sa.BigInteger, nullable=False, server_default="0")
    op.add_column("tables", clock)
    connection, after = op.get_bind(), ""
    first = sa.text(
        "SELECT table_code, body FROM events WHERE number = 1 AND table_code > :after"
        " ORDER BY table_code LIMIT :most"
    )
    while rows := connection.execute(first, {"after": after, "most": AT_A_TIME}).all():
        clocked = [{"code": code} for code, body in rows if has_clock(bytes(body))]
        if clocked:
            connection.execute(sa.text("UPDATE tables SET clock = 1 WHERE code = :code"), clocked)
        after = rows[-1][0]


def has_clock(body: bytes) -> bool:
    """Whether the event that set a table up agrees on one."""
    agreement = json.loads(body).get("agreement", {})
    return bool(agreement.get("move_seconds") or agreement.get("game_seconds"))


def downgrade() -> None:
    op.drop_column("tables", "clock")
    op.drop_column("tables", "creator")
