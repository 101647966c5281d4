"""Links and pictures of Markdown as a page shows them: the words of a link, nothing of a picture.

Links, pictures and what they refer to are those of CommonMark 0.31 (6.3, 6.4, 6.5, 4.7), with their words and
targets bounded. Code is left as it is.
"""

import re
from bisect import bisect
from collections.abc import Callable

from library.readers.text_files.markdown_code import code_spans

_WORDS = r"(?:[^\[\]\n]|\n(?![ \t]*\n)){0,400}"
_TARGET = (
    r"\((?P<target><[^<>\n]{1,1000}>|(?:[^()\s]|\([^()\s]{0,300}\)){1,1000})"
    r"(?:\s{1,3}(?:\"[^\"\n]{0,300}\"|'[^'\n]{0,300}'))?[ \t]?\)"
)
_NAME = r"\[(?P<name>[^\[\]\n]{0,200})\]"
_PICTURE = re.compile(rf"!\[(?P<words>{_WORDS})\](?:{_TARGET}|{_NAME})?")
_LINK = re.compile(rf"(?<![\w!\]\\])\[(?P<words>{_WORDS})\](?:{_TARGET}|{_NAME}|(?![\[(:]))")
_DEFINITION = re.compile(
    r"^ {0,3}\[(?!\^)(?P<name>[^\[\]\n]{1,200})\]:[ \t]{0,8}\n?[ \t]{0,8}"
    r"(?:<[^<>\n]{1,1000}>|(?=\S{0,1000}[./#:])\S{1,1000})"
    r"(?:\s{1,8}(?:\"[^\"\n]{0,300}\"|'[^'\n]{0,300}'|\([^()\n]{0,300}\)))?[ \t]{0,8}$\n?",
    re.MULTILINE,
)
_AUTOLINK = re.compile(r"<((?:https?|mailto):[^<>\s]{1,1000})>", re.IGNORECASE)
_LEADS = re.compile(r"[./#:]")
"""What a target has that leads somewhere: `[1](2)` is no link."""
_WEB = re.compile(r"<?(?:[a-z][a-z0-9+-]{1,20}:|//)", re.IGNORECASE)
_SEEN = "\ufffc"
"""Stands where a picture was, until it is known whether anything else stands in its line."""
_ONLY_PICTURES = re.compile(
    r"^[ \t]*(?:(?:[-*+>]|#{1,6}|\d{1,9}[.)])[ \t]+)?[ \t•·|,]{0,20}"
    rf"{_SEEN}[ \t{_SEEN}•·|,]*$\n?",
    re.MULTILINE,
)
_PICTURED = re.compile(rf"[ \t]?{_SEEN}+")


_ENTRY = re.compile(
    r"[ \t]{0,40}(?:[-*+]|\d{1,3}[.)])[ \t]{1,8}\[[^\n]{1,400}\]\(#[^()\s]{0,400}\)[ \t]{0,8}\n?"
)
_LINE_OF_LINK = re.compile(
    r"[ \t]{0,8}(?:[-*+•·|][ \t]{0,8})?\[[^\[\]\n]{1,200}\]\([^()\s]{1,1000}\)[ \t]{0,8}\n?"
)
_FEWEST_ENTRIES = 3
"""Lines, each a link to a part of the text itself, that are its contents."""


def without_links(text: str, *, of_web: bool = True) -> str:
    """Return Markdown with links as their words, without pictures, and without what names targets.

    Args:
        text: Markdown.
        of_web: Whether links that lead to the web are words, too; otherwise they, and the names of such
            targets, stay as they are written.
    """
    if "](" not in text and "]:" not in text and "<" not in text:
        return text
    names = {_called(found["name"]) for found in _DEFINITION.finditer(text)} if "]:" in text else set[str]()

    def leads(found: re.Match[str]) -> bool:
        if target := found["target"]:
            return bool(_LEADS.search(target)) and (of_web or not _WEB.match(target))
        # A number alone is a mark that a text gives its sources.
        name = found["name"] or found["words"]
        return of_web and _called(name) in names and (found["name"] is not None or not name.isdigit())

    if "![" in text:
        text = _replaced(_PICTURE, text.replace(_SEEN, ""), leads, lambda _: _SEEN)
    text = _without_contents(text) if of_web and "](" in text else text
    text = _replaced(_LINK, text, leads, lambda found: found["words"])
    if of_web:
        text = _replaced(_DEFINITION, text, lambda _: True, lambda _: "")
        text = _replaced(_AUTOLINK, text, lambda _: True, lambda found: found[1])
    return _PICTURED.sub("", _ONLY_PICTURES.sub("", text)) if _SEEN in text else text


def _without_contents(text: str) -> str:
    """Return the text without lists of links to its own parts, nor the headings that such a list has.

    Where a text begins with them, links to elsewhere are none of it either: other languages, a menu.
    """
    kept: list[str] = []
    lines = text.splitlines(keepends=True)
    at, begins = 0, True
    while at < len(lines):
        end = at
        entry = _LINE_OF_LINK if begins else _ENTRY
        while end < len(lines) and entry.fullmatch(lines[end]):
            end += 1
        if end - at < _FEWEST_ENTRIES:
            end = max(end, at + 1)
            kept += lines[at:end]
            begins = begins and all(_is_above_text(line) for line in lines[at:end])
        else:
            above = next((n for n in range(len(kept) - 1, -1, -1) if kept[n].strip()), None)
            if above is not None and kept[above].startswith("##"):
                del kept[above:]
        at = end
    return "".join(kept)


def _is_above_text(line: str) -> bool:
    return _SEEN in line or not line.strip() or line.startswith("#")


def _replaced(
    pattern: re.Pattern[str],
    text: str,
    meant: Callable[[re.Match[str]], bool],
    shown: Callable[[re.Match[str]], str],
) -> str:
    """Return the text with what is meant as it is shown; what begins in code stays."""
    code = code_spans(text)
    starts = [start for start, _ in code]

    def instead(found: re.Match[str]) -> str:
        before = bisect(starts, found.start()) - 1
        inside = before >= 0 and found.start() < code[before][1]
        return found[0] if inside or not meant(found) else shown(found)

    return pattern.sub(instead, text)


def _called(name: str) -> str:
    """Return the name of a target as names are compared."""
    return " ".join(name.casefold().split())
