"""Our speakers at an AutoGen table."""
