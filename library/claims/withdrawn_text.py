"""A text without claims that stand no longer, and without what counted or leaned on them."""

import re
from collections.abc import Callable, Iterable

from library.evidence import cited_claims, claimed, strip_citations, without_mark

_CLAUSE_BREAKS = ",;:，；：、。.!?！？"
_LEAST_LEFT = 6
"""Letters of a sentence without a clause of it that still say something."""
_COUNTED = (
    (re.compile(r"\b(?:first|firstly|one|the most|the \w{3,30}est)\b|第一|首先|其一|一是|最", re.IGNORECASE),
     r"second|secondly|other|第二|其二|其次|二是|另一"),
    (re.compile(r"\b(?:second|secondly|two|other)\b|第二|其二|其次|二是|另一", re.IGNORECASE),
     r"third|thirdly|第三|其三|再次|三是"),
    (re.compile(r"\b(?:third|thirdly|three)\b|第三|其三|再次|三是", re.IGNORECASE),
     r"fourth|fourthly|第四|其四|四是"),
)  # fmt: skip
"""What a count goes on from, and the words that go on; of what is named (`the second pump`) it is none."""
_COUNTS_ON = tuple(
    (before, re.compile(
        rf"\s{{0,3}}(?:(?:the|an?) )?(?:{words})(?: one)?(?:[,，、]\s?|(?=\s(?:is|was|are|were)\b|[是为]))",
        re.IGNORECASE,
    ))
    for before, words in _COUNTED
)  # fmt: skip
_LED_TO = re.compile(r":\s|[：—]\s?")


def without_claims(
    text: str, claims: Iterable[str], sentences: Callable[[str], list[tuple[int, int]]]
) -> str:
    """Return a text without the sentences that make one of these claims, whatever they cite.

    A claim that is a clause of a longer sentence goes alone, with the mark of a conclusion; what stands
    before or behind it stays. What counts on from there (`The second is …`) loses its count, or goes where it
    would say nothing without.

    Args:
        text: With citations.
        claims: Sentences or clauses, with citations and marks or without.
        sentences: Finds the spans of a text's sentences (`library.text.sentences.sentences`).
    """
    gone = {claimed(claim).casefold(): claimed(claim) for claim in claims}
    if not gone:
        return text
    kept: list[str] = []
    counts = False
    for claim in cited_claims(text, sentences):
        whole = claimed(claim).casefold() in gone
        left = "" if whole else _without_clauses(claim, gone.values())
        counts = counts or left != claim
        kept.append(_uncounted(left, "".join(kept)) if counts and left == claim else left)
    return "".join(kept).strip()


def _without_clauses(sentence: str, clauses: Iterable[str]) -> str:
    """Return a sentence without some of its clauses; '' where nothing is left."""
    for clause in clauses:
        words = clause.strip().rstrip(_CLAUSE_BREAKS)
        at = sentence.find(words) if words else -1
        if at < 0 or words == sentence.strip():
            continue
        before = sentence[:at].rstrip()
        behind = without_mark(sentence[at + len(words) :])
        bare = strip_citations(before).rstrip()
        if not bare and (rest := behind.lstrip(f"{_CLAUSE_BREAKS} ")) and not rest.startswith("["):
            behind = rest[:1].upper() + rest[1:]  # what it led to begins the sentence now
        if bare and bare[-1] not in _CLAUSE_BREAKS:
            continue  # it begins within a clause
        head = before.rstrip(",;:，；：、 ") if behind.strip(" .。")[:1] in ("", "[") else before
        left = f"{head}{behind}"
        if sum(c.isalpha() for c in strip_citations(left)) < _LEAST_LEFT:
            return ""
        sentence = left
    return sentence


def _uncounted(sentence: str, before: str) -> str:
    """Return a sentence without a count whose beginning is gone; '' where it would say nothing without."""
    for begun, counts_on in _COUNTS_ON:
        if (counted := counts_on.match(sentence)) is None or begun.search(strip_citations(before)):
            continue
        rest = sentence[counted.end() :]
        if counted[0].rstrip()[-1] not in ",，、":
            led = _LED_TO.search(rest)
            rest = rest[led.end() :] if led else ""
        space = sentence[: len(sentence) - len(sentence.lstrip())]
        return f"{space}{rest[:1].upper()}{rest[1:]}" if rest else ""
    return sentence
