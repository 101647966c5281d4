"""Sessions in the server: those that run, those at rest, and the thread that they run in."""
