"""Which passages a prompt shows of all that was admitted, how much of each, and in which order."""
