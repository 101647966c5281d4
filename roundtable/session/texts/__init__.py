"""Texts of anybody, and things, held against sources: no discussion, no journal."""
