"""What can be set, where it comes from, and where a user's files are."""
