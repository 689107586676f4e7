"""Which process a table belongs to, and since which takeover: for several over one PostgreSQL."""

import sqlalchemy as sa
from alembic import op

revision = "203"
down_revision = "202"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "processes",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("until", sa.BigInteger, nullable=False),
        sa.Column("session", sa.BigInteger, nullable=False),
        sa.Column("linked", sa.BigInteger),
        sa.Column("version", sa.String(32), nullable=False),
    )
    op.add_column("tables", sa.Column("owner", sa.String(16)))
    # The default is for those that are there, and for servers that know nothing of owners.
    epoch = sa.Column("epoch", sa.BigInteger, nullable=False, server_default="0")
    op.add_column("tables", epoch)
    op.create_index("tables_by_owner", "tables", ["owner", "state"])
    op.add_column("events", sa.Column("epoch", sa.BigInteger))


def downgrade() -> None:
    op.drop_column("events", "epoch")
    op.drop_index("tables_by_owner", "tables")
    op.drop_column("tables", "epoch")
    op.drop_column("tables", "owner")
    op.drop_table("processes")
