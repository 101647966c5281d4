"""Text as words, sentences, figures and vectors: the one analysis that everything else shares."""
