"""The last pass over the whole: a model may reword, but touch no citation and no fact."""

from collections.abc import Sequence

from library import citations, strip_citations
from library.claims import missing_figures
from reports.brief import Brief
from reports.document import Section, Sentence
from reports.plan.layout import told
from reports.settings import ReportSettings
from reports.tasks import Edits, SmoothReport
from reports.verify.check import Checker
from reports.verify.kept_reviews import Reviews
from reports.verify.review import claims
from reports.visible_text import plain
from reports.write.batch import BatchedRequest, nothing


def smoothing(
    sections: Sequence[Section], brief: Brief, settings: ReportSettings, reviews: Reviews
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
    task = SmoothReport(
        topic=brief.topic, language=brief.language, sections=told([sections[i] for i in changed])
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


def apply_edits(sections: Sequence[Section], wanted: dict[int, str], checker: Checker) -> list[Section]:
    """Apply edits by number (from 1, through the report), without those that touch what they may not."""
    found, n = [], 0
    for section in sections:
        sentences: list[Sentence] = []
        for sentence in section.sentences:
            n += 1
            edited = _edited(sentence, wanted[n], checker) if n in wanted else sentence
            if edited is not None:
                sentences.append(edited)
        # An editor that would empty a section has misread its order: the section stays.
        found.append(section.model_copy(update={"sentences": sentences}) if sentences else section)
    return found


def _edited(sentence: Sentence, text: str, checker: Checker) -> Sentence | None:
    if sentence.support in {"quoted", "unsupported"}:  # what fails is repaired as it was judged
        return sentence
    text = plain(text)
    if not text:
        return None
    words = strip_citations(text)
    same = set(citations(text)) == set(sentence.citations)
    # No figure may come, and none may go.
    if (
        not words
        or not same
        or missing_figures(words, [sentence.text])
        or missing_figures(sentence.text, [words])
    ):
        return sentence
    new = sentence.model_copy(update={"text": words})
    checked = checker.sentence(new.model_copy(update={"support": "unchecked", "reason": None}))
    if checked.support != "unchecked" or not claims([checked]):
        return sentence
    return new
