"""Does a text name a thing: all words of its name close together, or those that tell it from others.

A long name is seldom said whole: a page on the `2022 Luzon earthquake` says `the Luzon earthquake`. Its
proper names must be there with one word more, or its rarest words with most of it; and no other year. Where
another of the things shares words with it, all that the other one lacks must be there.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from library.text import is_cjk, sentences, terms, words
from models import Statistics

_BETWEEN = 3
"""Words that may stand between those of a name."""
_LONG = 3
"""Words from which on a name may be said in part; a year counts as one."""
_ENOUGH = 0.6
"""Share (0 to 1) of a long name, by weight, that is said where it is named in part."""
_ALIKE = 1e-9
_BETWEEN_PARTS = 2
"""The same where a name is said in part: `floods in the Romagna`."""
_WORD = re.compile(r"[^\W_]+")
_YEAR = re.compile(r"(?<!\d)(?:1\d|20)\d\d(?!\d)")


@dataclass(frozen=True, slots=True)
class _Name:
    words: frozenset[str]
    weights: dict[str, float]
    """Terms of a name that may be said in part, without its years; empty for a short one."""
    needed: frozenset[str]
    """The proper names in it where it has other words as well, else its rarest words; and what things with
    words of it lack."""
    beside: frozenset[str]
    """The other words, of which one must be there; empty where all of a name is written large."""
    years: frozenset[str]
    dated: bool
    """Whether nothing but its year tells it from another thing."""


class NamedThings:
    """Tells where some things are named."""

    def __init__(self, things: Iterable[str], statistics: Statistics) -> None:
        """Take the things' names, and what weighs their words."""
        several = list(things)
        self._names = {thing: _name(thing, several, statistics) for thing in several}

    def names(self, thing: str, text: str) -> bool:
        """Tell whether a text names a thing."""
        name = self._names[thing]
        if _whole(name.words, text):
            return True
        return bool(name.weights) and any(_in_part(name, text[start:end]) for start, end in sentences(text))

    def alone(self, thing: str, text: str) -> bool:
        """Tell whether a text names a thing, and no other."""
        return [one for one in self._names if self.names(one, text)] == [thing]

    def any_in(self, text: str) -> bool:
        """Tell whether a text names any of the things."""
        return any(self.names(thing, text) for thing in self._names)

    def shares_word(self, thing: str, text: str) -> bool:
        """Tell whether a text has a word of a thing's name."""
        return not self._names[thing].words.isdisjoint(words(text))

    @property
    def several(self) -> bool:
        """Whether there is more than one thing."""
        return len(self._names) > 1


def _name(thing: str, things: Iterable[str], statistics: Statistics) -> _Name:
    years, parts = _parts(thing)
    long = len(parts) + len(years) >= _LONG and len(parts) >= _LONG - 1 and not any(map(is_cjk, parts))
    weights = {term: statistics.weight(term) for term in parts} if long else {}
    # What opens a name is written large whatever it is: `Death of …`.
    proper = {term for word in _WORD.findall(thing)[1:] if word[0].isupper() for term in terms(word)}
    beside = frozenset(weights.keys() - proper)
    if len(beside) < len(weights) and any(word[0].islower() and terms(word) for word in _WORD.findall(thing)):
        needed = frozenset(weights.keys() & proper)
    else:
        most = max(weights.values(), default=0.0)
        needed = frozenset(term for term, weight in weights.items() if weight >= most - _ALIKE)
        beside = frozenset()
    similar = [(when, those) for when, those in map(_parts, things) if not weights.keys().isdisjoint(those)]
    needed |= {term for term in weights for _, those in similar if term not in those}
    dated = any(when != years and weights.keys() <= set(those) for when, those in similar)
    return _Name(frozenset(words(thing)), weights, needed, beside, years, dated)


def _parts(thing: str) -> tuple[frozenset[str], list[str]]:
    """Return the years in a name, and its other terms."""
    years = frozenset(_YEAR.findall(thing))
    return years, [term for term in dict.fromkeys(terms(thing)) if term not in years]


def _whole(name: frozenset[str], text: str) -> bool:
    """Tell whether a text has all words of a name close together; Chinese has no blanks."""
    said = words(text)
    if not all(word in said or (is_cjk(word) and word in text) for word in name):
        return False
    places = [n for n, word in enumerate(said) if word in name]
    wanted = {word for word in name if word in said}
    reach = len(name) + _BETWEEN
    return len(wanted) < 2 or any(wanted <= set(said[place : place + reach]) for place in places)


def _in_part(name: _Name, text: str) -> bool:
    """Tell whether a sentence has the rarest words of a name beside others of it, and no other year alone."""
    told = {word for word in words(text) if _YEAR.fullmatch(word)}  # `1208a01c` in an address is none
    if (name.years and told and name.years.isdisjoint(told)) or (name.dated and not name.years & told):
        return False
    said = [(word, *terms(word)) for word in words(text)]
    reach = len(name.weights) + _BETWEEN_PARTS
    whole = sum(name.weights.values())
    for start in range(len(said)):
        if name.weights.keys().isdisjoint(said[start]):
            continue
        near = {form for forms in said[start : start + reach] for form in forms}
        held = name.weights.keys() & near
        share = sum(name.weights[term] for term in sorted(held)) / whole if whole else 0.0
        close = {form for forms in said[start : start + len(held) + _BETWEEN_PARTS] for form in forms}
        enough = len(held) > 1 and (name.beside & held or share >= _ENOUGH)
        if enough and held <= close and name.needed <= held:
            around = {form for forms in said[max(0, start - 1) : start + reach] for form in forms}
            years = {form for form in around if _YEAR.fullmatch(form)}
            if not name.years or years <= name.years:
                return True
    return False
