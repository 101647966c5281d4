"""What the program itself says, in each language: one file of texts a language, in `configs/languages`.

A further language is a further file. What it lacks is said in English.
"""

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

Text = str | dict[str, str]
"""A text, or one for each number: `one` and `other`."""
FALLBACK = "en"


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The texts of one part of the program in one language."""

    language: str
    texts: dict[str, Text]
    """By key, those that the language lacks in English."""

    def say(self, key: str, **values: object) -> str:
        """Return a text with values at its names in braces; whole numbers get separators.

        A text for several numbers is chosen by the value `n`.

        Raises:
            KeyError: there is no such text, or a value of it is not given.
        """
        text = self.texts[key]
        if isinstance(text, dict):
            text = text["one"] if values["n"] == 1 and "one" in text else text["other"]
        shown = {name: f"{value:,}" if type(value) is int else value for name, value in values.items()}
        return text.format_map(shown) if shown else text


@cache
def languages() -> dict[str, str]:
    """Return the languages that the program speaks: what each calls itself, by its code."""
    codes = sorted(
        file.name.removesuffix(".toml")
        for file in (resources.files("configs") / "languages").iterdir()
        if file.name.endswith(".toml")
    )
    return {code: _file(code)["name"] for code in codes}


@cache
def catalogue(language: str, part: str) -> Catalogue:
    """Return the texts of a part of the program, a table of the files, for a language code (`zh-TW`)."""
    code = language.lower().replace("_", "-").partition("-")[0]
    code = code if code in languages() else FALLBACK
    return Catalogue(code, {**_file(FALLBACK).get(part, {}), **_file(code).get(part, {})})


@cache
def _file(code: str) -> dict[str, Any]:
    path = resources.files("configs") / "languages" / f"{code}.toml"
    return tomllib.loads(path.read_text(encoding="utf-8"))
