"""What a person asked at the table or after it, as sections of a report that no language model writes."""

from collections.abc import Sequence

from library import Evidence, citations, strip_citations
from models import Statistics
from reports.brief import AskedQuestion
from reports.cite.cited_sentences import cited_sentences
from reports.document import Quotation, Section
from reports.extract.opening import opening
from reports.extract.page_units import opening_passages
from reports.extract.quoted_sentences import quoted, quoted_sentences
from reports.report_phrases import ReportPhrases
from reports.visible_text import plain

_LONGEST = 160
"""Characters of a question that head its section; a longer one goes on below its heading."""

_NEAREST = 2
"""Passages that are quoted where none of them answers: the first that were cited."""


def asked_sections(
    asked: Sequence[AskedQuestion], evidence: Evidence, statistics: Statistics, phrases: ReportPhrases
) -> list[Section]:
    """Return a section for each question, under the person's words, with the quotations of its answer.

    It says so where nothing was found, and where what was found is no answer but what is nearest.

    Args:
        asked: What was asked, and what was answered.
        evidence: All that may be cited.
        statistics: Cuts sentences.
        phrases: In the report's language.
    """
    return [_section(each, evidence, statistics, phrases) for each in asked if plain(each.question)]


def _section(
    asked: AskedQuestion, evidence: Evidence, statistics: Statistics, phrases: ReportPhrases
) -> Section:
    cited = [i for i in dict.fromkeys(citations(asked.answer)) if i in evidence.passages]
    rests = opening_passages(cited[: None if asked.holds else _NEAREST], evidence)
    # Said again from the same passages, with what stands around it: lists, steps, code.
    quotations = quoted(opening(asked.question, rests, statistics)) or _as_answered(asked.answer, statistics)
    sentences = quoted_sentences(quotations, evidence, evidence.passages.keys())
    words = plain(asked.about or asked.question)
    cut = len(words) > _LONGEST
    heading = f"{words[: _LONGEST - 1].rsplit(' ', 1)[0]}…" if cut else words
    found = "" if asked.holds else phrases.asked_nearest
    before = [words if cut else "", found if sentences else phrases.asked_nothing]
    return Section(
        heading=heading, level=1, node=None, opening=" ".join(filter(None, before)), sentences=sentences
    )


def _as_answered(answer: str, statistics: Statistics) -> list[Quotation]:
    told = cited_sentences(answer, statistics.sentences)
    return [Quotation(words=_bare(each.text), citations=list(each.citations), opens=True) for each in told]


def _bare(text: str) -> str:
    """Return the words of a quotation without its marks."""
    words = strip_citations(text).strip()
    whole = words.startswith("“") and words.endswith("”") and words.count("“") == 1
    return words[1:-1] if whole else words
