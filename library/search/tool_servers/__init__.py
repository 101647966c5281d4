"""Servers of the Model Context Protocol as places to search, and as readers of what they found."""
