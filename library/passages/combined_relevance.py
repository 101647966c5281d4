"""How well texts fit a query by their words and by what they mean, taken together."""

from collections.abc import Sequence

from models import Statistics


def combined_relevance(query: str, texts: Sequence[str], statistics: Statistics) -> list[float]:
    """Return how well each text fits a query, 0 to 1: comparable among these texts alone.

    Each measure counts as a share of the best that one of the texts has of it, and half of the whole. Words
    tell rare names and figures, meaning tells who answers in other words. The whole is squared: all texts of
    a collection mean something alike, so that half as near is far. Where meanings are not known
    (`Statistics.meaning`), the cosines by words as they are.

    Args:
        query: What is asked or searched for.
        texts: To be weighed against each other; for a passage `title. text`, as searches read it.
        statistics: Weighs words and meanings.
    """
    by_words = statistics.relevance(query, texts)
    by_meaning = statistics.meaning(query, texts)
    if by_meaning is None:
        return by_words
    most, nearest = max(by_words), max(by_meaning)
    shares = [
        (words / most if most > 0 else 0.0, max(0.0, meaning) / nearest if nearest > 0 else 0.0)
        for words, meaning in zip(by_words, by_meaning, strict=True)
    ]
    return [(sum(pair) / 2) ** 2 for pair in shares]
