"""Which sentence tells of a thing what is asked: by names, words and meaning.

A sentence counts for a thing where it names it, or stands under a title or heading that does, and names no
other of the things. Among those the one is chosen that means most of the question (the sentence model, in
English), or has its words or words that are used like them. Nothing is put together: what is chosen is a
quotation.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from library import Passage, Source
from library.passages import Form, headings_above, word_count
from library.text import (
    CJK,
    COUNT,
    Number,
    asked_measures,
    asks_condition,
    asks_measure_alone,
    asks_when,
    asks_who,
    dates,
    gives_measure,
    numbers,
    related_words,
    sentence_vectors,
    tells_condition,
    tells_who,
    terms,
    without_when,
    words,
)
from models import Statistics
from reports.audit.quoted_words import text_parts
from reports.compare.named_things import NamedThings
from reports.compare.table_cells import bare_row, is_dashes

_LEAST = 0.6
"""Share of a question's words, by weight, that a sentence must answer to."""
_LEAST_CJK = 0.5
"""Share of a question's characters that a sentence must have, where these are Chinese or Japanese."""
_MEANS, _MEANS_KIND = 0.27, 0.2
"""Cosine of question and sentence from which the one answers the other; and where it gives a date or an
amount of money that is asked for."""
_MEANS_LEAST = 0.18
"""Cosine from which shared words mean the same: `founded` and `found the door shut` share one."""
_RELATED, _LEAST_RELATED, _RELATED_WORTH = 12, 0.55, 0.6
"""Words like a question's word, their least cosine, and what one counts beside the word itself."""
_SAME_WORD = 0.78
"""The cosine from which a word is another form of the question's (`license`); what is only used like it
(`rise` beside `price`) counts where a figure stands too."""
_MONEY = "dollar"
"""Stands for every amount of money: what is asked in words like it is answered by an amount."""
_MEANS_UNNAMED, _MEANS_DATE = 0.3, 0.25
"""The same for a date, or who did it, in a sentence that does not name the thing, for its page tells of much
beside it; and for any date, whatever words are shared: dates are in every second sentence."""
_MEANS_OTHER_DATE = 0.35
"""And for a date of which no word of the question is told: `founded in 1994` is near `renovated`."""
_MEANS_COUNT, _MEANS_COUNT_UNNAMED = 0.4, 0.6
"""The same for a count that a sentence gives in other words: `30,000 see it` (visitors)."""
_SHARE, _NAMES_IT, _KIND = 0.3, 0.05, 0.1
"""What counts beside meaning: the question's words; the thing's name; a date or amount that is asked for."""
_NAMES_IT_DATED = 0.15
"""The name, where a date or a doer is asked for: `The bar, opened in 1998, …` is on something else there."""
_ON_THING = 0.1
"""What the cosine with the thing and the question together counts beside the score."""
_SIGNS = re.compile(f"[{CJK}]")
_YEAR = re.compile(r"(?<!\d)(?:1\d|20)\d\d(?!\d)")
_CLAUSE = re.compile(r"[;；]\s*|,\s(?=(?:which|who|whose|where|when)\b)")
"""Parts a sentence where something else begins to be told."""
_LABEL = 4
"""Words of what an entry is about, before a colon: `borg check: …` is not about `borg mount`."""
_LONGEST = 60
"""Words of a sentence that is shown."""
_HEADING_WORTH = 0.7
"""What a word of the question counts that stands in the heading above a sentence alone."""


@dataclass(frozen=True, slots=True)
class ChosenSentence:
    """A sentence that tells what is asked."""

    passage: Passage
    words: str
    score: float


@dataclass(frozen=True, slots=True)
class _Told:
    """A sentence that tells of a thing."""

    passage: Passage
    words: str
    heading: str
    names_it: bool


class _Asked:
    """A question: its words, and what kind of answer it wants."""

    def __init__(self, thing: str, question: str, statistics: Statistics) -> None:
        table = related_words()
        self.question = question
        self.thing = frozenset(words(thing))
        self.date = asks_when(question)
        self.condition = asks_condition(question)
        self.measures = asked_measures(question)
        self.who = asks_who(question)
        self.needs_kind = self.date or self.condition or self.who or asks_measure_alone(question)
        """Whether only a sentence that gives the kind of answer that is asked for is one."""
        bare = without_when(question) if self.date else question
        self.signs = "".join(_SIGNS.findall(bare))
        self.wanted = {
            term: (statistics.weight(term), dict(table.near(term, _RELATED, _LEAST_RELATED)))
            for term in dict.fromkeys(terms(bare if terms(bare) else question))
        }
        self.money = any(other in related for _, related in self.wanted.values() for other in _money())
        self.english = question.isascii()  # too short to tell languages apart that are written alike

    def kind(self, text: str, figures: Sequence[Number]) -> bool | None:
        """Tell whether a sentence gives what is asked for: a date, a name or a figure.

        None where none is, or where it cannot be told.
        """
        if self.who:
            return tells_who(text, frozenset(self.wanted), self.thing)
        if self.measures:
            return gives_measure(text, self.measures)
        if self.date:
            return self._dated(text)
        if self.condition:
            return tells_condition(text)
        return any(map(_is_money, figures)) if self.money else None

    def _dated(self, text: str) -> bool:
        """Tell whether a sentence says a date, and not only of something else than what was asked."""
        parts = _CLAUSE.split(text)
        asked = [part for part in parts if not self.wanted.keys().isdisjoint(terms(part))]
        return any(dates(part)[0] or _YEAR.search(part) for part in asked or parts)


class CellChooser:
    """Chooses for some things, which it must tell apart."""

    def __init__(self, things: Sequence[str], statistics: Statistics, *, by_words: bool = False) -> None:
        """Take what is told apart.

        Args:
            things: Their names.
            statistics: Weighs words.
            by_words: A sentence must have a word of the question, or the kind of answer that it wants; where
                one whole document is about the thing, something in it is always like the question.
        """
        self._by_words = by_words
        self._statistics = statistics
        self._things = NamedThings(things, statistics)

    def choose(
        self, thing: str, question: str, found: Sequence[tuple[Passage, Source]]
    ) -> list[ChosenSentence]:
        """Return the sentences of passages that tell of a thing what is asked, the best first."""
        asked = _Asked(thing, question, self._statistics)
        told: dict[str, _Told] = {}
        for passage, source in found:
            for one in self._sentences(thing, passage, source):
                told.setdefault(one.words, one)
        texts = list(told)
        means = sentence_vectors().likeness(question, texts) if asked.english else [0.0] * len(texts)
        answering = [
            (one, score)
            for one, mean in zip(told.values(), means, strict=True)
            if (score := self._score(asked, one, mean)) is not None
        ]
        # Which of them is on the thing, and not on something beside it that its page tells of.
        likely = [one.words for one, _ in answering] if asked.english else []
        asked_of_it = f"{thing}: {question}"
        nearer = sentence_vectors().likeness(asked_of_it, likely) if likely else [0.0] * len(answering)
        scored = [
            ChosenSentence(one.passage, one.words, score + _ON_THING * near)
            for (one, score), near in zip(answering, nearer, strict=True)
        ]
        return sorted(scored, key=lambda one: (-round(one.score, 9), len(one.words), one.words))

    def is_about(self, thing: str, passage: Passage, source: Source) -> bool:
        """Tell whether a passage names a thing, in its text or above it."""
        above = headings_above(source.text, passage.start)
        return self._things.names(thing, " ".join([passage.text, source.title, *above]))

    def is_name(self, thing: str, cell: str) -> bool:
        """Tell whether a table's cell names a thing, and no other of them."""
        return self._things.alone(thing, cell)

    def _sentences(self, thing: str, passage: Passage, source: Source) -> Iterator[_Told]:
        """Yield the sentences that tell of a thing: they name it, stand under it, or go on from where it is.

        An item of a list goes on from nothing but a line that leads to the list.
        """
        goes_on = leads = False
        parts = list(text_parts(passage.text))
        for n, (form, start, end) in enumerate(parts):
            text = " ".join(passage.text[start:end].split())
            above = headings_above(source.text, passage.start + start)
            heading = above[-1] if above else ""
            if form == "row" and (is_dashes(text) or _heads_rows(passage.text, end)):
                continue
            if form == "heading" or self._of_another(thing, heading) or self._of_another(thing, text):
                goes_on = leads = False
                continue
            names_it = self._things.names(thing, text)
            under_it = self._things.names(thing, " ".join([source.title, *above]))
            listed = form in ("point", "step", "row")
            carried = leads if listed else goes_on
            if not (names_it or under_it or carried):
                continue
            goes_on = (names_it or carried) and not listed
            if text.endswith((":", "：")):
                leads = True
                text = self._with_items(passage.text, start, end, islice(parts, n + 1, None))
            elif not listed:
                leads = False
            text = bare_row(text) if form == "row" else text
            if 2 <= word_count(text) <= _LONGEST:
                yield _Told(passage, text, heading, names_it)

    def _with_items(self, whole: str, start: int, end: int, behind: Iterator[tuple[Form, int, int]]) -> str:
        """Return a line that leads to a list with the list's items as they stand, as many as a cell takes."""
        told = " ".join(whole[start:end].split())
        for form, begins, ends in behind:
            more = " ".join(whole[start:ends].split())
            other = self._things.any_in(whole[begins:ends])
            if form not in ("point", "step") or other or word_count(more) > _LONGEST:
                break
            told = more
        return told

    def _of_another(self, thing: str, text: str) -> bool:
        """Tell whether a text names others of the things, and not this one."""
        if self._things.names(thing, text):
            return False
        label, colon, _rest = text.partition(": ")
        alike = self._things.shares_word(thing, label)
        labelled = self._things.several and bool(colon) and alike and 2 <= word_count(label) <= _LABEL
        return labelled or self._things.any_in(text)

    def _score(self, asked: _Asked, told: _Told, means: float) -> float | None:
        """Return how well a sentence answers; None where it does not."""
        figures = numbers(told.words)
        kind = asked.kind(told.words, figures)
        if asked.needs_kind and kind is False:
            return None
        share = self._share(asked, told, figures)
        least = _LEAST_CJK if asked.signs else _LEAST
        # What follows an `if` may be anything: it means nothing like the question.
        likely = (asked.condition and told.names_it) or not asked.english or means >= _MEANS_LEAST
        by_words = share >= least and likely
        if asked.english and asked.date and means < (_MEANS_DATE if share else _MEANS_OTHER_DATE):
            return None
        if not by_words and means < self._least_meaning(asked, told, kind=bool(kind)):
            return None
        if self._by_words and not (share or kind):
            return None
        names_it = _NAMES_IT_DATED if asked.date or asked.who else _NAMES_IT
        return means + _SHARE * share + names_it * told.names_it + _KIND * bool(kind)

    def _least_meaning(self, asked: _Asked, told: _Told, *, kind: bool) -> float:
        """Return the cosine from which a sentence answers that has too few of a question's words."""
        if COUNT in asked.measures:
            return _MEANS_COUNT if told.names_it else _MEANS_COUNT_UNNAMED
        if (asked.date or asked.who) and not told.names_it:
            return _MEANS_UNNAMED
        return _MEANS_KIND if kind else _MEANS

    def _share(self, asked: _Asked, told: _Told, figures: Sequence[Number]) -> float:
        """Return the share (0 to 1) of a question's words that a sentence answers to."""
        if asked.signs:
            pairs = {asked.signs[n : n + 2] for n in range(len(asked.signs) - 1)} or {asked.signs}
            held = {
                n + place
                for n in range(len(asked.signs))
                if asked.signs[n : n + 2] in pairs and asked.signs[n : n + 2] in told.words
                for place in range(len(asked.signs[n : n + 2]))
            }
            return len(held) / len(asked.signs)
        said = frozenset(terms(told.words)) | (_money() if any(map(_is_money, figures)) else frozenset())
        above = frozenset(terms(told.heading))
        whole = sum(weight for weight, _ in asked.wanted.values())
        answered = sum(
            weight * _answered(term, related, said, above, figure=bool(figures))
            for term, (weight, related) in asked.wanted.items()
        )
        return answered / whole if whole else 0.0


def _heads_rows(text: str, end: int) -> bool:
    """Tell whether a table's row that ends there names its columns."""
    return is_dashes(text[end:].lstrip().partition("\n")[0])


def _answered(
    term: str, related: Mapping[str, float], said: frozenset[str], above: frozenset[str], *, figure: bool
) -> float:
    """Return how far (0 to 1) a sentence answers to one word of a question."""
    near = max((cosine for other, cosine in related.items() if other in said), default=0.0)
    paid = any(other in related and other in said for other in _money())
    like = 1.0 if near >= _SAME_WORD or paid else _RELATED_WORTH * (near > 0 and figure)
    return max(float(term in said), like, _HEADING_WORTH * (term in above))


def _money() -> frozenset[str]:
    return frozenset(terms(_MONEY))


def _is_money(number: Number) -> bool:
    """Tell whether a number is an amount of money: its unit is a currency, as in `eur/months`."""
    return any(len(unit.dimension.partition("/")[0]) == 3 for unit in number.units)
