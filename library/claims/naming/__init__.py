"""Names: abbreviations and what they stand for, names of people and things, names with a number."""
