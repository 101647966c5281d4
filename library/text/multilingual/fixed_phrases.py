"""Words that the program says by itself, in each language that it can say them in.

They are kept as data, in one file a language: `configs/languages`, a table for each part of the program. What
a language lacks is said in English. A room names its phrases by the fields of a dataclass; what people see on
screens is looked up by its key.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, TypeVar

PhrasesT = TypeVar("PhrasesT")
_FALLBACK = "en"


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The texts of one part of the program in one language."""

    language: str
    texts: Mapping[str, str | dict[str, str]]
    """By key; one that differs by number has `one` and `other`."""

    def say(self, key: str, **values: object) -> str:
        """Return a text with values at its names in braces; whole numbers get separators.

        A text that differs by number is chosen by the value `n`.

        Raises:
            KeyError: there is no such text, or a value of it is not given.
        """
        text = self.texts[key]
        if isinstance(text, dict):
            text = text["one"] if values["n"] == 1 and "one" in text else text["other"]
        shown = {name: f"{value:,}" if type(value) is int else value for name, value in values.items()}
        return text.format_map(shown) if shown else text


def catalogue(language: str, part: str) -> Catalogue:
    """Return the texts of a part of the program for a language code (`zh`, `zh-TW`, `de_AT`)."""
    # Anybody may ask for anything as a language: what is kept is kept for those that there are.
    return _catalogue(known_language(language), part)


@cache
def _catalogue(code: str, part: str) -> Catalogue:
    return Catalogue(code, _part(code, part))


@cache
def languages() -> Mapping[str, str]:
    """Return the languages that the program speaks: what each calls itself, by its code."""
    endings = (file.name for file in (resources.files("configs") / "languages").iterdir())
    codes = sorted(name.removesuffix(".toml") for name in endings if name.endswith(".toml"))
    return {code: _file(code)["name"] for code in codes}


def phrases_by_language(kind: type[PhrasesT], part: str) -> Mapping[str, PhrasesT]:
    """Return all that a part of the program says in each language, by its code; `en` is always among them.

    Args:
        kind: A dataclass, a field for each phrase.
        part: The table's name in the files.

    Raises:
        ValidationError: English lacks a phrase, or a file holds something else in its place.
    """
    anything: Any = kind  # mypy holds a class of unknown kind for unhashable
    return {code: _read(anything, code, part) for code in languages()}


def phrases_in(language: str, kind: type[PhrasesT], part: str) -> PhrasesT:
    """Return what is said in a language (`zh`, `zh-TW`, `de_AT`); in English for any other."""
    return phrases_by_language(kind, part)[known_language(language)]


def known_language(language: str) -> str:
    """Return the code of the file for a language, that of English where there is none."""
    code = language.lower().replace("_", "-").partition("-")[0]
    return code if code in languages() else _FALLBACK


def table_of(code: str, part: str) -> dict[str, Any]:
    """Return a table of one language's file, without what it lacks; empty where it has none."""
    table: dict[str, Any] = _file(code).get(part, {})
    return table


@cache
def _read(kind: Any, code: str, part: str) -> Any:
    from pydantic import TypeAdapter  # half of what a list of sessions would load

    return TypeAdapter(kind).validate_python(_part(code, part))


def _part(code: str, part: str) -> dict[str, Any]:
    return {**table_of(_FALLBACK, part), **table_of(code, part)}


@cache
def _file(code: str) -> dict[str, Any]:
    path = resources.files("configs") / "languages" / f"{code}.toml"
    return tomllib.loads(path.read_text(encoding="utf-8"))
