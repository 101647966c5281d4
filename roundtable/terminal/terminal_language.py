"""The language of whoever sits at a terminal, as its locale tells it, and the program's own words in it.

A session has a language of its own, that of its topic; this one is for what is said outside of sessions.
"""

import os
from collections.abc import Mapping

_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")
"""In the order in which POSIX has them win."""
_ENGLISH = ("en", "C", "POSIX")


def terminal_language(environment: Mapping[str, str] = os.environ) -> str:
    """Return the code of the language that a locale names; `en` where it names none, or one without words."""
    named = next((value for name in _VARIABLES if (value := environment.get(name))), "")
    code = named.partition(".")[0].partition("@")[0]
    if not code or code.startswith(_ENGLISH):
        return "en"
    from library.text import catalogue  # only who needs it waits for the catalogues

    return catalogue(code, "terminal").language


def in_terminal_language(text: str) -> str:
    """Return what the program says in the terminal's language; as it is where that has no words for it."""
    if (language := terminal_language()) == "en":
        return text
    from library.text import translated

    return translated(text, language)
