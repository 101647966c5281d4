"""What a person sees in a terminal: a pure function of the session's events."""
