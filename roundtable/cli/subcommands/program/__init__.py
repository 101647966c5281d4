"""Commands about the program and what it may read."""
