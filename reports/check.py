"""Does each sentence stand in the passages it cites? What can be told without a model; pure.

A sentence is `quoted` when its quoted words stand in a cited passage and make up most of it, `unsupported` when a
citation, a quotation, a number, a date or a name in it has nothing behind it, and otherwise `unchecked`: that its
words resemble the passage's is no proof. Negations, added details and wrong relations between right names are not
seen here; a judge (`reports.review`) sees more.
"""

import re
from collections.abc import Sequence

from library.evidence import Evidence, Passage, strip_citations
from library.quoting import word_count
from reports.document import Report, Section, Sentence, Summary
from reports.figures import missing_figures
from reports.names import missing_names
from reports.plain import host
from reports.quotations import key

QUOTED_SHARE = 0.6
"""The share of a sentence's words that must be quotation for the sentence to count as quoted."""

_QUOTATION = re.compile(r"“([^”]+)”")


def check(report: Report, evidence: Evidence) -> Report:
    """Return the report with each sentence's support as far as rules can tell, and the summary counted."""
    sections = [
        section.model_copy(
            update={"sentences": [check_sentence(s, evidence, report.topic) for s in section.sentences]}
        )
        for section in report.sections
    ]
    return report.model_copy(update={"sections": sections, "summary": summarize(sections, evidence)})


def check_sentence(sentence: Sentence, evidence: Evidence, topic: str = "") -> Sentence:
    """Return the sentence with its support and, where something is amiss, the reason that names it."""
    support, reason = _judge(sentence, evidence, topic)
    if (
        support == "unchecked"
        and sentence.support in ("supported", "partial", "unsupported")
        and sentence.citations
    ):
        return sentence  # a judge has read it, and the rules have nothing to say against it
    return sentence.model_copy(update={"support": support, "reason": reason})


def _judge(sentence: Sentence, evidence: Evidence, topic: str) -> tuple[str, str | None]:
    if not sentence.citations:
        return "unchecked", "no citation"
    unknown = [i for i in sentence.citations if i not in evidence.passages]
    if unknown:
        return "unsupported", f"no such passage: {', '.join(unknown)}"
    passages = [evidence.passages[i] for i in sentence.citations]
    moved = [
        p.id or i for i, p in zip(sentence.citations, passages, strict=True) if not archived(p, evidence)
    ]
    if moved:
        return "unsupported", f"not in the archived text: {', '.join(moved)}"
    text = strip_citations(sentence.text)
    quotations = _QUOTATION.findall(text)
    known = [f" {key(p.text)} " for p in passages]
    for words in quotations:
        if not any(f" {key(words)} " in passage for passage in known):
            return "unsupported", f"not in the passages: “{words}”"
    rest = _QUOTATION.sub(" ", text)
    if missing := _missing(rest, passages, evidence, topic):
        return "unsupported", f"not in the passages: {', '.join(missing)}"
    if sum(map(word_count, quotations)) >= QUOTED_SHARE * max(word_count(text), 1):
        return "quoted", None
    return "unchecked", None


def _missing(text: str, passages: Sequence[Passage], evidence: Evidence, topic: str) -> list[str]:
    texts = [p.text for p in passages]
    around = [part for p in passages for part in _around(p, evidence)]
    return missing_figures(text, texts, around) + missing_names(text, texts, [*around, topic])


def _around(passage: Passage, evidence: Evidence) -> list[str]:
    """What is known of a passage beside its text: whence it comes. A sentence may say that too."""
    source = evidence.sources.get(passage.sha256)
    return [
        passage.title,
        passage.published or "",
        host(passage.url),
        (source.author or "") if source else "",
    ]


def archived(passage: Passage, evidence: Evidence) -> bool:
    """Tell whether a passage stands in its source's archived text at the offsets kept."""
    source = evidence.sources.get(passage.sha256)
    return source is not None and source.text[passage.start : passage.end] == passage.text


def summarize(sections: Sequence[Section], evidence: Evidence) -> Summary:
    """Count the report's sentences by support, and its sources."""
    sentences = [s for section in sections for s in section.sentences]
    cited = [s for s in sentences if s.citations]
    held = [[i for i in s.citations if i in evidence.passages] for s in cited]
    used = {evidence.passages[i].sha256 for ids in held for i in ids}
    sources = [evidence.sources[sha] for sha in sorted(used) if sha in evidence.sources]
    alone = [ids for ids in held if len({evidence.passages[i].sha256 for i in ids}) == 1]
    counts = {kind: sum(s.support == kind for s in sentences) for kind in _KINDS}
    good = counts["quoted"] + counts["supported"]
    return Summary(
        sentences=len(sentences),
        cited=len(cited),
        **counts,
        dangling=sum(i not in evidence.passages for s in sentences for i in s.citations),
        sources=len(used),
        hosts=len({host(source.url) for source in sources}),
        undated=_share(sum(source.published is None for source in sources), len(sources)),
        single_source=_share(len(alone), len(cited)),
        accuracy=_share(good, sum(s.support != "unchecked" for s in cited)),
        effective=sum(len(s.citations) for s in cited if s.support in ("quoted", "supported")),
    )


_KINDS = ("quoted", "supported", "partial", "unsupported", "unchecked")


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0
