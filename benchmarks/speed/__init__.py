"""How long one of a thing takes, and what it weighs: a start, a session, an index, the page, an export."""
