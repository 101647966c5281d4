"""What a source is called: its title, or what its address tells where its title is none."""

import re
from urllib.parse import unquote, urlsplit

from library import Source
from library.passages import beginning
from library.text import reported
from reports.report_phrases import ReportPhrases
from reports.visible_text import host, plain, web_address

_SITE = re.compile(r"(?<!\s)\s+[|–—-]\s+(?:www\.)?[\w-]+(?:\.[\w-]+)+$")
"""A host behind a title."""
_FILE = re.compile(r"\.(?:html?|php|aspx?|jsp|pdf|docx?|txt|md|cgi)$", re.IGNORECASE)
_CODE = re.compile(
    r"(?=\S*\d{5})\S++|(?=\S*[=%&?])\S++|(?=\S*[a-z])(?=(?:\D*\d){3})[\da-z]{8,}|\d+(?:,\d+){2,}",
    re.IGNORECASE,
)
"""A number of an article, a parameter, a hash; no year."""
_WORD = re.compile(r"[^\W\d_]{2,}")
_BEGINNING = 60
"""Characters of a text that stand for its title."""
_DAY, _MINUTE = len("2026-01-01"), len("2026-01-01T12:00")
_FEWEST = 3
"""Words from which on what an address or a file's name tells is a name of its own."""


def source_name(title: str, url: str, text: str = "") -> str:
    """Return what a reader knows a source by.

    A title that people wrote stays as it is, and so does that of a document of one's own. What is by its form
    a file's name, a piece of an address or a program's report of an error gives way to its own words without
    the numbers, or to the words of the address, with the host behind them; at last to how the text begins,
    as a quotation behind the file's name: a file of many matters may begin with another.
    """
    told, site = plain(title), host(url) if web_address(url) else ""
    begins = told.endswith("…") and plain(text).startswith(told.rstrip(" …"))
    unnamed = not told or reported(told) or begins
    if not unnamed and (not site or _is_title(told)):
        return told
    if not site:
        start = told if begins else beginning(text, _BEGINNING)
        file = plain(unquote(urlsplit(url).path.rsplit("/", 1)[-1])) if url.startswith("file:") else ""
        return ": ".join(filter(None, [file, start and f"“{start}”"])) or plain(url)
    ways = [] if unnamed else [_SITE.sub("", told)]
    ways += sorted(_segments(url), key=lambda part: -len(_words(part)))[:1]
    for words in map(_words, ways):
        if len(words) >= _FEWEST:
            name = " ".join(words)
            return f"{name[:1].upper()}{name[1:]} ({site})"
    return "/".join([site, *("-".join(words) for part in _segments(url) if (words := _words(part)))])


def kept_on(source: Source, words: ReportPhrases, renewed: str = "") -> str:
    """Say when a page was read; of a document of one's own, of when its file is; when it was computed.

    Args:
        source: The page.
        words: In which words.
        renewed: When a later version was read: on the same day the minute is told, too.
    """
    said = words.computed_on if source.computed else words.saved if source.private else words.retrieved
    return said.format(date=moment(source.retrieved, renewed)) if source.retrieved else ""


def moment(time: str, other: str) -> str:
    """Return the day of a time (ISO 8601), and its minute where another time is of the same day."""
    return time[: _MINUTE if time[:_DAY] == other[:_DAY] else _DAY].replace("T", " ")


def _is_title(title: str) -> bool:
    """Tell whether a web page's title reads as people write one: no file, no numbers of a database."""
    bare = _SITE.sub("", title)
    if _FILE.search(bare) or (bare != title and bare.islower() and not bare.count(" ")):
        return False
    return bare != bare.lower() or not any(map(_CODE.fullmatch, bare.split()))


def _segments(url: str) -> list[str]:
    try:
        path = urlsplit(url).path
    except ValueError:
        return []
    return [part for part in unquote(path).split("/") if part and not part.endswith(":")]


def _words(text: str) -> list[str]:
    """Return the words of a file's name or a piece of an address, without numbers, codes and endings."""
    bare = _FILE.sub("", text)
    parts = [part for part in re.split(r"[\s_+-]+", bare) if part and not _CODE.fullmatch(part)]
    return [part for part in parts if _WORD.search(part) or len(part) < 5]
