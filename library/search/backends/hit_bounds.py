"""What a place outside says of a result, within bounds: whoever answers may write anything into any field.

All of it goes into prompts, the journal and files, so that one title of megabytes would be in each of them.
"""

import re
from dataclasses import replace
from urllib.parse import urlsplit

from library.evidence import Work
from library.search.interface import Hit
from library.web.url_policy import LONGEST_URL

LONGEST_TITLE = 500
"""Characters; as of a page that was read."""
_LONGEST_SNIPPET = 2000
_LONGEST_ABSTRACT = 10_000
_LONGEST_NAME = 200
_MOST_AUTHORS = 200
_DAY = re.compile(r"\d{4}(?:-\d\d(?:-\d\d)?)?\Z", re.ASCII)


def bounded(hit: Hit) -> Hit | None:
    """Return a result with what can be kept of it; None where it leads to no address that could be asked.

    Raises TypeError where a field is no text.
    """
    if not all(isinstance(said, str) for said in (hit.url, hit.title, hit.snippet, hit.kind)):
        raise TypeError("a result's address, title or words are no text")
    if hit.passage is not None:  # its text is in the store, read within the bounds of reading
        return replace(hit, title=hit.title[:LONGEST_TITLE])
    if not _may_be_asked(hit.url):
        return None
    most = _LONGEST_ABSTRACT if hit.work else _LONGEST_SNIPPET
    return replace(
        hit,
        title=hit.title[:LONGEST_TITLE],
        snippet=hit.snippet[:most],
        published=_day(hit.published),
        kind=hit.kind[:_LONGEST_NAME],
        work=hit.work and _bounded_work(hit.work),
    )


def _may_be_asked(url: str) -> bool:
    """Tell whether an address is none that the fetcher refuses by its length or its user name."""
    try:
        return len(url) <= LONGEST_URL and "@" not in urlsplit(url).netloc
    except ValueError:  # brackets that do not close
        return False


def _day(said: object) -> str | None:
    return said if isinstance(said, str) and _DAY.match(said) else None


def _bounded_work(work: Work) -> Work:
    return replace(
        work,
        authors=tuple(author[:_LONGEST_NAME] for author in work.authors[:_MOST_AUTHORS]),
        venue=work.venue[:LONGEST_TITLE],
        doi=work.doi[:LONGEST_TITLE],
        kind=work.kind[:_LONGEST_NAME],
        title=work.title[:LONGEST_TITLE],
        issued=_day(work.issued) or "",
    )
