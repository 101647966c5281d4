"""Sessions brought up to date: what became of their sources, and when that is looked for by itself."""
