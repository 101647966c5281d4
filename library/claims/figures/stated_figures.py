"""Numbers and dates of a text, in whatever way they are written, and which of them nothing supports."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from library.claims.figures.derived_figures import in_proportion, lies_between
from library.claims.figures.own_counts import counts_itself
from library.text.multilingual.scripts import CJK
from library.text.multilingual.stop_words import STOP_WORDS
from library.text.quantities import compare
from library.text.quantities import date_parsing as calendar
from library.text.quantities.date_parsing import Date
from library.text.quantities.number_parsing import Number, numbers
from library.text.quantities.number_words import CHINESE_RUN
from library.text.quantities.units import dimensions
from library.text.questions import is_question, is_wish
from library.text.sentences import sentences
from library.text.tokenize import stem

_LABEL = re.compile(rf"(?:(?P<sign>[{CJK}])|(?<![^\W\d_])[^\W\d_]{{3,40}}\.?)\s{{0,3}}$")
"""The word, or the sign, before a number."""
_COUNTED = re.compile(rf"\s?((?:[^\W\d_{CJK}]|-){{2,40}}|[{CJK}])")
"""What a number counts: the word, or the sign, right behind it."""
_BARE_YEAR = re.compile(
    r"(?P<before>(?<![^\W\d_])[^\W\d_]{0,40})\s{0,3}(?<![\w.,])(?P<year>1\d{3}|20\d\d)(?![\d%]|[.,]\d)\s{0,3}"
    r"(?P<after>[^\W\d_]{0,40})"
)
"""Four digits of a year, with the words around them."""
_ARTICLE = re.compile(r"the|an?|der|die|das|den|dem|des|le|la|les|du|el|los|las|il|lo|gli|o|os|as|het|de")
"""Before a year that is part of what something is called."""
_GIVEN = re.compile(
    r"(?:(?:^|[,;:]\s)(?:for|für|bei|pour|para)\s|^(?:with|mit|avec|con)\s|\b(?:your|Ihren?|votre|vos)\s)"
    r"(?:(?:about|some|around|roughly|nearly|up\sto|at\sleast|your|the|an?\s[\w-]{1,30}\s(?:of|with))\s){0,2}$"
    r"|(?:对于|你的|您的)\s?$",
    re.IGNORECASE,
)
"""What stands before a figure that is taken as given and not said of anything: `for 500 GB`, `your 500`."""
_OWN_WAY = re.compile(
    r"\bhow (?:(?:do|can|could|should|would|might|must) (?:i|we|you|one)|to)\b|如何|怎么才能|怎樣才能"
    r"|怎样才能|\bwie (?:kann|muss|soll|mache)\b|\bcomment (?:puis-je|faire)\b|\bcómo (?:puedo|hago)\b",
    re.IGNORECASE,
)
"""Asks for a way to do something that who asks wants: no figure of it is in question."""
_GLUED, _GLUED_ON = re.compile(r"(?<![\w-])[A-Za-z][A-Za-z-]{0,11}$"), re.compile(r"[A-Za-z-]{1,12}(?!\w)")
"""Letters that a number stands with in one word, before and behind it."""
_WORD_BEFORE = re.compile(r"(?<!\w)([^\W\d_]{2,40})\s$")
_FRACTION_OF = re.compile(r"(?:an?|one)[\s-]([a-z]+)\s+of", re.IGNORECASE)
_CONNECTING = re.compile(r"^\s*(?:first|second|third|secondly|firstly|thirdly)\s*,", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Known:
    """What the figures of some texts are."""

    dates: tuple[Date, ...]
    numbers: tuple[Number, ...]
    dimensions: frozenset[str]
    """What is measured anywhere in it, beside a number or in the head of a column."""

    @property
    def years(self) -> set[int]:
        """Every year that is said, as part of a date or alone."""
        alone = {int(value) for n in self.numbers if not n.units for value in n.values if _in_years(value)}
        return alone | {date.year for date in self.dates if date.year is not None}


@lru_cache(maxsize=4096)
def read(text: str) -> Known:
    """Read the dates and numbers of a text."""
    found, rest = calendar.dates(text)
    return Known(tuple(found), tuple(numbers(rest)), dimensions(text))


def years_named(topic: str) -> list[str]:
    """Return the years that a topic names what it is about by: "the 2022 final", "in 1934", "2022 年".

    Not a number that counts something, as in "Did 1500 people die?" or "Is 2048 MB enough?".
    """
    measured = {number.start for number in numbers(topic) if number.units}
    found = [str(date.year) for date in read(topic).dates if date.year is not None]
    for match in _BARE_YEAR.finditer(topic):
        before, after = match["before"].casefold(), match["after"]
        # `the 2010 Bar exam` is none of pressure: a unit's sign has few letters, or small ones.
        if match.start("year") in measured and not (len(after) > 2 and _ARTICLE.fullmatch(before)):
            continue
        # Behind a preposition nothing is counted; before a common noun it is, but for "the 2022 final".
        alone = not after or after.casefold() in STOP_WORDS
        if after[:1].isupper() or (before in STOP_WORDS and alone) or _ARTICLE.fullmatch(before):
            found.append(match["year"])
    return list(dict.fromkeys(found))


_SHORT_VERSION = re.compile(r"\d{1,3}(?:\.\d{1,3}){1,2}")
_MEASURED = re.compile(r"\s*(?:%|percent\b|per\b|times\b)")
"""Behind a number that measures, whatever its unit."""
_BEFORE_VERSION = 60
"""Characters before a number that are looked at."""
_VERSION_FOLLOWS = re.compile(
    r"(?:\b(?:[Vv]ersions?|[Rr]eleases?|[Ss]ince|[Uu]s(?:e|es|ed|ing)|[Ii]nstall(?:s|ed|ing)?"
    r"|[Uu]pgraded? to)\s|\b[Vv]\.?\s?|版本?\s?|自\s?)$"
)
"""Before a number that is a version: a word for one, or for what is done with one."""
_VERSIONS = frozenset(map(stem, ("version", "versions", "release", "releases")))
_JOINED = re.compile(r"\s*(?:to|and|or|through|until|up to|[-–,])\s*")
"""Between two numbers of one kind."""
_NAME_BEFORE = re.compile(r"(?<![^\W_])(?P<name>[A-Z][\w+-]{1,40})\s$")
_VERSION_BEFORE = re.compile(r"\s?(?:runs?\b|is installed\b|版)")
"""Behind a number that is a version."""
_PLACE = re.compile(
    r"(?:\b(?:sections?|chapters?|figures?|fig\.|tables?|clauses?|articles?|paragraphs?|appendix|steps?"
    r"|parts?)|§{1,2}|第)\s*$",
    re.IGNORECASE,
)
"""Before the number of a place in a document."""


_CLOCK = re.compile(r"(?<![\d:.])\d{1,2}:\d{2}(?::\d{2})?(?![\d:])")
"""A time of day; of what is told to the fraction of a second the seconds are enough."""


def _without_times(text: str, sources: Sequence[str]) -> str:
    """Return a text without the times of day that a source or the question has: each is one figure."""

    def known(time: re.Match[str]) -> str:
        whole = re.compile(rf"(?<![\d:]){time[0]}(?!\d)")
        return " " if any(whole.search(source) for source in sources) else time[0]

    return _CLOCK.sub(known, text)


def _is_bare_fraction(number: Number, passages: Sequence[str]) -> bool:
    """Tell whether passages say a fraction without what it is of: `a third had never been photographed`.

    It may be an ordinal there (`a third man`): that, a judge reads.
    """
    of = _FRACTION_OF.fullmatch(number.text)
    return of is not None and any(
        re.search(rf"\b(?:an?|one)[\s-]{of[1]}\b", part, re.IGNORECASE) for part in passages
    )


def missing_figures(
    text: str, passages: Sequence[str], around: Sequence[str] = (), *, asked: str = ""
) -> list[str]:
    """Return the dates and numbers of a text that the passages do not say, as the text writes them.

    Args:
        text: A sentence without quotations and citations.
        passages: The passages that it cites.
        around: What else is known of their sources (title, date): it supports dates, and numbers of places
            (`chapter 4`), but no other number.
        asked: The question that the text answers: a number of its own may be taken up, where it is told as
            given (`for 500 GB`, `your 500 GB`). Where the passages measure the same, only beside a figure of
            theirs of that measure: what was asked is no fact by itself. What who asks tells of the matter, in
            a sentence that asks nothing (`Three days ago it was sent.`), may be taken up anywhere.
    """
    text = _without_times(_CONNECTING.sub("", text), [*passages, *around, asked])
    said = read(text)
    known = [read(passage) for passage in passages]
    told = _told_by_asker(asked)
    beside = [read(part) for part in (*around, *told)]
    all_dates = [date for part in (*known, *beside) for date in part.dates]
    years = {year for part in (*known, *beside) for year in part.years}
    figures = [number for part in known for number in part.numbers]
    measured = frozenset().union(*(part.dimensions for part in (*known, *beside)))
    sources = [(passage, part.numbers) for passage, part in zip(passages, known, strict=True)]
    signs = {run for passage in passages for run in CHINESE_RUN.findall(passage)}
    missing = [date.text for date in said.dates if not calendar.supported(date, all_dates, years)]
    missing += [
        number.text
        for number in said.numbers
        if _weighs(number)
        and number.text not in signs  # 四个阶段 of what a passage calls 四级 or 第四阶段
        and not compare.supported(number, figures, measured)
        and not _dated(number, all_dates, years)
        and not counts_itself(number, text, sources)
        and not _numbers_place(number, text, around)
        and not _is_bare_fraction(number, passages)
        and not _begins_version(number, text, passages)
        and not _is_their_version(number, text, around)
        and not any(_is_given(number, text, part) for part in told)
        and not _asked_for(number, said, text, asked, sources)
        and not _of_its_name(number, text, asked)
        and not lies_between(number, text, all_dates)
        and not in_proportion(number, text, [asked, *passages])
    ]
    return list(dict.fromkeys(missing))


def _begins_version(number: Number, text: str, passages: Sequence[str]) -> bool:
    """Tell whether a number is a version in short: `Since 1.2` where a source has `1.2.0`; no measure.

    A section's number (`see section 3.1.2`) is no version, and `the dose is 1.2` says none.
    """
    if number.units or number.start < 0 or not _SHORT_VERSION.fullmatch(number.text):
        return False
    if _MEASURED.match(text, number.end) or not _stands_as_version(number.start, number.end, text):
        return False
    longer = re.compile(rf"(?<![\w.,]){re.escape(number.text)}\.(?:\d{{1,3}}|x)(?![\w,]|\.?\d)")
    return any(
        not _PLACE.search(passage, 0, found.start())
        for passage in passages
        for found in longer.finditer(passage)
    )


def _is_their_version(number: Number, text: str, around: Sequence[str]) -> bool:
    """Tell whether a number is the version that a source or a section is called by: `Release 15.5`."""
    if number.units or not _SHORT_VERSION.fullmatch(number.text) or _MEASURED.match(text, number.end):
        return False
    written = re.compile(rf"(?<![\w.,]){re.escape(number.text)}(?![\w,]|\.?\d)")
    return any(
        _stands_as_version(found.start(), found.end(), part)
        for part in around
        for found in written.finditer(part)
    )


def _stands_as_version(start: int, end: int, text: str) -> bool:
    """Tell whether a number stands where versions do: behind a word for one, or the name of what has them."""
    before = text[max(0, start - _BEFORE_VERSION) : start]
    if _PLACE.search(before):
        return False
    if _VERSION_FOLLOWS.search(before) or _VERSION_BEFORE.match(text, end):
        return True
    name = _NAME_BEFORE.search(before)
    return name is not None and name["name"].casefold() not in STOP_WORDS


def _told_by_asker(asked: str) -> list[str]:
    """Return the sentences of a question that tell what it is asked of: none asks, another one does.

    What somebody says to want or to have to do is told, too: `We must move 2 TB from version 11 to 15.`
    """
    parts = [asked[start:end] for start, end in sentences(asked)]
    told = [part for part in parts if not is_question(part) or is_wish(part)]
    wanted = [part for part in parts if _OWN_WAY.search(part) and part not in told]
    return [*(told if len(told) < len(parts) else []), *wanted]


def _is_given(number: Number, text: str, told: str) -> bool:
    """Tell whether who asks says a number of the same measure, or behind the same word: `version 11`.

    A version may stand there behind the name of what has it.
    """
    label = _label(number, text)
    given = [
        other
        for other, word in _labelled(told)
        if _measures_same(number, text, other, told)
        or (label and label == word.casefold())
        or (label in _VERSIONS and word[:1].isupper())
    ]
    return compare.supported(number, given)


def _labelled(told: str) -> list[tuple[Number, str]]:
    """Return numbers with the word before each, as it is written where it is a name; `to 15` goes on."""
    found: list[tuple[Number, str]] = []
    end, word = 0, ""
    for number in read(told).numbers:
        label = _label(number, told)
        name = _NAME_BEFORE.search(told, 0, max(0, number.start)) if label else None
        joined = 0 < end <= number.start and _JOINED.fullmatch(told, end, number.start)
        word = name["name"].capitalize() if name and label == stem(name["name"].casefold()) else label
        if not label and joined and found:
            word = found[-1][1]
        found.append((number, word))
        end = number.end
    return found


def _label(number: Number, text: str) -> str:
    """Return the word before a bare number that numbers something; '' for none, and for `to 15`."""
    found = _LABEL.search(text, 0, number.start) if number.start >= 0 and not number.units else None
    word = found[0].strip(" .").casefold() if found else ""
    return "" if word in STOP_WORDS else stem(word)


def _asked_for(
    number: Number,
    said: Known,
    text: str,
    asked: str,
    sources: Sequence[tuple[str, Sequence[Number]]],
) -> bool:
    """Tell whether a number is the asker's, beside the sources' own or, where they have none, as given."""
    given = [other for other in read(asked).numbers if _measures_same(number, text, other, asked)]
    if not compare.supported(number, given):
        return False
    rivals = [n for passage, found in sources for n in found if _measures_same(number, text, n, passage)]
    if not rivals:
        return number.start >= 0 and _GIVEN.search(text, 0, number.start) is not None
    others = [
        other for other in said.numbers if other != number and _measures_same(number, text, other, text)
    ]
    return any(compare.supported(other, rivals) for other in others)


def _of_its_name(number: Number, text: str, asked: str) -> bool:
    """Tell whether a number is part of what the question calls its matter: `flight 1234`, `XY1234`."""
    if number.start < 0 or number.units or number.spelled:
        return False
    before, after = text[: number.start], text[number.end :]
    glued = (_GLUED.search(before) or [""])[0] + number.text + (_GLUED_ON.match(after) or [""])[0]
    if glued != number.text:
        return re.search(rf"(?<![\w-]){re.escape(glued)}(?![\w-])", asked) is not None
    label = _WORD_BEFORE.search(before)
    if label is None or label[1].casefold() in STOP_WORDS:
        return False
    word = f"(?i:{re.escape(label[1])})"
    # `the storm killed 240 people` names nothing: a name follows another, or an article.
    named = r"(?:[A-Z][\w’'.-]{0,40}\s|\b(?i:the|an?|of|no)\s|(?<!\w)(?=[A-Z]))"
    return re.search(rf"{named}{word}\s{re.escape(number.text)}(?![\w%]|[.,]\d)", asked) is not None


def _measures_same(number: Number, text: str, other: Number, passage: str) -> bool:
    """Tell whether two numbers are of one kind: of units that compare, else of the same word behind."""
    if number.units or other.units:
        return any(a.dimension == b.dimension for a in number.units for b in other.units)
    counted, also = (_COUNTED.match(t[n.end :]) for n, t in ((number, text), (other, passage)))
    return counted is not None and also is not None and stem(counted[1]) == stem(also[1])


def _weighs(number: Number) -> bool:
    """Tell whether a number is a claim: `one` and `first` in words are too common to be one."""
    return not (number.spelled and number.values <= {0, 1})


def _numbers_place(number: Number, text: str, around: Sequence[str]) -> bool:
    """Tell whether a number is part of what a source or a section is called: `Chapter 4`, `第 4 章`."""
    label = None if number.units or number.start < 0 else _LABEL.search(text[: number.start])
    if label is None or label[0].strip().casefold() in STOP_WORDS:
        return False
    written = rf"{re.escape(label[0].strip())}\s*{re.escape(number.text)}"
    if wide := label["sign"]:
        behind = text[number.end :].lstrip()[:1]
        written = rf"{re.escape(wide)}\s*{re.escape(number.text)}\s*{re.escape(behind)}"
    pattern = re.compile(rf"(?<![^\W_]){written}(?![.,]?\d)" if not wide else written, re.IGNORECASE)
    return any(pattern.search(part) for part in around)


def _dated(number: Number, dates: Sequence[Date], years: set[int]) -> bool:
    if not number.units and any(value in years for value in number.values):
        return True
    return number.ordinal and any(date.day in number.values for date in dates)


def swapped_figures(text: str, original: str) -> list[str]:
    """Return the figures of a text that stand where its original has others of the same kind.

    For a sentence that is nearly the original's own words: what it puts in the place of another figure is
    wrong even where the passage holds it elsewhere. A figure merely added (a year from the sentence
    before) is none.
    """
    mine, theirs = read(text), read(original)
    added, lost = Counter(_dated_marks(mine)), Counter(_dated_marks(theirs))
    added, lost = added - lost, lost - added
    kinds = {kind for kind, _value in lost}
    found = [value for kind, value in added if kind in kinds]
    left = _unmatched(
        [number for number in mine.numbers if _weighs(number) and not _is_year(number)],
        [number for number in theirs.numbers if _weighs(number) and not _is_year(number)],
    )
    return found + [number.text for number in left]


def _unmatched(mine: list[Number], theirs: list[Number]) -> list[Number]:
    """Return the numbers that have no partner, when some of the original's have none either.

    What is the same to the last digit is paired first: `31 km` is no rounded `20 nmi` that stands beside it.
    """
    tests: tuple[Callable[[Number, Number], bool], ...] = (
        lambda a, b: (
            bool(a.values & b.values) and (not a.units or not b.units or bool({*a.units} & {*b.units}))
        ),
        lambda a, b: (a.bound == "about" or not {*a.units} & {*b.units}) and compare.same(a, b),
    )
    for pairs in tests:
        for number in list(mine):
            if (match := next((n for n in theirs if pairs(number, n)), None)) is not None:
                mine.remove(number)
                theirs.remove(match)
    return mine if theirs else []


def _in_years(value: Decimal) -> bool:
    return value == int(value) and 1000 <= value < 2100


def _is_year(number: Number) -> bool:
    """Tell whether a number alone is a year."""
    return number.text.isdecimal() and not number.units and _in_years(max(number.values))


def _dated_marks(known: Known) -> Iterator[tuple[str, str]]:
    for date in known.dates:
        if date.year is not None:
            yield "year", str(date.year)
        if date.month is not None:
            yield "month", str(date.month)
        if date.day is not None:
            yield "day", str(date.day)
    for number in known.numbers:
        if _weighs(number) and _is_year(number):
            yield "year", str(int(max(number.values)))
