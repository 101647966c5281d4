"""How like texts are: weights of terms, vectors, vectors of words, groups."""
