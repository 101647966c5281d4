"""Sections put into shape: without what another part took over, none empty, none too small to stand alone."""

from collections.abc import Collection, Iterable, Sequence

from library import cite
from library.passages import Form
from library.text import terms
from reports.cite.lead_ins import left_out
from reports.document import Section, Sentence
from reports.extract.quotations import key
from reports.extract.sentence_context import takes_up
from reports.tasks.editing_tasks import ToldSection

IN_ORDER: tuple[Form, ...] = ("step", "code")
"""What is done in an order has no place for a gap: it is told whole, whatever else tells a part of it."""
_ALONE = 2
"""A section below another with fewer sentences joins it."""
_MORE_WORDS = 0.1
"""Share of its terms that a sentence has beside another from which on it says more."""
LITTLE_MORE = 0.25
"""The same beside a sentence of the opening, where none of those terms is a name."""
_PROMISED = 2
"""Words of its section's heading that make a sentence the one that tells what the heading promises."""
_MANY = 3
"""Sections of more than a sentence from which on those of one are put together."""


def told(sections: Sequence[Section]) -> list[ToldSection]:
    """Return the sections as tasks see them."""
    return [
        ToldSection(
            heading=section.heading,
            sentences=[f"{_in_a_line(s)} {cite(s.citations)}".strip() for s in section.sentences],
        )
        for section in sections
    ]


def _in_a_line(sentence: Sentence) -> str:
    """Return a sentence in one line; of code its first, which is enough to know it by."""
    if sentence.form != "code":
        return sentence.text
    first, *more = sentence.text.splitlines()
    return f"`{first.strip()}`{' …' if more else ''}"


def restated(sections: Sequence[Section]) -> set[str]:
    """Return the keys of sentences that say no more than one of a section before.

    The same passages must bear both. Half of a section stays, and two sentences at least: what stands in it
    needs them. So do the sentence behind one that takes up what it names, and a heading that nothing else in
    its section bears out. What the opening tells is no reason: it sums up, and the sections tell in full.
    """
    before: list[Sentence] = []
    found: set[str] = set()
    for section in sections:
        again = _said_again(section, before)
        room = min(len(section.sentences) // 2, max(0, len(section.sentences) - _ALONE))
        leaving = set(again[:room])
        gone = {key(section.sentences[n].text) for n in leaving - needed_there(section, leaving)}
        found |= gone
        before += [s for s in section.sentences if key(s.text) not in gone]
    return found


def _said_again(section: Section, before: Sequence[Sentence]) -> list[int]:
    """Return the places of prose that says no more than what stands before."""
    told, kept = said_by(before), {key(s.text) for s in before}
    return [
        n
        for n, s in enumerate(section.sentences)
        if s.form == "prose" and key(s.text) not in kept and says_no_more(s, told)
    ]


def needed_there(section: Section, leaving: Collection[int]) -> set[int]:
    """Return which sentences that would leave a section are needed in it.

    A sentence behind one takes up what it names (`so this point…`), it alone has a word of the heading, or
    more of them than any that stays: what a heading promises, its section tells.

    Args:
        section: It.
        leaving: The places of the sentences that would leave it.
    """
    told, stay = section.sentences, set[int]()
    promised = set(terms(section.heading))
    for n in sorted(leaving, reverse=True):
        behind = n + 1
        leans = (
            behind < len(told) and (behind not in leaving or behind in stay) and takes_up(told[behind].text)
        )
        others = [set(terms(s.text)) for m, s in enumerate(told) if m not in leaving or m in stay]
        own = promised.intersection(terms(told[n].text))
        most = max((len(promised & words) for words in others), default=0)
        if leans or own - set[str]().union(*others) or len(own) >= max(_PROMISED, most + 1):
            stay.add(n)
    return stay


def said_by(sentences: Iterable[Sentence]) -> list[tuple[set[str], set[str]]]:
    """Return the citations and the terms of sentences, as `says_no_more` takes them."""
    return [(set(s.citations), set(terms(s.text))) for s in sentences]


def says_no_more(
    sentence: Sentence, told: Iterable[tuple[set[str], set[str]]], most: float = _MORE_WORDS
) -> bool:
    """Tell whether one of others, given by citations and terms, says all that a sentence says.

    Args:
        sentence: It.
        told: The others.
        most: Share (0 to 1) of its terms that may be its own; no figure among them, and beyond the usual
            share no name.
    """
    own = set(terms(sentence.text))
    names = {term for word in sentence.text.split()[1:] if word[:1].isupper() for term in terms(word)}
    for ids, words in told:
        more = own - words
        usual = len(more) <= _MORE_WORDS * len(own)
        few = usual or (len(more) <= most * len(own) and not more & names)
        if few and not any(term[0].isdigit() for term in more) and set(sentence.citations) <= ids:
            return True
    return False


def without(sections: Sequence[Section], taken: set[str], keep: Collection[Form] = ()) -> list[Section]:
    """Return the sections without sentences of these keys; forms of `keep` stay, and their lead-ins."""
    kept = []
    for section in sections:
        told = section.sentences
        gone = {n for n, s in enumerate(told) if s.form not in keep and key(s.text) in taken}
        kept.append(section.model_copy(update={"sentences": left_out(told, gone, kept=bool(keep))}))
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


def gathered(sections: Sequence[Section], heading: str) -> list[Section]:
    """Put top sections of a single sentence together at the end, under one heading.

    One sentence is no section, and what its node is called says little of it.
    """
    small = [x for i, x in enumerate(sections) if _lone(x) and not _has_below(sections, i)]
    last = next((x for x in sections if x.node is None and x.heading == heading), None)
    if not small or sum(len(x.sentences) > 1 for x in sections) < _MANY:
        return list(sections)
    moved = [*(last.sentences if last else []), *(s for x in small if x is not last for s in x.sentences)]
    kept = [x for x in sections if x not in small and x is not last]
    base = last or Section(heading=heading, level=1, node=None, sentences=[])
    sentences = [s.model_copy(update={"paragraph": n == 0 or s.paragraph}) for n, s in enumerate(moved)]
    return [*kept, base.model_copy(update={"sentences": sentences})]


def _lone(section: Section) -> bool:
    return section.level == 1 and len(section.sentences) == 1 and not section.tables and not section.charts


def _has_below(sections: Sequence[Section], i: int) -> bool:
    return i + 1 < len(sections) and sections[i + 1].level > 1


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
