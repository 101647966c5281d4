"""Messages that are composed where something happens, errors above all, in another language than English.

As with gettext, the English sentence is the key, in the table `messages` of `configs/languages/CODE.toml`,
with `{0}`, `{1}` for its values. Unlike with gettext, a message is looked up once it is composed: so one
that a journal kept, or that another room raised, can be said in the language of whoever reads it. Its
values are looked up in turn. What is not in the table stays English.
"""

import re
from functools import cache

from library.text.multilingual.fixed_phrases import known_language, table_of

_LONGEST = 1000
"""Characters of a line that is looked up; a longer one quotes more than it says."""
_VALUE = re.compile(r"\{\d\}")


def translated(text: str, language: str) -> str:
    """Return a message in a language, line by line; as it is where the language has no words for it."""
    return "\n".join(_line(line, known_language(language)) for line in text.split("\n"))


@cache
def message_patterns(language: str) -> tuple[tuple[str, str], ...]:
    """Return a language's messages: a regular expression for the whole English one, and what is said.

    Those with the most words of their own come first. The expressions are read by browsers too.
    """
    table = table_of(known_language(language), "messages")
    order = sorted(table, key=lambda english: -len(_VALUE.sub("", english)))
    return tuple(
        (r"([\s\S]*?)".join(re.escape(part) for part in _VALUE.split(english)), table[english])
        for english in order
    )


def _line(text: str, language: str) -> str:
    if not text or len(text) > _LONGEST:
        return text
    for pattern, words in _compiled(language):
        if found := pattern.fullmatch(text):
            return words.format(*(_line(value, language) for value in found.groups()))
    return text


@cache
def _compiled(language: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(pattern), words) for pattern, words in message_patterns(language))
