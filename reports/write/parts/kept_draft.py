"""What of an answer's draft stands when it was written again: citations of what was kept, or all of it."""

from collections.abc import Sequence

from library import cite
from reports.document import Sentence
from reports.extract.quotations import key


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

    Facts are counted by the passages that say them: two sentences may well become one.

    Args:
        rewritten: As it was checked, judged and mended.
        draft: As it was judged.
        lacks: What was to be mended, a point each; a sentence that a judge wanted gone ends its point, and is
            not missed.
        shorter: The draft was too long: then fewer are told, as was asked for.
    """
    gone = tuple(lacks)
    owed = [s for s in draft if not any(point.endswith(f"{s.text} {cite(s.citations)}") for point in gone)]
    told = _told(rewritten)
    return bool(told) and (shorter or len(told) >= len(_told(owed)))


def unborne(sentence: Sentence) -> str:
    """Return the point by which whoever rewrites a text learns that a sentence of it does not stand."""
    why = f" ({sentence.reason})" if sentence.reason else ""
    return f"What it cites does not bear this out{why}: {sentence.text} {cite(sentence.citations)}".strip()


def stands(sentence: Sentence) -> bool:
    """Tell whether a sentence cites something, and nobody found that this does not say it."""
    return bool(sentence.citations) and sentence.support not in ("partial", "unsupported")


def _told(sentences: Sequence[Sentence]) -> set[str]:
    return {i for s in sentences if stands(s) for i in s.citations}
