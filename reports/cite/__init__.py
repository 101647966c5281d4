"""Sources numbered by their first citation, their authors named."""
