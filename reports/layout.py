"""Sections put into shape: without what another part took over, none empty, none too small to stand alone."""

from collections.abc import Sequence

from library.evidence import cite
from reports.document import Section, Sentence
from reports.quotations import key
from reports.tasks import Told

_ALONE = 2
"""A section below another with fewer sentences joins it."""


def told(sections: Sequence[Section]) -> list[Told]:
    """Return the sections as tasks see them."""
    return [
        Told(
            heading=section.heading,
            sentences=[f"{s.text} {cite(s.citations)}".strip() for s in section.sentences],
        )
        for section in sections
    ]


def without(sections: Sequence[Section], taken: set[str]) -> list[Section]:
    """Return the sections without sentences of these keys."""
    kept = []
    for section in sections:
        sentences, opens = [], False
        for sentence in section.sentences:
            if key(sentence.text) in taken:
                opens = opens or sentence.paragraph  # the paragraph now opens with what follows
            else:
                sentences.append(sentence.model_copy(update={"paragraph": True}) if opens else sentence)
                opens = False
        kept.append(section.model_copy(update={"sentences": sentences}))
    return kept


def tidy(sections: Sequence[Section]) -> list[Section]:
    """Join sections that are too small to those above them, and leave out empty ones.

    A top section may have no sentences of its own where several sections stand below it.
    """
    groups: list[list[Section]] = []
    for section in sections:
        if section.level == 1 or not groups:
            groups.append([])
        groups[-1].append(section)
    return [section for group in groups for section in _tidied(group)]


def _tidied(group: Sequence[Section]) -> list[Section]:
    top, below = group[0], [section for section in group[1:] if section.sentences]
    standing = [section for section in below if len(section.sentences) >= _ALONE]
    if len(standing) < 2 and not (standing and top.sentences):
        standing = []
    joining = [s for section in below if section not in standing for s in _opened(section.sentences)]
    tables = [t for section in below if section not in standing for t in section.tables]
    charts = [c for section in below if section not in standing for c in section.charts]
    top = top.model_copy(
        update={
            "sentences": [*top.sentences, *joining],
            "tables": [*top.tables, *tables],
            "charts": [*top.charts, *charts],
        }
    )
    return [top, *standing] if top.sentences or standing or top.tables or top.charts else []


def _opened(sentences: Sequence[Sentence]) -> list[Sentence]:
    return [sentences[0].model_copy(update={"paragraph": True}), *sentences[1:]]


def paragraphs(sentences: Sequence[Sentence]) -> list[list[Sentence]]:
    """Cut a section's sentences into paragraphs."""
    groups: list[list[Sentence]] = []
    for sentence in sentences:
        if sentence.paragraph or not groups:
            groups.append([])
        groups[-1].append(sentence)
    return groups
