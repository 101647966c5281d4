"""What nodes are called."""
