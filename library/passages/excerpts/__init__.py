"""Of a passage what a prompt shows: all of it, its sentences that matter, its lists whole."""
