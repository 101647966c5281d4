"""Sections, lead and last pass: how a report's text comes to be, and is mended."""
