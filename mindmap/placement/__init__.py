"""Where passages belong, and how the map keeps its shape while it grows."""
