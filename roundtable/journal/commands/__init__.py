"""What a person can do in a session, as data."""
