"""What a command says in a line or two: before a session, while it reads, of a session in a list."""
