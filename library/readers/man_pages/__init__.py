"""Manual pages as `man` shows them, read from their source."""
