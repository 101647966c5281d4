"""What the journal asks of a database, and the two that it can be kept in: SQLite and PostgreSQL."""
