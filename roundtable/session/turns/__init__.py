"""A turn: who is called, what a person asked for before it, and what becomes of it in the journal."""
