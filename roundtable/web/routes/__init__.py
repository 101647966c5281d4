"""What the addresses of the page answer, by what is asked about: the way in, sessions, collections."""
