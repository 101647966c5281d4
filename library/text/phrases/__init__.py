"""Phrases of texts that stand for a subject, and whether one reads as a name."""
