"""Worker processes that parsers run in: what crashes, hangs or eats memory costs itself alone."""
