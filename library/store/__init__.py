"""What was read, kept: texts once, their passages, and the index of each collection."""
