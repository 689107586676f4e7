"""What an event makes of a table: the next one. Pure: the same events make the same table."""
