"""Words that the program says by itself, in each language that it can say them in.

A room keeps them as data, in a TOML file beside the dataclass that names them: a table for each language.
"""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, TypeVar

from pydantic import TypeAdapter

PhrasesT = TypeVar("PhrasesT")


def phrases_by_language(kind: type[PhrasesT], file: str) -> Mapping[str, PhrasesT]:
    """Return all that is said in each language, by its code; `en` is always among them.

    Args:
        kind: A dataclass, a field for each phrase.
        file: In the package of that class, such as `report_phrases.toml`.

    Raises:
        ValidationError: The file lacks a phrase, or holds something else in its place.
    """
    anything: Any = kind  # mypy holds a class of unknown kind for unhashable
    return _read(anything, file)


def phrases_in(language: str, kind: type[PhrasesT], file: str) -> PhrasesT:
    """Return what is said in a language (`zh`, `zh-TW`, `de_AT`); in English for any other."""
    held = phrases_by_language(kind, file)
    return held.get(language.lower().replace("_", "-").partition("-")[0], held["en"])


@cache
def _read(kind: Any, file: str) -> dict[str, Any]:
    written = files(kind.__module__.rpartition(".")[0]) / file
    held = tomllib.loads(written.read_text(encoding="utf-8"))
    read = TypeAdapter(kind).validate_python
    return {language: read(phrases) for language, phrases in held.items()}
