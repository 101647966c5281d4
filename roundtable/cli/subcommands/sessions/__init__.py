"""Commands for sessions that are kept."""
