"""What becomes of answers and of the whole discussion: judged, weighed, asked again, reviewed."""
