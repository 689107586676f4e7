"""Tables and their events."""

import sqlalchemy as sa
from alembic import op

revision = "201"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "tables",
        sa.Column("code", sa.String(16), primary_key=True),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("changed", sa.BigInteger, nullable=False),
        sa.Column("listed", sa.BigInteger, nullable=False),
    )
    op.create_index("tables_by_state", "tables", ["state", "changed"])
    op.create_table(
        "events",
        sa.Column("table_code", sa.String(16), primary_key=True),
        sa.Column("number", sa.BigInteger, primary_key=True),
        sa.Column("command", sa.String(100), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
    )
    op.create_index("events_by_command", "events", ["table_code", "command"], unique=True)


def downgrade() -> None:
    op.drop_table("events")
    op.drop_table("tables")
