"""What a session is called that goes another way, in the language of whoever reads a list of sessions.

Its name is kept in the language of the session. What the program put there, “(from turn 3)”, is said in the
reader's; the words before it are the session's or a person's, and stay.
"""

import re
from functools import cache

from library.text import catalogue, languages


def fork_names(language: str) -> tuple[tuple[str, str], ...]:
    """Return a pattern for such a name in each other language, with the words for it in this one.

    As with messages, `{0}` and `{1}` stand for what a pattern's groups hold; browsers read the patterns too.
    """
    return _fork_names(catalogue(language, "session").language)


@cache
def _fork_names(code: str) -> tuple[tuple[str, str], ...]:
    here = catalogue(code, "session")
    others = [catalogue(code, "session") for code in languages() if code != here.language]
    words = str(here.texts["forked"]).format(name="{0}", n="{1}")
    return tuple((_pattern(str(other.texts["forked"])), words) for other in others)


def name_told(name: str, language: str) -> str:
    """Return a session's name for readers of a language."""
    for pattern, words in fork_names(language):
        if found := re.fullmatch(pattern, name):
            before, turn = found.groups()
            return words.format(name_told(before, language), turn)
    return name


def _pattern(forked: str) -> str:
    name, turn = (re.escape(mark) for mark in ("{name}", "{n}"))
    return re.escape(forked).replace(name, r"([\s\S]*)").replace(turn, r"(\d+)")
