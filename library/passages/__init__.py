"""How sources are cut into passages, and which passages and sentences are worth showing or quoting."""
