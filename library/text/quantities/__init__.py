"""Numbers, units and dates in a text, as values."""
