"""A session at work: who is called, what they work with, and what becomes of their turns."""
