"""Who asks, and what each may do: the one place where every address of the server is judged."""
