"""Messages that are composed where something happens, errors above all, in another language than English.

As with gettext, the English sentence is the key, in the table `messages` of `configs/languages/CODE.toml`,
with `{0}`, `{1}` for its values. Unlike with gettext, a message is looked up once it is composed: so one
that a journal kept, or that another room raised, can be said in the language of whoever reads it. Its
values are looked up in turn. What is not in the table stays English.
"""

import re
from collections.abc import Sequence
from functools import cache

from library.text.multilingual.fixed_phrases import known_language, table_of

_LONGEST = 1000
"""Characters of a line that is looked up; a longer one quotes more than it says."""
_VALUE = re.compile(r"\{\d\}")


def translated(text: str, language: str) -> str:
    """Return a message in a language, line by line; as it is where the language has no words for it."""
    return "\n".join(_line(line, known_language(language)) for line in text.split("\n"))


def message_patterns(language: str) -> tuple[tuple[tuple[str, ...], str], ...]:
    """Return a language's messages: the English one in parts, its values between them, and what is said.

    Those with the most words of their own come first. Browsers read them too.
    """
    return _message_patterns(known_language(language))


@cache
def _message_patterns(code: str) -> tuple[tuple[tuple[str, ...], str], ...]:
    table = table_of(code, "messages")
    order = sorted(table, key=lambda english: -len(_VALUE.sub("", english)))
    return tuple((tuple(_VALUE.split(english)), table[english]) for english in order)


def values_of(text: str, parts: Sequence[str]) -> list[str] | None:
    """Return what stands between the parts of a message, each value as short as may be; None: it is another.

    By hand rather than by a regular expression: seven values in a stranger's text that nearly fits would take
    its length to the power of seven.
    """
    first, *middle = parts
    if not middle:
        return [] if text == first else None
    last, at, found = middle.pop(), len(first), list[str]()
    if not text.startswith(first):
        return None
    for part in middle:
        there = text.find(part, at)
        if there < 0:
            return None
        found.append(text[at:there])
        at = there + len(part)
    ends = len(text) - len(last)
    return [*found, text[at:ends]] if ends >= at and text.endswith(last) else None


def _line(text: str, language: str) -> str:
    if not text or len(text) > _LONGEST:
        return text
    for parts, words in message_patterns(language):
        if (values := values_of(text, parts)) is not None:
            return words.format(*(_line(value, language) for value in values))
    return text
