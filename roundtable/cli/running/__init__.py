"""Running sessions for a person: alone or in a batch, from the terminal, until the files are written."""
