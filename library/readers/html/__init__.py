"""A page as text: what is its own and what stands around it, its tables, and what it says of itself."""
