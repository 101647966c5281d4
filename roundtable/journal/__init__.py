"""What happened in every session: events, the file that keeps them, and the state they fold to."""
