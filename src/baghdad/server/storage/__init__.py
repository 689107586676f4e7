"""Events in a database: SQLite or PostgreSQL."""
