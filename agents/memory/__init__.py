"""What experts keep in mind through a session, and what a prompt tells of the discussion."""
