"""Is a command put together of what passages say of it?

A manual says how a command is typed by its form (`tar [OPTION] FILE`), names its options on a page that has
the command for a title, or tells a setting without the word that leads to it. Who writes a report fills the
form in, from the question or from what else is cited. Each piece has to stand somewhere; whether the whole
does what is said, a judge reads.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain, product, zip_longest

from library.text import sentences
from reports.verify.typed_code import has_token, has_words, holds_typed

_FORM = re.compile(
    r"<[^<>\n]{1,40}>|\[[^\[\]\n]{1,80}\]|\{[^{}\n]{1,80}\}|(?<![\w-])[A-Z][A-Z_-]{2,30}\b|\.\.\.|…"
)
"""What stands in a form for what somebody types."""
_FORM_WITHIN = 160
"""Characters behind a command, on its line, within which its form shows."""
_CHOICES = re.compile(r"[^\s|=(){}\[\]<>,;:]{1,40}(?:\s?\|\s?[^\s|=(){}\[\]<>,;:]{1,40}){1,20}")
"""Values of which one is typed: `0 | OFF | 1 | ON`."""
_PROGRAM = re.compile(r"[A-Za-z][\w.+]{0,30}")
_SET = re.compile(r"(?P<name>[^=\s]{1,60})=(?P<value>\S{1,80})")
_OPTION = re.compile(r"--?[A-Za-z]")
_SIGNS = 3
"""Blanks and hyphens at its head that may stand for each other: `git lfs track`, `git-lfs-track`."""
_MOST = 16
"""Words of a command that is looked at."""


@dataclass(frozen=True, slots=True)
class Told:
    """What a command may be put together of."""

    cited: Sequence[tuple[str, Sequence[str]]]
    """Of each passage that the sentence cites: its text, and what its page and its section are called."""
    asked: str = ""
    """The question: what it names may be filled in."""
    others: Sequence[str] = ()
    """Other passages that are known: how the same is typed there."""


def is_composed(code: str, told: Told) -> bool:
    """Tell whether a command is put together of pieces that are told of it.

    Its first words stand in a cited passage, or are what that is called; a program may stand with a hyphen in
    place of the blank (`git lfs`, `git-lfs`) where some passage types it so. What follows is options that the
    passage names, or what it says in one piece; a value or an operand that it does not hold stands in the
    question or in what else is cited, and the passage shows by a form that something is typed there.
    """
    words = code.split()
    if not 1 < len(words) <= _MOST:
        return False
    return any(
        _leads(words[:cut], words[cut:], passage, told) and _follows(words, cut, passage, told)
        for cut in range(len(words), 0, -1)
        for passage in told.cited
    )


def _leads(head: Sequence[str], rest: Sequence[str], passage: tuple[str, Sequence[str]], told: Told) -> bool:
    """Tell whether a passage is on a command that begins with some words."""
    text, names = passage
    if not _PROGRAM.match(head[0]):
        return False
    typed = " ".join(head)
    known = [*(t for t, _names in told.cited), *told.others]
    # Typed with another sign between its words than the passage has: somebody has to type it so.
    program = head[0] if "-" in head[0] else " ".join(head[:2])
    other_signs = any(has_token(each, program) for each in known)
    for form in _forms(typed):
        if form != typed and not other_signs:
            continue
        if holds_typed(text, form) or any(_is_called(name, form) for name in names):
            return True
    return bool(rest) and any(_before_setting(typed, rest[0], other) for other in known)


def _forms(typed: str) -> list[str]:
    """Return how a command may be written: as it is typed, or with other signs between its first words."""
    pieces = re.split(r"([ -])", typed, maxsplit=_SIGNS)
    words, signs = pieces[::2], len(pieces) // 2
    if not all(map(_PROGRAM.match, words)):
        return [typed]
    ways = ("".join(chain(*zip_longest(words, way, fillvalue=""))) for way in product(" -", repeat=signs))
    return list(dict.fromkeys([typed, *ways]))


def _is_called(name: str, typed: str) -> bool:
    """Tell whether a title, a heading or a file's name names a command: `git-lfs-track(1)`."""
    return re.search(rf"(?<![\w-]){re.escape(typed)}(?![\w-])", name, re.IGNORECASE) is not None


def _before_setting(head: str, setting: str, text: str) -> bool:
    """Tell whether some words stand before a setting elsewhere, whatever its value is: `SET cache = 2`."""
    name = setting.partition("=")[0]
    return (
        "=" in setting
        and re.search(rf"(?<!\w){re.escape(head)}\s+(?:\w+\.)?{re.escape(name)}(?!\w)", text) is not None
    )


def _follows(words: Sequence[str], cut: int, passage: tuple[str, Sequence[str]], told: Told) -> bool:
    """Tell whether what stands behind the first words of a command is told of it."""
    (text, names), head, rest = passage, words[:cut], words[cut:]
    if not rest or ("=" in rest[0] and has_words(text, " ".join(rest))):
        return True
    forms = _forms(" ".join(head))
    has_form = _shows_form(forms, text)
    # What a page on the command names belongs to it; elsewhere, what one sentence names with it.
    if has_form or any(_is_called(name, form) for name in names for form in forms):
        near = [text]
    else:
        parts = (text[start:end] for start, end in sentences(text))
        near = [part for part in parts if any(holds_typed(part, form) for form in forms)]
    for n, word in enumerate(rest):
        if _is_option(word) and any(has_token(part, word) for part in near):
            continue
        if (pair := _SET.fullmatch(word)) and _takes(text, pair["name"], pair["value"], told):
            continue
        before = rest[n - 1] if n else ""
        takes_value = _is_option(before) and _has_value(text, before)
        if (has_form or takes_value) and _is_told(word, told):
            continue
        return False
    return True


def _is_option(word: str) -> bool:
    return _OPTION.match(word) is not None and "=" not in word


def _is_told(word: str, told: Told) -> bool:
    """Tell whether the question or a cited passage holds a value."""
    bare = word.strip("\"'")
    return bool(bare) and any(
        has_words(text, bare) for text in (told.asked, *(text for text, _names in told.cited))
    )


def _takes(text: str, name: str, value: str, told: Told) -> bool:
    """Tell whether a setting takes a value: one of its choices, or what is told, where it has a place."""
    found = re.compile(
        rf"(?<![\w-])(?:\w+\.)?{re.escape(name)}\s?=?\s?(?P<behind>[^\n;]{{0,{_FORM_WITHIN}}})"
    )
    for setting in found.finditer(text):
        choices = _CHOICES.search(setting["behind"].lstrip("[({< "))
        if choices and value in re.split(r"\s?\|\s?", choices[0]):
            return True
        if _FORM.match(setting["behind"].lstrip("= ")) and _is_told(value, told):
            return True
    return False


def _has_value(text: str, option: str) -> bool:
    """Tell whether an option's form has a value behind it."""
    return re.search(rf"(?<![\w-]){re.escape(option)}(?:[ =]|\[=)\s?(?:{_FORM.pattern})", text) is not None


def _shows_form(forms: Sequence[str], text: str) -> bool:
    """Tell whether a passage shows by a form how a command goes on behind its first words."""
    return any(
        _FORM.search(text[found.end() : found.end() + _FORM_WITHIN].partition("\n")[0])
        for form in forms
        for found in _typed(form).finditer(text)
    )


@cache
def _typed(form: str) -> re.Pattern[str]:
    words = r"\s+".join(map(re.escape, form.split()))
    return re.compile(rf"(?<![\w-]){words}(?![\w-])")
