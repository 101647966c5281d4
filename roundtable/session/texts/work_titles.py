"""What the works are called whose pages a session read: the front page of a manual names its version."""

import re
from collections.abc import Iterable, Mapping
from pathlib import PurePath
from urllib.parse import unquote, urlsplit

from library import Evidence, Library

_FRONT = "index"
"""What the file of a work's front page is called, without its ending."""
_VERSION = re.compile(r"(?<!\w)v?\d+\.\d+(?:\.\d+)*(?!\w)|[A-Za-z]\s+v?\d{1,2}(?![\w.])")
"""A version in a title: `PostgreSQL 15.20 Documentation`, `Vim 9 manual`; a year is none."""


def versioned_works(cited: Iterable[str], evidence: Evidence, library: Library) -> list[str]:
    """Return the titles of the works that some passages are from, as far as they name a version, each once.

    Args:
        cited: Ids of passages.
        evidence: Which sources they are of.
        library: Where a work's front page lies beside its other pages.
    """
    sources = [evidence.source(i) for i in cited if i in evidence.passages]
    folders = dict.fromkeys(_folder(source.url) for source in sources)
    fronts = _front_pages(library.files()) if folders else {}
    titles = [library.source(fronts[folder]).title for folder in folders if folder in fronts]
    return [title for title in dict.fromkeys(titles) if _VERSION.search(title)]


def _front_pages(files: Mapping[str, str]) -> dict[PurePath, str]:
    """Return the hash of the front page's text by its folder."""
    pages = {PurePath(path): sha256 for path, sha256 in files.items()}
    return {page.parent: sha256 for page, sha256 in pages.items() if page.stem == _FRONT}


def _folder(url: str) -> PurePath:
    return PurePath(unquote(urlsplit(url).path)).parent
