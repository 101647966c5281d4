"""What a group of texts is about, in phrases that can stand in a title or a question."""

from collections.abc import Sequence

from library.text import reads_as_name
from models import Statistics

_NEAR = 0.1
"""A name means nothing of a question below this cosine: people’s lie from -0.1 to 0.06 of two questions,
what is asked about from 0.17 to 0.55."""


def subjects(
    texts: Sequence[str],
    statistics: Statistics,
    *,
    against: Sequence[str] = (),
    taken: Sequence[str] = (),
    question: str = "",
) -> list[str]:
    """Return phrases that set texts apart from others, those of several words first.

    Of these those come first that several of the texts say: a name that stands in one of them, as in its list
    of references, is what none of the others is about. Phrases that only repeat the words of one of the
    `taken` texts are left out; beside a question (English) names too that mean nothing of it: who wrote the
    documents stands in their lists of authors and of changes.
    """
    known = [set(statistics.terms(text)) for text in taken]
    folded = [text.casefold() for text in texts]
    found: list[tuple[tuple[int, bool], str]] = []
    for phrase in statistics.phrases(texts, 16, against=against):
        terms = set(statistics.terms(phrase))
        if terms and not any(terms <= old for old in known):
            alone = sum(phrase.casefold() in text for text in folded) < 2
            found.append(((_rank(phrase, len(terms)), alone), phrase))
    best = [phrase for _, phrase in sorted(found, key=lambda item: item[0])]
    together = "\n".join(texts)
    names = {phrase for phrase in best if _is_name(phrase, together)} if question else set()
    near = statistics.meaning(question, best) if names else None
    if near is None:
        return best
    return [
        phrase
        for phrase, likeness in zip(best, near, strict=True)
        if likeness >= _NEAR or phrase not in names
    ]


def _is_name(phrase: str, text: str) -> bool:
    """Tell whether a phrase is a name of several words, which the text never writes with small letters."""
    words = phrase.split()
    return len(words) > 1 and all(word[:1].isupper() for word in words) and phrase.lower() not in text


def _rank(phrase: str, terms: int) -> int:
    """Return 0 for a phrase that says what is meant, 1 for a word that may, 2 for one that hardly does."""
    if not reads_as_name(phrase):
        return 2
    return 0 if terms > 1 and " " in phrase else 1
