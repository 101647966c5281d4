"""Words of numbers, units, currencies and months by language, from the files in `library/text/data`."""

import re
import tomllib
from functools import cache
from importlib import resources
from typing import Any


@cache
def table(name: str) -> dict[str, Any]:
    """Return a data file (`months`, `units`, `currencies`, `quantity_words`, …) as it is written."""
    path = resources.files("library.text") / "data" / f"{name}.toml"
    return tomllib.loads(path.read_text(encoding="utf-8"))


@cache
def words_for(role: str, name: str = "quantity_words") -> tuple[str, ...]:
    """Return the words of all languages that play a role (`about`, `least`, …), the longest first."""
    found = {word for language in table(name).values() for word in language.get(role, ())}
    return tuple(sorted(found, key=lambda word: (-len(word), word)))


def alternatives(role: str, name: str = "quantity_words") -> str:
    """Return a pattern that finds the words of a role; Latin ones whole, Chinese ones wherever they stand."""
    words = words_for(role, name)
    whole = "|".join(re.escape(word) for word in words if word[0] < "\u2e80")
    inside = "|".join(re.escape(word) for word in words if word[0] >= "\u2e80")
    found = [rf"(?<![^\W_])(?:{whole})(?![^\W_])" if whole else "", inside]
    return f"(?:{'|'.join(filter(None, found))})"
