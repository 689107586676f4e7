"""Alembic runs this: the migrations happen in the connection that it was given."""

from alembic import context

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=None,
    transaction_per_migration=False,
)
with context.begin_transaction():
    context.run_migrations()
