"""Somebody's text held against its sources: its references, and what it claims."""
