"""Commands about texts and things of the world: not about a session."""
