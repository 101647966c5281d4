"""The opening without a language model: the sentences of the sources that answer the question.

The best page is followed: of all that it says the sentences that fit the question most, with what stands
between and around them where they need it (what a sentence leans on, a list's items behind its first line,
all steps of a procedure), in the page's own order; of a long page, the part that fits best comes first. A
second page adds to it where it fits nearly as well.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from library import Evidence, Passage
from library.passages import (
    Form,
    Statement,
    headings_above,
    rank_pages,
    section_fits,
    statements,
    terms_above,
    word_count,
)
from library.text import asks_how
from models import Statistics
from reports.extract.quotations import key
from reports.extract.sentence_context import in_first_person, looks_back, points_back

_WORDS, _MORE_WORDS = 150, 60
"""Words of the first page's answer, and of what a second page adds, about."""
_LONGEST_LIST = 12
"""Items of a list that is brought along whole."""
_CANDIDATES, _SECOND = 4, 0.45
"""Pages that an opening may be made from, and how well one must fit, as a share of the best's fit."""
_SAYS = 0.5
"""What a page's best sentence counts beside the page's fit: a page may be near that says nothing of it."""
_NEARLY = 0.7
"""How well what a second page adds must fit, as a share of what fits best on the first."""
_LEADS = 0.75
"""What a page's best section counts beside both: a long page is near by the part of it that answers."""
_SECTION = 0.5
"""What the section that it stands in counts for a sentence, by what its heading and first lines mean."""
_PASSAGE = 0.5
"""What the fit of its passage counts for a sentence, beside its own."""
_BESIDE = 0.5
"""What the mean of the two sentences beside it counts for a sentence: an answer is seldom one sentence."""
_STEP = 1.3
"""What a step counts for more where somebody asks how something is done."""
_GOES_ON = 1.3
"""What a sentence counts for more that stands beside one that was chosen: few pieces read better."""
_WORDS_A_RUN = 40
"""Words for each piece that an answer may be put together from, at least."""
_LONGEST = 1.5
"""How much longer an answer may be than wanted, for a list that is brought along whole."""
_SAME = 0.85
"""The share of a statement's words that another must hold to say the same."""
_BEGINS = 0.7
"""How well a sentence must fit to begin the answer, as a share of what fits best in it."""
_EVERYWHERE = 3
"""Pages that say a sentence in the same words from which on it is about none of them."""
_GAP = 40
"""Characters between two sentences that follow each other at most: marks of lists and fences, a heading."""
_FAR = 1_000
"""Characters between two parts of a page that need not be told in the page's order."""
_BACK = 2
"""Sentences that one may need before it."""
_OWN_SAYINGS, _OWN_SHARE = 2, 0.2
"""Sentences with “I” of a page of somebody's own notes, at least, and their share."""
_INTO_ENTRY = 4
"""Sentences of a term's entry up to which the first one is told, too."""


@dataclass(frozen=True, slots=True)
class OpeningPassage:
    """A passage that the opening may quote."""

    id: str
    sha256: str
    """Of its source."""
    start: int
    """Where it begins in its source."""
    text: str
    title: str
    under: str = ""
    """The heading that it begins under in its source; empty where there is none."""
    private: bool = False
    """A person's own document."""


@dataclass(frozen=True, slots=True)
class OpeningQuotation:
    """A statement of the opening."""

    passage: str
    """The id."""
    words: str
    form: Form
    opens: bool
    """Does not follow at once on what stands before it: a new paragraph."""


@dataclass(frozen=True, slots=True)
class _Unit:
    passage: OpeningPassage
    told: Statement
    own: bool = False
    """Its page is a person's notes, and whoever says “I” there keeps them."""

    @property
    def start(self) -> int:
        return self.passage.start + self.told.start

    @property
    def end(self) -> int:
        return self.passage.start + self.told.end

    @property
    def block(self) -> tuple[str, int]:
        return (self.passage.id, self.told.paragraph)

    @property
    def listed(self) -> bool:
        return self.told.form in ("point", "step")


def opening_passages(ids: Iterable[str], evidence: Evidence) -> list[OpeningPassage]:
    """Return passages as an opening may quote them."""
    return [
        OpeningPassage(
            i, p.sha256, p.start, p.text, p.title, begins_under(p, evidence), _private(p, evidence)
        )
        for i, p in ((i, evidence.passages[i]) for i in ids)
    ]


def _private(passage: Passage, evidence: Evidence) -> bool:
    source = evidence.sources.get(passage.sha256)
    return source is not None and source.private


def begins_under(passage: Passage, evidence: Evidence) -> str:
    """Return the heading that a passage begins under in its source; empty where there is none."""
    source = evidence.sources.get(passage.sha256)
    above = headings_above(source.text, passage.start) if source else []
    return above[-1] if above else ""


def opening(
    question: str, passages: Sequence[OpeningPassage], statistics: Statistics
) -> list[OpeningQuotation]:
    """Return what the passages answer to a question, in an order that reads; [] where they say nothing.

    Args:
        question: The topic, as a person put it.
        passages: All that may be cited, in any order.
        statistics: What is known of the text.
    """
    pages = best_pages(question, passages, statistics)
    found: list[OpeningQuotation] = []
    everywhere = said_everywhere(question, passages, statistics)
    least = 0.0
    for page, words in zip(pages, (_WORDS, _MORE_WORDS), strict=False):
        own = [passage for passage in passages if passage.sha256 == page]
        said = [*everywhere, *(told.words for told in found)]
        found += answering(question, own, statistics, words, said, least)
        least = max(least, _NEARLY * best_sentence(question, own, statistics))
    return found


def said_everywhere(question: str, passages: Sequence[OpeningPassage], statistics: Statistics) -> list[str]:
    """Return what pages say in the same words, as terms of use and names of authors are said.

    Two pages are enough where none of the question's words is in it.
    """
    sources: dict[str, set[str]] = defaultdict(set)
    for unit in _units(passages, statistics):
        if unit.told.form == "prose":
            sources[unit.told.words].add(unit.passage.sha256)
    again = [words for words, of in sources.items() if len(of) > 1]
    beside = statistics.relevance(question, again) if again else []
    return [
        words
        for words, fit in zip(again, beside, strict=True)
        if not fit or len(sources[words]) >= _EVERYWHERE
    ]


def answering(
    question: str,
    passages: Sequence[OpeningPassage],
    statistics: Statistics,
    words: int,
    said: Collection[str] = (),
    least: float = 0.0,
) -> list[OpeningQuotation]:
    """Return of one page what answers a question most, in the page's order.

    Where it is asked for anything but a way to do something, what stands before the first sentence that
    answers comes behind the rest: a short page would be told from its first line on, whatever is asked.

    Args:
        question: The topic, as a person put it.
        passages: Of the page.
        statistics: What is known of the text.
        words: About how many.
        said: What is told elsewhere, as told there.
        least: How well what is told must fit (`best_fit`); what stands with it need not.
    """
    known = [frozenset(key(each).split()) for each in said]
    left = [unit for unit in _units(passages, statistics) if not _said(unit, known)]
    if not left:
        return []
    alone = _worth(question, left, statistics)
    worth = alone + _SECTION * _section_fits(question, left, statistics)
    chosen = _chosen(left, np.where(alone >= least, worth, 0.0), words)
    parts = sorted(_parts(chosen, left), key=lambda part: -round(float(worth[part].max()), 9))
    if parts and not asks_how(question):
        parts[0] = _answer_first(parts[0], left, _fits(question, left, statistics))
    return [told for part in parts for told in _told(part, left)]


def best_fit(question: str, passages: Sequence[OpeningPassage], statistics: Statistics) -> float:
    """Return how well what fits a question best fits it, on the pages that the opening is made from."""
    pages = best_pages(question, passages, statistics)
    held = ([p for p in passages if p.sha256 == page] for page in pages)
    return max((best_sentence(question, own, statistics) for own in held), default=0.0)


def best_sentence(question: str, passages: Sequence[OpeningPassage], statistics: Statistics) -> float:
    """Return how well what fits a question best of all that some passages say fits it, 0 for nothing."""
    units = _units(passages, statistics)
    return float(_worth(question, units, statistics).max()) if units else 0.0


def _units(passages: Sequence[OpeningPassage], statistics: Statistics) -> list[_Unit]:
    own = sorted(passages, key=lambda passage: passage.start)
    units = [_Unit(p, told) for p in own for told in statements(p.text, statistics.sentences)]
    kept = _kept_by_a_person(units)
    return [replace(unit, own=True) if unit.passage.sha256 in kept else unit for unit in units]


def _kept_by_a_person(units: Sequence[_Unit]) -> set[str]:
    """Return the private pages that are written in the first person, as notes and diaries are."""
    said: dict[str, list[bool]] = defaultdict(list)
    for unit in units:
        if unit.passage.private and unit.told.form != "code":
            said[unit.passage.sha256].append(in_first_person(unit.told.words))
    return {page for page, own in said.items() if sum(own) >= max(_OWN_SAYINGS, _OWN_SHARE * len(own))}


def best_pages(question: str, passages: Sequence[OpeningPassage], statistics: Statistics) -> list[str]:
    """Return the page that answers best, and a second one that does nearly as well."""
    fits = rank_pages(question, passages, statistics)
    best = max(fits.values(), default=0.0)
    near = [page for page, fit in fits.items() if fit > 0 and fit >= _SECOND * best][:_CANDIDATES]
    held = {page: [p for p in passages if p.sha256 == page] for page in near}
    worth = {
        page: fits[page]
        + _SAYS * best_sentence(question, own, statistics)
        + _LEADS * _best_section(question, own, statistics)
        for page, own in held.items()
    }
    return sorted(near, key=lambda page: -round(worth[page], 9))[:2]


def _best_section(question: str, passages: Sequence[OpeningPassage], statistics: Statistics) -> float:
    return float(_section_fits(question, _units(passages, statistics), statistics).max(initial=0.0))


def _parts(chosen: Sequence[int], units: Sequence[_Unit]) -> list[list[int]]:
    """Return what is chosen in parts that stand far from each other on the page."""
    parts: list[list[int]] = []
    for i in chosen:
        if parts and units[i].start - units[parts[-1][-1]].end <= _FAR:
            parts[-1].append(i)
        else:
            parts.append([i])
    return parts


def _answer_first(part: Sequence[int], units: Sequence[_Unit], fits: NDArray[np.float64]) -> list[int]:
    """Return the places of a part from the first sentence on that answers; then those before it."""
    least = _BEGINS * max(fits[i] for i in part)
    begins = next(i for i in part if fits[i] >= least)
    first = min((_with_needed(begins, units) or set(part)).intersection(part))
    return [*(i for i in part if i >= first), *(i for i in part if i < first)]


def _said(unit: _Unit, known: Sequence[frozenset[str]]) -> bool:
    """Tell whether a unit says over what is told elsewhere, as another edition of a page does."""
    own = frozenset(key(unit.told.words).split())
    return any(len(own & other) >= _SAME * len(own) for other in known)


def _chosen(units: Sequence[_Unit], worth: NDArray[np.float64], words: int) -> list[int]:
    """Return the places of the units to tell, in order: the best, each with what it needs."""
    chosen: set[int] = set()
    spent = 0.0
    open_to = {i for i in range(len(units)) if worth[i] > 0}
    runs = max(2, words // _WORDS_A_RUN)
    while open_to and spent < words:
        beside = {n for i in chosen for n in (i - 1, i + 1)}
        i = max(open_to, key=lambda n: (round(float(worth[n]) * (_GOES_ON if n in beside else 1.0), 9), -n))
        open_to.discard(i)
        needed = _with_needed(i, units)
        if needed is None:
            continue
        new = needed - chosen
        cost = sum(word_count(units[n].told.words) for n in new)
        if chosen and (spent + cost > _LONGEST * words or _runs(chosen | new) > runs):
            continue
        chosen |= new
        open_to -= new
        spent += cost
    return sorted(chosen)


def _runs(chosen: Collection[int]) -> int:
    """Return in how many pieces what is chosen stands."""
    return sum(i - 1 not in chosen for i in chosen)


def _worth(question: str, units: Sequence[_Unit], statistics: Statistics) -> NDArray[np.float64]:
    own = _fits(question, units, statistics)
    shown = list({unit.passage.id: unit.passage for unit in units}.values())
    fits = np.asarray(statistics.relevance(question, [f"{p.title}\n{p.text}" for p in shown]))
    near = statistics.meaning(question, [f"{p.title}. {p.text}" for p in shown])
    if near is not None:
        fits = fits + np.maximum(near, 0.0)
    of_passage = {passage.id: float(fit) for passage, fit in zip(shown, fits, strict=True)}
    fit = own + _PASSAGE * np.array([of_passage[unit.passage.id] for unit in units])
    padded = np.concatenate([[0.0], fit, [0.0]])
    worth = fit + _BESIDE * (padded[:-2] + padded[2:]) / 2
    if asks_how(question):
        worth = worth * np.array([_STEP if unit.told.form == "step" else 1.0 for unit in units])
    return np.asarray(worth)


def _section_fits(question: str, units: Sequence[_Unit], statistics: Statistics) -> NDArray[np.float64]:
    """Return for each unit how well its section fits a question; 0 where that is not known."""
    runs = _sections(units)
    held = [(_heading(units[run[0]]), " ".join(units[i].told.words for i in run)) for run in runs]
    fits = section_fits(question, held, statistics)
    return np.repeat(np.zeros(len(runs)) if fits is None else np.array(fits), [len(run) for run in runs])


def _sections(units: Sequence[_Unit]) -> list[list[int]]:
    """Return the places of units that stand under one heading or term of a page."""
    runs: list[list[int]] = []
    for i, unit in enumerate(units):
        last = units[runs[-1][0]] if runs else None
        if last and last.passage.sha256 == unit.passage.sha256 and _heading(last) == _heading(unit):
            runs[-1].append(i)
        else:
            runs.append([i])
    return runs


def _heading(unit: _Unit) -> str:
    above = [*headings_above(unit.passage.text, unit.told.start), *_terms(unit)]
    return above[-1] if above else unit.passage.under or unit.passage.title


def _fits(question: str, units: Sequence[_Unit], statistics: Statistics) -> NDArray[np.float64]:
    """Return how well each unit fits a question by itself, by its words and by what it means."""
    # Code is shown with what is said of it, never for the words in it.
    texts = ["" if unit.told.form == "code" else unit.told.words for unit in units]
    by_words = np.asarray(statistics.relevance(question, texts))
    told = statistics.meaning(question, texts)
    if told is None:
        return by_words
    return by_words + np.where([bool(text) for text in texts], np.maximum(told, 0.0), 0.0)


def _with_needed(i: int, units: Sequence[_Unit]) -> set[int] | None:
    """Return a unit with those that it needs beside it; None where they cannot be had."""
    found = {i}
    if units[i].told.form == "code":
        if i == 0 or not _follows(i, units) or units[i - 1].told.form == "code":
            return None
        found |= {i - 1}
    elif units[i].listed and units[i].told.noted and units[i].told.alone:
        pass  # each item of notes is a note
    elif units[i].listed:
        found |= _list_around(i, units)
        if not units[i].told.alone and not units[min(found)].told.introduces:
            return None
    elif units[i].told.introduces:
        follows = _introduced(i, units)
        if not follows:
            return None
        found |= follows
    elif not units[i].told.alone:
        return None
    grounded = _grounded(found, units)
    return grounded and grounded | _entry_begins(min(grounded), units)


def _grounded(found: set[int], units: Sequence[_Unit]) -> set[int] | None:
    """Add what the first of some units points back to; None where that cannot be quoted."""
    for _ in range(_BACK):
        first = min(found)
        if units[first].told.form == "step" or not _leans(units[first]):
            return found
        if first == 0 or not _follows(first, units):
            return None
        found = found | {first - 1}
    return None if _leans(units[min(found)]) else found


def _entry_begins(i: int, units: Sequence[_Unit]) -> set[int]:
    """Return the first sentence of the term's entry that a unit stands in, where it is near.

    It says what the term is; what follows tells more of that.
    """
    terms = _terms(units[i])
    first = i
    while terms and first and units[first - 1].passage is units[i].passage:
        if _terms(units[first - 1])[: len(terms)] != terms:
            break
        first -= 1
    begins = units[first].told
    return {first} if i - first <= _INTO_ENTRY and begins.alone and not units[first].listed else set()


def _terms(unit: _Unit) -> list[str]:
    return terms_above(unit.passage.text, unit.told.start)


def _leans(unit: _Unit) -> bool:
    """Tell whether a unit means nothing without the one before it, as what is in brackets does too."""
    words = unit.told.words
    back = points_back(words, speaker_known=unit.own) or looks_back(words)
    return words.startswith(("(", "（")) or back


def _introduced(i: int, units: Sequence[_Unit]) -> set[int]:
    """Return what a line introduces: the list, or the code or the paragraph, behind it."""
    if i + 1 >= len(units) or not _follows(i + 1, units):
        return set()
    block = units[i + 1].block
    run = [n for n in range(i + 1, len(units)) if units[n].block == block]
    return set(run) if len(run) <= _LONGEST_LIST else set()


def _list_around(i: int, units: Sequence[_Unit]) -> set[int]:
    """Return the list that an item stands in, with the line that introduces it; a long one not at all."""
    run = [n for n, unit in enumerate(units) if unit.block == units[i].block]
    if len(run) > _LONGEST_LIST:
        run = [n for n in run if units[n].told.item == units[i].told.item]
    first = min(run)
    if first and units[first - 1].told.introduces and _follows(first, units):
        run.insert(0, first - 1)
    return set(run)


def _follows(i: int, units: Sequence[_Unit]) -> bool:
    return 0 <= units[i].start - units[i - 1].end <= _GAP


def _same_item(unit: _Unit, before: _Unit) -> bool:
    return (unit.passage.id, unit.told.item) == (before.passage.id, before.told.item)


def _on_new_line(unit: _Unit, before: _Unit) -> bool:
    """Tell whether a unit is a line of notes of its own."""
    return unit.told.noted and "\n" in unit.passage.text[before.told.end : unit.told.start]


def _told(chosen: Sequence[int], units: Sequence[_Unit]) -> list[OpeningQuotation]:
    found: list[OpeningQuotation] = []
    for place, i in enumerate(chosen):
        unit, before = units[i], units[chosen[place - 1]] if place else None
        if before is not None and unit.listed and _same_item(unit, before) and _follows(i, units):
            found[-1] = replace(found[-1], words=f"{found[-1].words} {unit.told.words}")
            continue
        goes_on = (
            before is not None
            and chosen[place - 1] == i - 1
            and _follows(i, units)
            and not _on_new_line(unit, before)
            and (unit.block == before.block or before.told.introduces or unit.told.form == "code")
        )
        found.append(OpeningQuotation(unit.passage.id, unit.told.words, unit.told.form, opens=not goes_on))
    return found
