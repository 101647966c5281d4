"""Pages of wikis whose highest heading has the most signs, as DokuWiki and Zim write them, as Markdown.

`====== Title ======` stands above `===== Part =====` there, the other way round than in other texts.
"""

import re

_FIRST = re.compile(r"(?:\A|\n)={2,6}[ \t][^\n]{1,300}")
_HIGHEST = re.compile(r"\n?======[ \t]+\S[^\n]{0,280}[ \t]======[ \t]*")
_HEADING = re.compile(r"^(={2,6})[ \t]+(\S[^\n]{0,280}?)[ \t]+\1[ \t]*$", re.MULTILINE)
_SAID_FIRST = re.compile(r"\A(?:[A-Z][\w-]{1,40}:[ \t][^\n]{0,400}\n){1,12}[ \t]*\n")
_KIND = "Content-Type:"
"""Begins what a page says of itself as mail does, before its first empty line."""
_FENCE = re.compile(r"^(?:'''[ \t]*|<(?:code|file)(?:[ \t][^<>\n]{0,120})?>|</(?:code|file)>)$", re.MULTILINE)
_CODE = re.compile(r"''(?!')([^'\n]{1,200})''(?!')")
_SLANTED = re.compile(r"(?<![:/\w])//(?![/\s])([^/\n]{1,200})(?<!\s)//(?![/\w])")
_MOST = 64_000
"""Characters in which the first heading stands."""


def is_wiki_text(text: str) -> bool:
    """Tell whether the first heading of a text has as many signs as any may have."""
    first = _FIRST.search(text, 0, _MOST)
    return first is not None and _HIGHEST.fullmatch(first[0]) is not None


def wiki_as_markdown(text: str) -> str:
    """Return a page of such a wiki with its headings and code as Markdown has them; links stay."""
    said = _SAID_FIRST.match(text) if text.startswith(_KIND) else None
    parts = _FENCE.split(text[said.end() if said else 0 :])
    # Every other part stands in a fence.
    return "```".join(part if n % 2 else _marked(part) for n, part in enumerate(parts))


def _marked(text: str) -> str:
    text = _HEADING.sub(lambda found: f"{'#' * (7 - len(found[1]))} {found[2]}", text)
    return _SLANTED.sub(r"\1", _CODE.sub(r"`\1`", text))
