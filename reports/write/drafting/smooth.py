"""The last pass over the whole: a model may reword, but touch no citation and no fact."""

from collections.abc import Sequence

from library import citations, cite, marks_within, strip_citations
from library.claims import missing_figures
from library.text import terms
from reports.brief import Brief
from reports.document import Section, Sentence
from reports.plan.layout import told
from reports.settings import ReportSettings
from reports.tasks.editing_tasks import Edits, SmoothReport
from reports.verify.check import Checker
from reports.verify.kept_reviews import Reviews
from reports.verify.review import claims
from reports.visible_text import plain
from reports.write.drafting.batch import BatchedRequest, nothing

_OWN_WORDS = 4
"""Index terms that an edit may bring to a sentence: enough to join it to the one before."""


def smoothing(
    sections: Sequence[Section],
    brief: Brief,
    settings: ReportSettings,
    reviews: Reviews,
    opening: Section | None = None,
) -> BatchedRequest[dict[int, str]]:
    """Ask for one pass over the whole: edits by number (from 1, through the report).

    Sections that it saw before, as they are, are not shown again: what was made of them stands.
    """
    written = [s for section in sections for s in section.sentences if s.support != "quoted"]
    if not settings.smooth or not written:
        return nothing({})
    starts = [sum(len(x.sentences) for x in sections[:i]) for i in range(len(sections))]
    changed = [i for i, section in enumerate(sections) if not reviews.seen(section)]
    known = {
        start + n: edit
        for i, start in enumerate(starts)
        if i not in changed
        for n, sentence in enumerate(sections[i].sentences, 1)
        if (edit := reviews.edit(sentence)) is not None and edit != sentence.text
    }
    if not changed:
        return nothing(known)
    first = opening.sentences if opening else []
    task = SmoothReport(
        topic=brief.topic,
        language=brief.language,
        sections=told([sections[i] for i in changed]),
        opening=[f"{s.text} {cite(s.citations)}" for s in first if s.citations],
    )
    places = [starts[i] + n for i in changed for n in range(1, len(sections[i].sentences) + 1)]

    def read(replies: list[Edits]) -> dict[int, str]:
        asked = {edit.n: edit.text for edit in reversed(replies[0].edits)}
        made = {place: asked[n] for n, place in enumerate(places, 1) if n in asked}
        every = [sentence for section in sections for sentence in section.sentences]
        for place in places:
            reviews.edited(every[place - 1], made.get(place, every[place - 1].text))
        return known | made

    return BatchedRequest([task], read)


def apply_edits(
    sections: Sequence[Section], wanted: dict[int, str], checker: Checker, opening: Section | None = None
) -> list[Section]:
    """Apply edits by number (from 1, through the report), without those that touch what they may not.

    A sentence is left out only where every passage that it cites is cited by another that stands, in the
    opening too, and where no edit that was to take it in was refused: both are done, or neither.
    """
    every = dict(enumerate((s for section in sections for s in section.sentences), 1))
    gone = [every[n] for n, text in wanted.items() if n in every and not plain(text)]
    edited = {
        n: _edited(sentence, wanted[n], gone, checker) if n in wanted else sentence
        for n, sentence in every.items()
    }
    cited = {i for sentence in edited.values() if sentence is not None for i in sentence.citations}
    cited.update(i for sentence in (opening.sentences if opening else []) for i in sentence.citations)
    refused = [set(citations(wanted[n])) for n in wanted if n in every and edited[n] is every[n]]
    for n, sentence in every.items():
        own = set(sentence.citations)
        if edited[n] is None and (not own <= cited or any(own <= ids for ids in refused)):
            edited[n] = sentence
            cited.update(sentence.citations)
    found, n = [], 0
    for section in sections:
        numbers = range(n + 1, n + 1 + len(section.sentences))
        n += len(section.sentences)
        sentences = [s for number in numbers if (s := edited[number]) is not None]
        # An editor that would empty a section has misread its order: the section stays.
        found.append(section.model_copy(update={"sentences": sentences}) if sentences else section)
    return found


def _edited(sentence: Sentence, text: str, gone: Sequence[Sentence], checker: Checker) -> Sentence | None:
    """Return a sentence as edited, None where it is left out; as it was where the edit goes too far.

    Args:
        sentence: As it was.
        text: As the editor wants it.
        gone: Sentences that the editor leaves out: an edited one may take them in, with their citations.
        checker: Rules that the new sentence has to pass.
    """
    if sentence.support in {"quoted", "unsupported"}:  # what fails is repaired as it was judged
        return sentence
    text = marks_within(plain(text))
    if not text:
        return None
    words, ids = strip_citations(text), set(citations(text))
    more = ids - set(sentence.citations)
    within = [
        s for s in gone if more & set(s.citations) and set(s.citations) <= ids and s.support != "unsupported"
    ]
    wanted = set(sentence.citations).union(*(s.citations for s in within))
    before = " ".join([sentence.text, *(s.text for s in within)])
    # No figure may come, and none may go.
    if not words or ids != wanted or missing_figures(words, [before]) or missing_figures(before, [words]):
        return sentence
    # The judge read it as it was: an edit joins and shortens, and says nothing of its own.
    if len(set(terms(words)) - set(terms(before))) > _OWN_WORDS:
        return sentence
    support = "partial" if any(s.support == "partial" for s in within) else sentence.support
    new = sentence.model_copy(update={"text": words, "citations": list(dict.fromkeys(citations(text)))})
    checked = checker.sentence(new.model_copy(update={"support": "unchecked", "reason": None}))
    if checked.support != "unchecked" or not claims([checked]):
        return sentence
    return new.model_copy(update={"support": support})
