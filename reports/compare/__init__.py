"""Things side by side: a table of what sources say of each, every cell quoted and checked."""
