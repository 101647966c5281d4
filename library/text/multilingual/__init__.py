"""Languages: which one a text is in, its script and its empty words, and what the program says in each."""
