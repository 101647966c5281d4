"""What a text claims, for whom and when; which claims disagree, and how fresh they are."""
