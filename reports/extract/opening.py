"""The opening without a language model: the sections of the sources that answer the question.

The section that fits the question best is told, from its beginning and whole where there is room; of a long
one how it begins and what fits most, read straight on with what that needs (what a sentence leans on, a
list's items behind its first line, all steps of a procedure), in the page's own order. Further sections of
its page and of a second one add to it where they fit nearly as well.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from library.passages import Form, as_told, rank_pages, word_count
from library.text import asks_how, question_parts, titled_text
from models import Statistics
from reports.extract.dated_series import asks_how_it_stands, in_its_series
from reports.extract.page_units import (
    LONGEST_TABLE,
    OpeningPassage,
    PageUnit,
    follows,
    is_label,
    on_new_line,
    page_units,
    same_item,
    with_needed,
)
from reports.extract.quotations import key
from reports.extract.ranked_sections import (
    BestSection,
    RankedSection,
    asked_entries,
    one_answer,
    ranked_sections,
    told_beside,
)
from reports.extract.surroundings import below, beside, is_part, is_short, typed_name

_WORDS, _MORE_WORDS = 200, 80
"""Words of the first page's answer, and of what a further section adds, about."""
_PART_WORDS = 140
"""Words of the answer to one of several parts of a question, about."""
_NEARLY, _FURTHER = 0.9, 1
"""How well a section must fit that adds to that, as a share of what fits best; and how many do."""
_PASSAGE = 0.5
"""What the fit of its passage counts for a sentence, beside its own."""
_BESIDE = 0.5
"""What the mean of the two sentences beside it counts for a sentence: an answer is seldom one sentence."""
_STEP = 1.3
"""What a step counts for more where somebody asks how something is done."""
_LITTLE = 40
"""Words that are left from which on a section beside the first is begun."""
_LONGEST = 1.5
"""How much longer than wanted what is told of a longer section may be, and a section with those around it."""
_WHOLE = 2.6
"""How much longer a section may be that is told whole: a part of it seldom has all that is needed."""
_NEXT, _ENOUGH = 0.75, 0.6
"""How well a further section of a page must fit, as a share of the best one's fit, and the share of the words
that are told from which on none is."""
_AROUND = 0.4
"""How well a section around a short one must fit to come along, as a share of its fit: notes tell of one
thing after the other under one heading."""
_OF_CODE = 0.5
"""What a word of code counts for how long something is."""
_TO_BEST = 600
"""Words of a section before what fits best in it up to which its beginning is told, too."""
_LEAD = 0.25
"""Share of the words that its beginning may take."""
_SAME = 0.85
"""The share of a statement's words that another must hold to say the same."""
_BEGINS = 0.7
"""How well a sentence must fit to begin the answer, as a share of what fits best in it."""
_ROW = 0.5
"""How well a row of a long table must fit to be told, as a share of what fits best of them."""
_EVERYWHERE = 3
"""Pages that say a sentence in the same words from which on it is about none of them."""
_FAR = 1_000
"""Characters between two parts of a page that need not be told in the page's order."""


@dataclass(frozen=True, slots=True)
class OpeningQuotation:
    """A statement of the opening."""

    passage: str
    """The id."""
    words: str
    form: Form
    opens: bool
    """Does not follow at once on what stands before it: a new paragraph."""
    heads: tuple[str, ...] = ()
    """Of a row the names of its columns; () where none are known, and for all else."""


def opening(
    question: str, passages: Sequence[OpeningPassage], statistics: Statistics, share: float = 1.0
) -> list[OpeningQuotation]:
    """Return what the passages answer to a question, in an order that reads; [] where they say nothing.

    Args:
        question: The topic, as a person put it.
        passages: All that may be cited, in any order.
        statistics: What is known of the text.
        share: How long, as a share of the usual length.
    """
    fits = rank_pages(question, passages, statistics)
    units = page_units(passages, statistics)
    ranked = ranked_sections(question, units, statistics, fits)
    said = _said_everywhere(question, units, statistics)
    parts = _fitting_parts(question, ranked, units, passages, statistics)
    if len(parts) > 1:
        now = asks_how_it_stands(question)
        return _part_by_part(parts, ranked, passages, statistics, said, share, now=now)
    found: list[OpeningQuotation] = []
    if not ranked or ranked[0].fit <= 0:
        return found
    series = in_its_series(ranked[0], ranked, passages, now=asks_how_it_stands(question))
    if len(series) > 1:
        return _each_of(series, question, passages, statistics, said, share)
    best = asked_entries(question, ranked[0], units, statistics).fit
    first, further = ranked[0].page, 0
    page = [passage for passage in passages if passage.sha256 == first]
    found += answering(question, page, statistics, int(share * _WORDS), said, None, fits.get(first, 0.0))
    nearly = [section for section in ranked[1:] if section.fit >= _NEARLY * best]
    akin = one_answer(question, [ranked[0], *nearly], units, statistics)
    for section in nearly:
        if section not in akin or further == _FURTHER:
            break  # what fits less than a stranger is left to the sections
        own = [passage for passage in passages if passage.id in section.passages]
        said = [*said, *(told.words for told in found)]
        fit, room = fits.get(section.page, 0.0), int(share * _MORE_WORDS)
        more = answering(question, own, statistics, room, said, None, fit, sections=1)
        further += bool(more)
        found += more
    return found


def _fitting_parts(
    question: str,
    ranked: Sequence[RankedSection],
    units: Sequence[PageUnit],
    passages: Sequence[OpeningPassage],
    statistics: Statistics,
) -> list[tuple[RankedSection, str]]:
    """Return the section that fits each part of the question and the whole best, and the parts it answers."""
    whole = {section.places: section for section in ranked if section.fit > 0}
    asked: dict[tuple[int, ...], list[str]] = {}
    for part in question_parts(question):
        found = ranked_sections(part, units, statistics, rank_pages(part, passages, statistics))
        own = [s for s in found if s.fit > 0 and s.places in whole]
        if own:
            best = max(own, key=lambda s: round(s.fit + whole[s.places].fit, 9))
            asked.setdefault(best.places, []).append(part)
    return [(whole[places], " ".join(parts)) for places, parts in asked.items()]


def _part_by_part(
    parts: Sequence[tuple[RankedSection, str]],
    ranked: Sequence[RankedSection],
    passages: Sequence[OpeningPassage],
    statistics: Statistics,
    said: Sequence[str],
    share: float,
    *,
    now: bool,
) -> list[OpeningQuotation]:
    """Return what answers each part of a question, in the order in which they are asked.

    Where it asks how things stand `now`, of documents that differ by their date the newest first.
    """
    found: list[OpeningQuotation] = []
    for section, part in parts:
        told = [*said, *(quoted.words for quoted in found)]
        series = in_its_series(section, ranked, passages, now=now)
        found += _each_of(series, part, passages, statistics, told, share)
    return found


def _each_of(
    sections: Sequence[RankedSection],
    question: str,
    passages: Sequence[OpeningPassage],
    statistics: Statistics,
    said: Sequence[str],
    share: float,
) -> list[OpeningQuotation]:
    """Return what answers a question in each of some sections, in their order."""
    found: list[OpeningQuotation] = []
    room = int(share * _PART_WORDS)
    for section in sections:
        own = [passage for passage in passages if passage.id in section.passages]
        told = [*said, *(quoted.words for quoted in found)]
        found += answering(question, own, statistics, room, told, sections=1)
    return found


def said_everywhere(question: str, passages: Sequence[OpeningPassage], statistics: Statistics) -> list[str]:
    """Return what pages say in the same words, as terms of use and names of authors are said.

    Two pages are enough where none of the question's words is in it.
    """
    return _said_everywhere(question, page_units(passages, statistics), statistics)


def _said_everywhere(question: str, units: Sequence[PageUnit], statistics: Statistics) -> list[str]:
    sources: dict[str, set[str]] = defaultdict(set)
    for unit in units:
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
    best: BestSection | None = None,
    fit: float = 0.0,
    sections: int | None = None,
) -> list[OpeningQuotation]:
    """Return of one page what answers a question most, in the page's order.

    The sections that fit best are told from their beginning, whole where there is room. Of a page without
    any, where it is asked for anything but a way to do something, what stands before the first sentence that
    answers comes behind the rest: it would be told from its first line on, whatever is asked.

    Args:
        question: The topic, as a person put it.
        passages: Of the page.
        statistics: What is known of the text.
        words: About how many.
        said: What is told elsewhere, as told there.
        best: Of all pages, beside which this one is told (`told_beside`); None: it is the answer itself, and
            sections that are about something else than its first are left out.
        fit: How well the page as a whole does (`rank_pages`).
        sections: How many are told at most; None: as many as there is room for.
    """
    known = [frozenset(key(each).split()) for each in said]
    left = [unit for unit in page_units(passages, statistics) if not _said(unit, known)]
    ranked = ranked_sections(question, left, statistics, {passage.sha256: fit for passage in passages})
    kept = told_beside(ranked, best, left, statistics) if best else [s for s in ranked if s.fit > 0]
    if not kept:
        return []
    worth = _worth(question, left, statistics)
    away = _beside_the_question(question, left, statistics)
    fitting = [
        replace(section, places=tuple(i for i in section.places if i not in away))
        for section in (kept if best else one_answer(question, kept, left, statistics))
        if not away.issuperset(section.places)
    ]
    asked = partial(asked_entries, question, units=left, statistics=statistics)
    chosen = _of_sections(fitting[:sections], left, worth, words, asked)
    if chosen:
        if not best and sections is None:
            chosen = _with_steps(chosen, below(fitting[0], ranked, left), left, words)
        around = beside(fitting[0], ranked, left)
        if is_short(chosen, left):
            around = (each for each in around if each.fit >= _AROUND * fitting[0].fit)
            chosen = _with_surroundings(chosen, around, left, worth, words)
        elif sections is None and asks_how(question) and is_part(question, fitting[0], left, statistics):
            chosen = _with_steps(chosen, around, left, _LONGEST * words)
    order = {i: n for n, section in enumerate(ranked) for i in section.places}
    parts = sorted(_parts(chosen, left), key=lambda part: min(order[i] for i in part))
    if parts and len(ranked) == 1 and not asks_how(question):
        parts[0] = _answer_first(parts[0], left, _fits(question, left, statistics))
    return [told for part in parts for told in _told(part, left)]


def _beside_the_question(question: str, units: Sequence[PageUnit], statistics: Statistics) -> set[int]:
    """Return the rows of long tables in which nothing is asked for, where there may be something in others.

    What stands in the heads of columns is in all of them.
    """
    rows = [i for i, u in enumerate(units) if u.told.row and u.passage.rows > LONGEST_TABLE]
    if not rows:
        return set()
    told = statistics.relevance(question, [units[i].told.cells for i in rows])
    best = max(told)
    if best <= 0 and len(rows) >= max(units[i].passage.rows for i in rows):
        return set()  # all that there are: which of them is asked for no word tells
    return {i for i, fit in zip(rows, told, strict=True) if fit <= 0 or fit < _ROW * best}


def _parts(chosen: Sequence[int], units: Sequence[PageUnit]) -> list[list[int]]:
    """Return what is chosen in parts that stand far from each other on the page."""
    parts: list[list[int]] = []
    for i in chosen:
        if parts and units[i].start - units[parts[-1][-1]].end <= _FAR:
            parts[-1].append(i)
        else:
            parts.append([i])
    return parts


def _answer_first(part: Sequence[int], units: Sequence[PageUnit], fits: NDArray[np.float64]) -> list[int]:
    """Return the places of a part from the first sentence on that answers; then those before it."""
    least = _BEGINS * max(fits[i] for i in part)
    begins = next(i for i in part if fits[i] >= least)
    first = min((with_needed(begins, units) or set(part)).intersection(part))
    return [*(i for i in part if i >= first), *(i for i in part if i < first)]


def _said(unit: PageUnit, known: Sequence[frozenset[str]]) -> bool:
    """Tell whether a unit says over what is told elsewhere, as another edition of a page does."""
    own = frozenset(key(unit.told.words).split())
    return not is_label(unit) and any(len(own & other) >= _SAME * len(own) for other in known)


def _of_sections(
    ranked: Sequence[RankedSection],
    units: Sequence[PageUnit],
    worth: NDArray[np.float64],
    words: int,
    asked: Callable[[RankedSection], RankedSection],
) -> list[int]:
    """Return the places of the units to tell of one page's sections, in order: about so many words.

    Of a section what is asked for in it.
    """
    chosen: set[int] = set()
    best = 0.0
    for section in ranked:
        left = words - _size(chosen, units)
        if chosen and (section.fit < _NEXT * best or left < (1 - _ENOUGH) * words):
            break
        told = asked(section)
        best = best or told.fit
        chosen |= _from_beginning(told.places, units, worth, left)
    return sorted(chosen)


def _with_surroundings(
    chosen: Sequence[int],
    around: Iterable[RankedSection],
    units: Sequence[PageUnit],
    worth: NDArray[np.float64],
    words: float,
) -> list[int]:
    """Return what is chosen with sections around it, the last from its beginning: about so many words."""
    told = set(chosen)
    for section in around:
        left = words - _size(told, units)
        if left < _LITTLE:
            break
        told |= _from_beginning(section.places, units, worth, left / _WHOLE)
    return sorted(told)


def _with_steps(
    chosen: Sequence[int], around: Iterable[RankedSection], units: Sequence[PageUnit], words: float
) -> list[int]:
    """Return what is chosen with the sections around it that have room whole, up to the first that has not.

    A way to do something stands in short sections; a long one is about something else.
    """
    told = set(chosen)
    for section in around:
        if _size(told.union(section.places), units) > words:
            break
        told |= set[int]().union(*filter(None, (with_needed(i, units) for i in section.places)))
    return sorted(told)


def _from_beginning(
    section: Sequence[int], units: Sequence[PageUnit], worth: NDArray[np.float64], words: float
) -> set[int]:
    """Return a section whole or, of a long one, how it begins and what counts most in it, read straight on.

    Pieces from all over a section are neither a way to do something nor an account of it.
    """
    needed = {i: found for i in section if (found := with_needed(i, units))}
    whole = set[int]().union(*needed.values())
    if _size(whole, units) <= _WHOLE * words or not needed:
        return whole
    best = max(needed, key=lambda i: (round(float(worth[i]), 9), -i))
    told = _straight_on(needed, min(needed), units, _LONGEST * words)
    if best in told:
        return told
    near = _size([i for i in section if i < best], units) <= _TO_BEST
    lead = _lead(needed, units, _LEAD * words) if near else set[int]()
    paragraph = min(i for i in needed if units[i].block == units[best].block)
    for first in (paragraph, best):
        told = _straight_on(needed, first, units, _LONGEST * words - _size(lead, units))
        if best in told:
            break
    return lead | told


def _straight_on(
    needed: Mapping[int, set[int]], first: int, units: Sequence[PageUnit], words: float
) -> set[int]:
    """Return a unit and those behind it, each with what it needs, up to so many words; at least itself."""
    told = set(needed[first])
    for i in sorted(i for i in needed if i > first):
        more = told | needed[i]
        if _size(more, units) > words:
            break
        told = more
    return told


def _lead(needed: Mapping[int, set[int]], units: Sequence[PageUnit], words: float) -> set[int]:
    """Return what a section begins with: its first paragraph up to so many words, at least a sentence."""
    first = min(needed)
    lead = needed[first] if _size(needed[first], units) <= words else set[int]()
    for i in sorted(needed):
        more = lead | needed[i]
        if not lead or units[i].block != units[first].block or _size(more, units) > words:
            break
        lead = more
    return lead


def _size(chosen: Iterable[int], units: Sequence[PageUnit]) -> float:
    """Return the words of some units; those of code, which is looked over, count for less."""
    return sum(
        (_OF_CODE if units[i].told.form == "code" else 1) * word_count(units[i].told.words) for i in chosen
    )


def _worth(question: str, units: Sequence[PageUnit], statistics: Statistics) -> NDArray[np.float64]:
    """Return what each unit counts within its section: how well it fits, its passage and those beside it."""
    shown = list({unit.passage.id: unit.passage for unit in units}.values())
    fits = np.asarray(statistics.relevance(question, [f"{p.title}\n{p.text}" for p in shown]))
    near = statistics.meaning(question, [titled_text(p) for p in shown])
    if near is not None:
        fits = fits + np.maximum(near, 0.0)
    of_passage = {passage.id: float(fit) for passage, fit in zip(shown, fits, strict=True)}
    own = _fits(question, units, statistics)
    fit = own + _PASSAGE * np.array([of_passage[unit.passage.id] for unit in units])
    padded = np.concatenate([[0.0], fit, [0.0]])
    worth = fit + _BESIDE * (padded[:-2] + padded[2:]) / 2
    if asks_how(question):
        worth = worth * np.array([_STEP if unit.told.form == "step" else 1.0 for unit in units])
    return np.asarray(worth)


def _fits(question: str, units: Sequence[PageUnit], statistics: Statistics) -> NDArray[np.float64]:
    """Return how well each unit fits a question by itself, by its words and by what it means."""
    # Code is shown with what is said of it, never for the words in it.
    texts = ["" if unit.told.form == "code" else unit.told.asked for unit in units]
    by_words = np.asarray(statistics.relevance(question, texts))
    told = statistics.meaning(question, texts)
    if told is None:
        return by_words
    return by_words + np.where([bool(text) for text in texts], np.maximum(told, 0.0), 0.0)


def _told(chosen: Sequence[int], units: Sequence[PageUnit]) -> list[OpeningQuotation]:
    found: list[OpeningQuotation] = []
    begun = 0
    for place, i in enumerate(chosen):
        unit, before = units[i], units[chosen[place - 1]] if place else None
        if before is not None and unit.listed and same_item(unit, before) and follows(i, units):
            text = unit.passage.text  # with what stands between them: a quotation has no hole
            if words := as_told(text, begun, unit.told.end):
                found[-1] = replace(found[-1], words=words)
                continue
        begun = unit.told.start
        name = typed_name(unit)
        if name and name not in unit.told.words and (before is None or typed_name(before) != name):
            # What an entry says of its command or setting is no use without that.
            found.append(OpeningQuotation(unit.passage.id, name, "prose", opens=True))
        goes_on = (
            before is not None
            and chosen[place - 1] == i - 1
            and follows(i, units)
            and not on_new_line(unit, before)
            and (unit.block == before.block or before.told.introduces or unit.told.form == "code")
        )
        heads = unit.told.row.heads if unit.told.row else ()
        found.append(OpeningQuotation(unit.passage.id, unit.told.words, unit.told.form, not goes_on, heads))
    return found
