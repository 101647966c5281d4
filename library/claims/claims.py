"""What a text claims in a form that can be compared: its figures, dates, role holders and denials.

A claim keeps what stands around its value: the words of its clause (the measure), the names of its sentence
(the subject) and the years it speaks of (the time). `disagreement/contradiction_detection.py` compares them.
A reader of sentences, not a parser: what it cannot place it leaves out.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache
from typing import Literal

from library.claims.clauses import (
    Span,
    clause_around,
    is_wide,
    part_around,
    parts_of,
    together,
    without_asides,
    without_dates,
    without_others,
)
from library.claims.defined_terms import defined_above
from library.claims.negation.opposites import without_opposites
from library.claims.ranks import ranked_among, ranks
from library.claims.scope import figure_lead, goes_on, is_open, owned, subject
from library.claims.stated_roles import stated_roles
from library.claims.word_forms import base_roots
from library.evidence import Passage
from library.text import titled_text
from library.text import tokenize as analysis
from library.text.multilingual.language import detect
from library.text.multilingual.scripts import CJK
from library.text.multilingual.stop_words import STOP_WORDS
from library.text.quantities.date_parsing import Date, dates
from library.text.quantities.months import ABBREVIATED, ENGLISH_MONTHS, WEEKDAYS
from library.text.quantities.number_parsing import Bound, Number, numbers
from library.text.quantities.number_words import CHINESE, chinese
from library.text.sentences import sentences

Kind = Literal["number", "date", "name", "negation"]

NEGATION = re.compile(
    r"\b(?:not|no|never|(?-i:none)|nobody|neither|cannot|without)\b|^None\b|n[’']t\b"
    r"|没有|并未|从未|尚未|不曾|未能|并不|不是",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?<![\d.,/–-])(1[5-9]\d\d|20\d\d)(?![\d/]|[.,]\d)")
_IN_YEAR = re.compile(r"\b(?:in|since|from|by)\s(1[0-9]\d\d|20\d\d)(?![\d–-])", re.IGNORECASE)
_FIGURE_PAIRS = re.compile(r"百分之|[万亿]+[元人]?|(?<=\d)[年月日号]")
_LABEL = re.compile(
    r"(?:\b(?:section|chapter|pages?|pp?\.|nos?\.|number|figure|fig\.|table|article|part|volume|vol\.|route|"
    r"highway|flight|line|room|episode|season|round|stage|grade|class|level|day|week|item|step|version|channel|group|"
    r"gate|platform|act|bill|rule|psalm|pep|rfc|iso|appendix|see)\s?|[第表图圖页頁节節章]\s?|[参參]?[见見阅閱]\s?|附[录錄]\s?|"
    r"[#§\[(/:.–-])$",
    re.IGNORECASE,
)
_LABEL_AFTER = re.compile(
    r"(?:[-–:/]\d|\s?(?:am|pm|a\.m|p\.m)\b|\]|\)|-(?:year|day|month|hour|week)-old|th\b|[A-Za-z]|"
    r"\s?小?[节節章])"
)
_PART_OF_NAME = re.compile("[A-Za-z]")
"""What stands before the 3 of `P3`."""
_VERSION_AFTER = re.compile(r"\.x\b")
_VERSION = re.compile(r"(?:\b[A-Z]\w+|\b(?:from|than|since|before|until|version|release))\s$")
"""What stands before `3.10` in `deprecated since Python 3.10`, and in `Basic Concepts 14.1`."""
_MOST_FIGURES = 4
"""Figures of a sentence; one with more tells a list or a row of a table."""
_PLAN = re.compile(
    r"\b(?:schedul\w+|planned|plans? (?:to|for|is|was)|expect\w*|due|delay\w*|postpon\w+|moved|pushed|set to|"
    r"supposed|propos\w+|target\w*|aim\w*|would|will|to be)\b|计划|预计|推迟|延期|拟",
    re.IGNORECASE,
)
"""A date that was only meant changes, and contradicts nothing."""
_PROSE = re.compile(
    rf"(?:\d+[.)]\s|[-*•]\s)?[\"“‘(（《「]?(?:[^\W_a-z]|\d|[{CJK}]).*[.!?。！？…][\"”’)）」]*$", re.DOTALL
)
"""A sentence: it begins large and ends with a stop. Headings, rows and lines of a program do not."""
_NO_PROSE = re.compile(r"[|{}`=<>\\]|\S(?: {2,}|\t)\S|::|\w_\w|\w\(\)")
"""What stands in tables, listings and names of a program's parts."""
_BLANK = re.compile(r"\n[ \t]*\n")
_LIST_NUMBER = re.compile(r"\d+[.)]\s")
_FEWEST = 3
"""Words of a sentence that is read, what its pronoun stands for among them."""
_LONGEST = 60
"""Words of a sentence that is read; longer ones are tables and lists."""

_ALIKE_TEXT = (
    "death die dead kill fatality toll perish lost-live casualty victim 死亡 遇难 丧生 身亡 死者",
    "injury injure wound hurt 受伤 伤者 负伤",
    "cost price spend expense budget",
    "open inaugurate",
    "establish found create",
    "begin start commence launch",
    "finish complete end conclude",
    "inhabitant resident population people person individual",
    "house home dwelling building",
    "loss damage",
    "visitor tourist guest",
    "crash accident collision",
    "tall height high",
    "member membership",
    "evacuate relocate move",
    "deep depth",
    "long length",
    "wide width",
    "weigh weight",
    "release publish appear issue comeout cameout",
    "employ work staff",
)
_ALIKE_WORDS = {word: group.split()[0] for group in _ALIKE_TEXT for word in group.split()}
_ALIKE = base_roots(_ALIKE_WORDS) | {analysis.stem(word): root for word, root in _ALIKE_WORDS.items()}
COUNTED = {"death", "injury"}
"""What these count is always people: their noun need not be the same."""


_NO_MEASURE_TEXT = """
    million billion thousand hundred percent per cent km kilometre kilometer mile mi metre meter ft feet
    foot kg euro dollar pound yuan year month day hour minute second total number also
    found find lie stand show see say tell report count record hold measure reach accord
"""
_NO_MEASURE = STOP_WORDS | frozenset(map(analysis.stem, _NO_MEASURE_TEXT.split()))
"""Words of a clause that say nothing of what is measured: units are compared by themselves."""


@dataclass(frozen=True, slots=True)
class Claim:
    """One value that a sentence states, with what stands around it."""

    kind: Kind
    passage: Passage
    sentence: str
    written: str
    """The value as written."""
    keys: frozenset[str]
    """What is measured, as far as it can be told: claims without a shared key are about different things."""
    near: Mapping[str, str]
    """The clause's content words, numbers left out: root to index term."""
    about: Mapping[str, str]
    """The sentence's content words, in the same way."""
    names: frozenset[str]
    """Names in the sentence, folded."""
    years: frozenset[int]
    """Years that the sentence speaks of."""
    clause: str
    """The clause of the value, as written."""
    number: Number | None = None
    date: Date | None = None
    bound: Bound = "exact"
    negated: bool = False
    before: frozenset[int] = frozenset()
    """Years that were mentioned last before the sentence in its passage."""
    around: frozenset[str] = frozenset()
    """Names in it, those inside the sentences of its passage, and the words of its page's title, folded."""
    wide: bool = False
    """Its sentence has Chinese or Japanese characters."""
    holds_for: str = ""
    """What of its sentence may narrow what it says: without clauses that are about other figures."""
    goes_on: frozenset[str] = frozenset()
    """Names of the sentence before, where this one's subject is a pronoun."""
    defines: str = ""
    """The option or term that it stands under in its passage."""
    deed: frozenset[str] = frozenset()
    """Roots of the words of what a name won, designed or founded; none for an office."""

    @property
    def worth(self) -> list[Decimal]:
        """What its number may be, in the unit that all of its kind are compared in; the smallest first."""
        if self.number is None:
            return []
        unit = self.number.unit
        return [value * (unit.worth if unit else 1) for value in sorted(self.number.values)]


def root(term: str) -> str:
    """Return an index term, those of words for the same kind of event made one."""
    return _ALIKE.get(term, term)


def content(text: str) -> dict[str, str]:
    """Return the roots of a text's content words, each with its index term; numbers are left out."""
    if is_wide(text):
        text = _FIGURE_PAIRS.sub(" ", CHINESE.sub(" ", text))
    text = _FOUNDED.sub("establish", text)
    terms = (term for term in analysis.terms(text) if not term[0].isdigit())
    found = {base: term for term in terms if not {term, base := root(term)} & _NO_MEANING}
    if is_wide(text):
        found |= {_ALIKE[word]: word for word in _ALIKE if not word.isascii() and word in text}
    return found


_FOUNDED = re.compile(r"\bfound(?=ed\b|ing\b)", re.IGNORECASE)
"""What `found in 1997`, from which nothing is measured, would be taken for: they have one stem."""
_CALENDAR = frozenset(map(analysis.stem, (*ENGLISH_MONTHS, *ABBREVIATED, *WEEKDAYS)))
_NO_MEANING = _CALENDAR | _NO_MEASURE


@lru_cache(maxsize=1_000)  # of a passage they take 10 kB
def claims(passage: Passage) -> tuple[Claim, ...]:
    """Return the claims of a passage, sentence by sentence."""
    found: list[Claim] = []
    known = _names_inside(titled_text(passage))
    inside = _names_inside(passage.text)
    titled = frozenset(content(passage.title))
    before, names, since, last = frozenset[int](), frozenset[str](), frozenset[str](), 0
    meant: Mapping[str, str] = {}
    for start, end in sentences(passage.text):
        sentence = passage.text[start:end]
        if _BLANK.search(passage.text, last, start):  # another paragraph goes on about nothing
            before, meant = frozenset(), {}
        written = CHINESE.sub(_as_digits, sentence)
        own = frozenset(int(year) for year in _YEAR.findall(written))
        named_here = _names(_subject(sentence), known)
        if named_here and not named_here & since and not own:
            before = frozenset()  # on somebody else: the year was not theirs
        words = len(analysis.terms(sentence))
        longest = _LONGEST * (2 if is_wide(sentence) else 1)
        follows = (is_open(sentence) or owned(sentence)) and not is_wide(sentence)
        enough = words + (len(meant) if follows else 0) >= _FEWEST
        if enough and words <= longest and _PROSE.match(sentence) and not _NO_PROSE.search(sentence):
            named = names if goes_on(sentence) else frozenset[str]()
            read = _read(passage, sentence, written, known, own)
            wide, term = is_wide(sentence), defined_above(passage.text, start)
            around = inside | titled
            found += [
                replace(
                    c, before=before, goes_on=named, around=around | c.names, wide=wide, defines=term,
                    near={**c.near, **meant} if follows else c.near,
                    about={**c.about, **meant} if follows else c.about,
                )
                for c in read
            ]  # fmt: skip
        since = _names(sentence, known) if own else since | _names(sentence, known)
        before, names, last = own or before, named_here, end
        if not follows:
            meant = content(" ".join(subject(sentence)))
    return tuple(found)


def _as_digits(match: re.Match[str]) -> str:
    following = match.string[match.end() : match.end() + 1]
    return str(chinese(match[0])) if following and following in "年月日号號" else match[0]


def _read(
    passage: Passage, sentence: str, written: str, known: frozenset[str], years: frozenset[int]
) -> Iterator[Claim]:
    about, names = content(sentence), _names(sentence, known)
    said, rest = dates(written)
    figures = [n for n in numbers(rest) if _is_figure(n, rest)]
    in_years = [] if said else list(_IN_YEAR.finditer(written))
    counted = sorted(n.start for n in figures)
    spots = sorted([*counted, *(d.start for d in said), *(m.start() for m in in_years)])
    subject, english = _subject(written), detect(titled_text(passage)) == "en"

    def claim(
        kind: Kind, text: str, keys: set[str], near: dict[str, str], span: Span,
        value: Span | None = None, **more: object,
    ) -> Claim:
        clause = written[slice(*span)]
        # `2,100 GWh in 2018 and 1,750 GWh in 2019`: each has a year of its own.
        own = frozenset(int(year) for year in _YEAR.findall(clause)) if kind == "number" else None
        times = own or (years if kind != "date" else frozenset[int]())
        return Claim(
            kind, passage, sentence, text, frozenset(keys), near, about, names, times, clause,
            holds_for=without_others(written, span, value), **more,  # type: ignore[arg-type]
        )  # fmt: skip

    lead = figure_lead(written)  # `With a depth of 118 metres, the lake …`: what follows is on it
    led = content(" ".join(_on(written[lead:]))) if lead else {}
    dated = [d.start for d in said] + [m.start() for m in in_years]

    for number in figures if len(figures) <= _MOST_FIGURES else []:
        clause = clause_around(written, number.start, number.end, counted)
        clause = without_dates(written, number.end, clause, dated)
        if number.end <= lead:
            clause = (0, min(lead, clause[1]))
        inside = rest[clause[0] : number.start] + " , " + rest[number.end : clause[1]]
        near = content(without_asides(inside if clause[0] == 0 else f"{subject} , {inside}"))
        near |= led if number.end <= lead else {}
        keys = _keys(number, rest, clause, near)
        worth = _in_thousands(number) if english else number
        value = number.start, number.end
        yield claim("number", number.text, keys, near, clause, value, number=worth, bound=number.bound)
    for rank, order in ranks(written):
        start, end = clause_around(written, rank.start, rank.end, [rank.start])
        inside = f"{written[start : rank.start]} , {written[rank.end : end]}"
        key = f"rank {order} {' '.join(sorted(content(ranked_among(written[rank.end : end]))))}"
        placed = claim("number", rank.text, {key}, content(without_asides(inside)), (start, end))
        yield replace(placed, number=rank, holds_for=inside)
    told = [(date, date.start, date.start + len(date.text)) for date in said]
    told += [(Date(m[1], int(m[1]), None, None), m.start(), m.end()) for m in in_years]
    for date, start, end in told:
        clause = clause_around(written, start, end, spots)
        clause = (0, min(lead, clause[1])) if end <= lead else clause
        meant = _PLAN.search(written[slice(*clause)])
        # A date beside a figure says for when that holds.
        beside = (figure for figure in counted if not written[:figure].endswith(" by "))
        if not meant and not any(together(written, start, figure) for figure in beside):
            near = content(rest[slice(*clause)] if clause[0] == 0 else f"{subject} , {rest[slice(*clause)]}")
            near |= led if end <= lead else {}
            yield claim("date", date.text, {"date"}, near, clause, date=date)
    for role, name, start, end, deed in stated_roles(sentence):
        held = frozenset(names - _folded(name))
        part = part_around(sentence, start, end)
        near = content(part.replace(name, ""))
        yield Claim(
            "name", passage, sentence, name, frozenset({f"role {role}"}), near, about, held, years, part,
            holds_for=sentence, deed=frozenset(content(deed)),
        )  # fmt: skip
    parts = parts_of(written)
    for start, end in [(0, len(written)), *(parts if len(parts) > 1 else [])]:
        plain = without_opposites(written[start:end], "en")
        denied = bool(NEGATION.search(plain))
        stated = content(NEGATION.sub(" ", plain))
        if len(stated) >= _FEWEST or start == 0:
            key = "denied" if denied else "said"
            one = claim("negation", sentence, {key}, stated, (start, end), negated=denied)
            yield replace(one, about=stated, clause=plain)


def _subject(text: str) -> str:
    """Return what a sentence begins with, up to its first break: clauses after it go on about that."""
    if is_wide(text):
        return ""
    first = re.split(r"[,;:(]", text, maxsplit=1)[0].split()[:4]
    # Not its verb, where that can be told: `The phone weighs 187 grams and has a battery of …`.
    named = subject(text)
    kept = (word for word in first if word.casefold().rstrip("s") in named or word[0].isupper())
    return " ".join(kept if named else first)


def _on(text: str) -> Collection[str]:
    """Return the words that say what a clause is on, its first ones where its verb cannot be told."""
    return subject(text) or text.split()[:4]


def _is_figure(number: Number, text: str) -> bool:
    """Tell whether a number counts or measures something: no label, year, time of day or part of a word."""
    if number.start > 0 and number.text[:1].isdigit() and _PART_OF_NAME.match(text[number.start - 1]):
        return False
    listed = number.start == 0 and _LIST_NUMBER.match(text)
    if (
        listed
        or number.ordinal
        or number.start < 0
        or _LABEL.search(text[max(0, number.start - 12) : number.start])
    ):
        return False
    if number.text.count(".") > 1 or (number.text.endswith(".") and not number.units):
        return False
    if (
        number.unit is None
        and "." in number.text
        and (_VERSION.search(text[: number.start]) or _VERSION_AFTER.match(text, number.end))
    ):
        return False
    if number.unit is None and (
        _LABEL_AFTER.match(text, number.end) or _YEAR.fullmatch(number.text) or number.values <= {0, 1}
    ):
        return False
    return len(number.text) > 0 and not re.fullmatch(r"0\d+", number.text)


def _keys(number: Number, text: str, clause: tuple[int, int], near: Mapping[str, str]) -> set[str]:
    """Return what a number counts or measures: its unit, or the nouns that follow it."""
    counted = COUNTED & set(near)
    if number.unit is not None:
        return {f"unit {number.unit.dimension}"}
    after = text[number.end : min(clause[1], number.end + 48)]
    if is_wide(after[:2]):
        noun = re.sub(r"^(?:多|余|来)", "", after)[:1]
        return counted or {f"noun {'人' if noun in '人名位' else noun}"}
    following = re.match(r"(?:\s+(?:of\s|the\s)?[A-Za-z’'-]+){1,3}", after)
    nouns = content(following[0]) if following else {}
    numbered = _NUMBERED.search(text, clause[0], number.start)
    if (
        numbered
        and number.text.isdecimal()
        and not content(after.split(maxsplit=1)[0] if after.strip() else "")
    ):
        return {f"noun {word}" for word in content(numbered["noun"])}
    return counted | {
        f"noun {word}" for word in nouns or near
    }  # `a population of 900`: what is counted stands before


_NUMBERED = re.compile(r"\b(?:on|of|to|uses?|over|at|in|is)\s(?P<noun>[a-z]{3,20})\s$")
"""What stands before a number that names one of them: `on port 7070`."""
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+")


def _in_thousands(number: Number) -> Number:
    """Return a number of an English text as it is meant there: `2,000` is no 2.0."""
    return (
        replace(number, values=frozenset({max(number.values)}))
        if _THOUSANDS.fullmatch(number.text)
        else number
    )


_SMALL = re.compile(r"\b[a-z]{2,}\b")
_CAPITAL = re.compile(r"[A-Z][\w’'-]+|[A-Z]{2,}")


def _names_inside(text: str) -> frozenset[str]:
    """Return the folded words that a text writes with a capital inside its sentences."""
    found: set[str] = set()
    for start, end in sentences(text):
        found |= _folded(" ".join(m[0] for m in _CAPITAL.finditer(text[start:end]) if m.start() > 1))
    return frozenset(found)


def _names(sentence: str, known: frozenset[str]) -> frozenset[str]:
    """Return the names of a sentence; its first word only when it is one elsewhere too."""
    inside = _folded(" ".join(m[0] for m in _CAPITAL.finditer(sentence) if m.start() > 1))
    first = _CAPITAL.match(sentence)
    plain = {root(term) for term in analysis.terms(" ".join(_SMALL.findall(sentence)))}
    return frozenset((inside | (_folded(first[0]) & known if first else set())) - plain)


def _folded(text: str) -> set[str]:
    return {
        root(term) for term in analysis.terms(re.sub(r"[’']s\b", "", text))
        if len(term) > 1 and not term[0].isdigit() and term not in _CALENDAR and term not in STOP_WORDS
    }  # fmt: skip
