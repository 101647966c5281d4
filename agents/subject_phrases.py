"""What a group of texts is about, in phrases that can stand in a title or a question."""

from collections.abc import Sequence

from library.text import reads_as_name
from models import Statistics


def subjects(
    texts: Sequence[str], statistics: Statistics, *, against: Sequence[str] = (), taken: Sequence[str] = ()
) -> list[str]:
    """Return phrases that set texts apart from others, those of several words first.

    Of these those come first that several of the texts say: a name that stands in one of them, as in its list
    of references, is what none of the others is about. Phrases that only repeat the words of one of the
    `taken` texts are left out.
    """
    known = [set(statistics.terms(text)) for text in taken]
    folded = [text.casefold() for text in texts]
    found: list[tuple[tuple[int, bool], str]] = []
    for phrase in statistics.phrases(texts, 16, against=against):
        terms = set(statistics.terms(phrase))
        if terms and not any(terms <= old for old in known):
            alone = sum(phrase.casefold() in text for text in folded) < 2
            found.append(((_rank(phrase, len(terms)), alone), phrase))
    return [phrase for _, phrase in sorted(found, key=lambda item: item[0])]


def _rank(phrase: str, terms: int) -> int:
    """Return 0 for a phrase that says what is meant, 1 for a word that may, 2 for one that hardly does."""
    if not reads_as_name(phrase):
        return 2
    return 0 if terms > 1 and " " in phrase else 1
