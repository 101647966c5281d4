"""The contract of everything that can be searched, and what searches."""
