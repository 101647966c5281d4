"""The language of whoever sits at a terminal, as its locale tells it, and the program's own words in it.

A session has a language of its own, that of its topic: what is discussed and written is in it. What the
program says of a session, as of anything else, is in this one.
"""

import os
from collections.abc import Mapping

_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")
"""In the order in which POSIX has them win."""
_NONE = ("", "C", "POSIX")
"""Locales that name no language."""


def terminal_language(environment: Mapping[str, str] = os.environ) -> str:
    """Return the code of the language that a locale names; `en` where it names none, or one without words."""
    code = _code(environment)
    if code in _NONE or code.startswith("en"):
        return "en"
    from library.text import catalogue  # only who needs it waits for the catalogues

    return catalogue(code, "terminal").language


def told_language(session: str, environment: Mapping[str, str] = os.environ) -> str:
    """Return the language to tell a session in: that of the locale, or the session's where it names none.

    Args:
        session: The code of the language that the session is in.
        environment: Where the locale is named; `C` and `POSIX` name no language.
    """
    return terminal_language(environment) if _code(environment) not in _NONE else session


def in_terminal_language(text: str) -> str:
    """Return what the program says in the terminal's language; as it is where that has no words for it."""
    if (language := terminal_language()) == "en":
        return text
    from library.text import translated

    return translated(text, language)


def _code(environment: Mapping[str, str]) -> str:
    """Return what a locale names, without its encoding: `zh_CN`, `C`; empty where there is none."""
    named = next((value for name in _VARIABLES if (value := environment.get(name))), "")
    return named.partition(".")[0].partition("@")[0]
