"""Which sentence tells of a thing what is asked: by names and words alone.

A sentence counts for a thing where it names it, or stands under a title or heading that does, and names no
other of the things; and for a question where it, or the heading above it, has most of its words or words that
are used like them. Nothing is put together: what is chosen is a quotation.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from library import Passage, Source
from library.passages import blocks, headings_above, word_count
from library.text import Number, dates, numbers, related_words, sentences, terms, words
from models import Statistics

_LEAST = 0.6
"""Share of a question's words, by weight, that a sentence must answer to."""
_RELATED, _LEAST_RELATED, _RELATED_WORTH = 12, 0.55, 0.6
"""Words like a question's word, their least cosine, and what one counts beside the word itself."""
_SAME_WORD = 0.78
"""The cosine from which a word is another form of the question's (`license`); what is only used like it
(`rise` beside `price`) counts where a figure stands too."""
_MONEY = "dollar"
"""Stands for every amount of money: what is asked in words like it is answered by an amount."""
_DATE = "date day year"
"""Stands for every date."""
_NAMES_IT, _FIGURE = 0.3, 0.2
"""What counts more: a sentence that names the thing itself; one with a figure in it."""
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


class CellChooser:
    """Chooses for some things, which it must tell apart."""

    def __init__(self, things: Sequence[str], statistics: Statistics) -> None:
        self._statistics = statistics
        self._names = {thing: frozenset(words(thing)) for thing in things}

    def choose(
        self, thing: str, question: str, found: Sequence[tuple[Passage, Source]]
    ) -> list[ChosenSentence]:
        """Return the sentences of passages that tell of a thing what is asked, the best first."""
        wanted = self._wanted(question)
        scored: dict[str, ChosenSentence] = {}
        for passage, source in found:
            for told in self._sentences(thing, passage, source, wanted):
                if told.words not in scored or scored[told.words].score < told.score:
                    scored[told.words] = told
        return sorted(scored.values(), key=lambda one: (-round(one.score, 9), len(one.words), one.words))

    def is_about(self, thing: str, passage: Passage, source: Source) -> bool:
        """Tell whether a passage names a thing, in its text or above it."""
        return self._names[thing] <= frozenset(words(f"{passage.text} {_above(passage, source)}"))

    def _wanted(self, question: str) -> dict[str, tuple[float, Mapping[str, float]]]:
        """Return the question's terms, each with its weight and the terms that are used like it."""
        table = related_words()
        return {
            term: (
                self._statistics.weight(term),
                dict(table.near(term, _RELATED, _LEAST_RELATED)),
            )
            for term in dict.fromkeys(terms(question))
        }

    def _sentences(
        self,
        thing: str,
        passage: Passage,
        source: Source,
        wanted: Mapping[str, tuple[float, Mapping[str, float]]],
    ) -> Iterator[ChosenSentence]:
        above = _above(passage, source)
        under_it = self._names[thing] <= frozenset(words(above))
        headed = frozenset(terms(" ".join(headings_above(source.text, passage.start)[-1:])))
        goes_on = False
        for form, text in _told(passage.text):
            said = frozenset(words(text))
            names_it = self._names[thing] <= said
            others = any(names <= said for other, names in self._names.items() if other != thing)
            if form == "heading" or (others and not names_it):
                goes_on = False
                continue
            if not (names_it or under_it or goes_on):
                continue
            goes_on = names_it or goes_on
            figures = numbers(text)
            held = frozenset(terms(text)) | (_money() if any(map(_is_money, figures)) else frozenset())
            if dates(text)[0]:
                held |= _dated()
            share = self._share(wanted, held, headed, figure=bool(figures))
            if share >= _LEAST and 2 <= word_count(text) <= _LONGEST:
                worth = share + _NAMES_IT * names_it + _FIGURE * bool(figures)
                yield ChosenSentence(passage, text, worth)

    def _share(
        self,
        wanted: Mapping[str, tuple[float, Mapping[str, float]]],
        held: frozenset[str],
        above: frozenset[str],
        *,
        figure: bool,
    ) -> float:
        whole = sum(weight for weight, _ in wanted.values())
        told = 0.0
        for term, (weight, related) in wanted.items():
            near = max((cosine for other, cosine in related.items() if other in held), default=0.0)
            paid = any(other in related and other in held for other in _money())
            like = 1.0 if near >= _SAME_WORD or paid else _RELATED_WORTH * (near > 0 and figure)
            told += weight * max(float(term in held), like, _HEADING_WORTH * (term in above))
        return told / whole if whole else 0.0


def _dated() -> frozenset[str]:
    return frozenset(terms(_DATE))


def _money() -> frozenset[str]:
    return frozenset(terms(_MONEY))


def _is_money(number: Number) -> bool:
    """Tell whether a number is an amount of money: its unit is a currency, as in `eur/months`."""
    return any(len(unit.dimension.partition("/")[0]) == 3 for unit in number.units)


def _above(passage: Passage, source: Source) -> str:
    return " ".join([source.title, *headings_above(source.text, passage.start)])


def _told(text: str) -> Iterator[tuple[str, str]]:
    """Yield the sentences, points and rows of a text, with their forms."""
    for block in blocks(text):
        told = text[block.start : block.end]
        if block.form == "code":
            continue
        parts = sentences(told) if block.form in ("prose", "point", "step") else [(0, len(told))]
        for start, end in parts:
            yield block.form, " ".join(told[start:end].split())
