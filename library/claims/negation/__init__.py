"""What is denied in one text and said in another."""
