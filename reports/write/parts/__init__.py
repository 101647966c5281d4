"""What stands around the sections: answer, disagreements, gaps, what was left out, end matter."""
