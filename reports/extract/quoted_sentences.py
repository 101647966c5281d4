"""Quotations that were chosen without a language model, as sentences of a report."""

from collections.abc import Collection, Sequence

from library import Evidence, quote
from library.passages import headings_above
from reports.document import Quotation, Sentence
from reports.extract.opening import OpeningQuotation


def quoted_sentences(
    quotations: Sequence[Quotation], evidence: Evidence, allowed: Collection[str], *, points: bool = False
) -> list[Sentence]:
    """Return quotations as sentences, each once, in order; what cites no allowed passage is left out.

    Each says under which heading of its source it stands, where the source has headings of its own. As
    `points`, each is a paragraph.
    """
    found: dict[str, Sentence] = {}
    for told in quotations:
        citations = [i for i in told.citations if i in allowed]
        if not citations:
            continue
        words = told.words if told.form == "code" else quote(told.words)
        sentence = Sentence(
            text=words,
            citations=citations,
            paragraph=told.opens or points,
            form=told.form,
            under=_heading(told.words, citations[0], evidence),
            heads=told.heads,
        )
        found.setdefault(words, sentence)
    return list(found.values())


def _heading(words: str, passage_id: str, evidence: Evidence) -> str:
    passage = evidence.passages[passage_id]
    source = evidence.sources.get(passage.sha256)
    if source is None:
        return ""
    begins = words.split()
    told = " ".join(begins)
    places = _places(passage.text, begins[0] if begins else "")
    inside = next((at for at in places if " ".join(passage.text[at:].split()).startswith(told)), 0)
    above = headings_above(source.text, passage.start + inside)
    return above[-1] if above else ""


def _places(text: str, word: str) -> list[int]:
    """Return where a word stands in a text."""
    found, at = [], text.find(word) if word else -1
    while at >= 0:
        found.append(at)
        at = text.find(word, at + 1)
    return found


def quoted(told: Sequence[OpeningQuotation]) -> list[Quotation]:
    """Return what is told of a page as a report quotes it."""
    return [
        Quotation(words=t.words, citations=[t.passage], form=t.form, opens=t.opens, heads=t.heads)
        for t in told
    ]
