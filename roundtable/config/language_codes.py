"""The language that a session is in: that of its topic, or the one that was asked for by its code."""

import difflib
import re

from library import topic_language
from library.text import languages
from roundtable.config.config import Settings
from roundtable.config.errors import InputError

_CODE = re.compile(r"[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*")
_NEAR, _LIKE = 3, 0.5


def session_language(topic: str, settings: Settings) -> str:
    """Return the code of the language that a session on a topic will be in.

    Raises:
        InputError: What was asked for is the code of no language; it names near ones.
    """
    if settings.language == "auto":
        return topic_language(topic)
    check_language(settings.language)
    return settings.language


def _is_told(code: str) -> bool:
    """Tell whether it is known how a language calls itself; of rare ones it takes long to learn."""
    from babel import localedata

    return len(code) == 2 and localedata.exists(code)


def check_language(code: str, said: str = "--language") -> None:
    """Refuse what is the code of no language; the message begins with `said`.

    Raises:
        InputError: It is none; near ones are named.
    """
    first = re.split("[-_]", code)[0].casefold()
    if _CODE.fullmatch(code) and first in languages():
        return
    from babel import Locale  # reads names of 600 languages: not for those that are spoken here

    names = {key: name for key, name in Locale("en").languages.items() if "_" not in key}
    if _CODE.fullmatch(code) and first in names:
        return
    called = {name.casefold(): key for key, name in names.items()}
    called |= {(Locale(key).get_language_name() or key).casefold(): key for key in names if _is_told(key)}
    short = [key for key in names if len(key) == 2]
    by_name = [called[name] for name in difflib.get_close_matches(code.casefold(), called, n=1, cutoff=0.8)]
    near = by_name or difflib.get_close_matches(first, short, n=_NEAR, cutoff=_LIKE)
    hint = ", ".join(f"{key} ({names[key]})" for key in near or ("en", "zh"))
    if near:
        raise InputError(f"{said} {code}: no language has this code; near ones are {hint}")
    raise InputError(f"{said} {code}: no language has this code; there are for instance {hint}")
