"""What events add up to: a session's state and its parts."""
