"""How fresh sources are, and what weight they have."""
