"""What a session leaves behind: files to read, and lines that tell what happened."""
