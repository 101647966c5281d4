"""What of an answer's draft stands when it was written again: citations of what was kept, or all of it."""

from collections.abc import Collection, Sequence

from library import cite
from library.text import terms
from reports.document import Sentence
from reports.extract.quotations import key

_SAID = 0.7
"""Share (0 to 1) of a sentence's terms that a text has which tells it."""


def with_kept(sentences: Sequence[Sentence], draft: Sequence[Sentence]) -> list[Sentence]:
    """Return sentences; those that stood in a draft in the same words cite what they cited there.

    They were judged with these citations, and that verdict stands.
    """
    stood = {(s.form, key(s.text)): s for s in draft if stands(s)}
    found = []
    for sentence in sentences:
        before = stood.get((sentence.form, key(sentence.text)))
        same = {"text": before.text, "citations": before.citations} if before else {}
        found.append(sentence.model_copy(update=same))
    return found


def tells_as_much(
    rewritten: Sequence[Sentence], draft: Sequence[Sentence], lacks: Sequence[str], *, shorter: bool
) -> bool:
    """Tell whether a rewritten answer may take its draft's place: it tells no fewer facts that stand.

    Facts are counted by the passages that say them: two sentences may well become one. A passage is not
    missed where what the draft told with it is told with others.

    Args:
        rewritten: As it was checked, judged and mended.
        draft: As it was judged.
        lacks: What was to be mended, a point each; a sentence that a judge wanted gone ends its point, and is
            not missed.
        shorter: The draft was too long: then fewer are told, as was asked for.
    """
    owed, told = wanted(draft, lacks), _told(rewritten)
    words = {term for s in rewritten if stands(s) for term in terms(s.text)}
    untold = [s for s in owed if stands(s) and not _is_said(s, words)]
    missed = _told(owed) - told
    spared = {i for i in missed if not any(i in s.citations for s in untold)}
    return bool(told) and (shorter or len(told) >= len(_told(owed) - spared))


def wanted(draft: Sequence[Sentence], lacks: Sequence[str]) -> list[Sentence]:
    """Return a draft's sentences but for those that a judge wanted gone; see `tells_as_much`."""
    return [s for s in draft if not any(point.endswith(f"{s.text} {cite(s.citations)}") for point in lacks)]


def unborne(sentence: Sentence) -> str:
    """Return the point by which whoever rewrites a text learns that a sentence of it does not stand."""
    why = f" ({sentence.reason})" if sentence.reason else ""
    return f"What it cites does not bear this out{why}: {sentence.text} {cite(sentence.citations)}".strip()


def stands(sentence: Sentence) -> bool:
    """Tell whether a sentence cites something, and nobody found that this does not say it."""
    return bool(sentence.citations) and sentence.support not in ("partial", "unsupported")


def _is_said(sentence: Sentence, words: Collection[str]) -> bool:
    own = set(terms(sentence.text))
    return bool(own) and len(own.intersection(words)) >= _SAID * len(own)


def _told(sentences: Sequence[Sentence]) -> set[str]:
    return {i for s in sentences if stands(s) for i in s.citations}
