"""Which sources a session may use, said before it begins: sites, dates, kinds.

Engines are asked for no more than that as far as they know how; what they answer all the same, and where a
page or its redirect leads, is judged here again. So a scope holds whatever an engine does.
"""

import re
from datetime import date
from typing import Literal, Self
from urllib.parse import unquote, urlsplit

from pydantic import field_validator, model_validator

from models import Frozen

SourceKind = Literal["paper", "news", "encyclopedia", "docs", "code"]

_DATE = re.compile(r"(\d{4})(?:-(\d\d)(?:-(\d\d))?)?$")


class SearchScope(Frozen):
    """Which sources may be used. Sites and kinds bind what comes from the network; dates also documents."""

    sites: tuple[str, ...] = ()
    """Hosts whose pages alone may be used, their subdomains with them; `host/path` for a part of one.
    Empty: all."""
    not_sites: tuple[str, ...] = ()
    """Hosts, or parts of one, whose pages are not used."""
    since: str | None = None
    """The earliest date of publication: `2024`, `2024-05` or `2024-05-17`. A page of the network that has no
    date is left out then, a document of one's own is not."""
    until: str | None = None
    """The latest date of publication, written likewise; `2024` goes to the end of that year."""
    kinds: tuple[SourceKind, ...] = ()
    """Kinds of sources that may be used; empty: all. Places that do not tell what they give are left out."""

    @field_validator("sites", "not_sites")
    @classmethod
    def _as_hosts(cls, sites: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(as_site(each) for each in sites))

    @field_validator("since", "until")
    @classmethod
    def _as_date(cls, text: str | None) -> str | None:
        if text is not None and _days(text) is None:
            raise ValueError("give a date as 2024, 2024-05 or 2024-05-17")
        return text

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        first, last = self.first, self.last
        if first and last and first > last:
            raise ValueError(f"nothing is published since {self.since} and until {self.until}")
        return self

    @property
    def first(self) -> date | None:
        """The earliest day; None for no bound."""
        days = _days(self.since or "")
        return days[0] if days else None

    @property
    def last(self) -> date | None:
        """The latest day; None for no bound."""
        days = _days(self.until or "")
        return days[1] if days else None

    @property
    def dated(self) -> bool:
        """Whether it bounds dates."""
        return bool(self.since or self.until)

    def refuses_url(self, url: str) -> str | None:
        """Say why a page of the network may not be used; None when it may."""
        if self.sites and not any(lies_in(url, site) for site in self.sites):
            return f"{_shown(url)} is none of the sites that may be used ({', '.join(self.sites)})"
        if left := next((site for site in self.not_sites if lies_in(url, site)), None):
            return f"{left} is not to be used"
        return None

    def refuses_date(self, published: str | None, *, undated_too: bool = True) -> str | None:
        """Say why what was published then may not be used; None when it may.

        Args:
            published: ISO 8601, possibly shortened: then all of that year or month must lie in the bounds.
            undated_too: Whether what has no date is refused, where there are bounds.
        """
        days = _days((published or "")[:10])
        if not self.dated or (days is None and not undated_too):
            return None
        if days is None:
            return f"it has no date, and {self._bounds()} is asked for"
        first, last = self.first, self.last
        if (first and days[0] < first) or (last and days[1] > last):
            return f"it is of {published}, and {self._bounds()} is asked for"
        return None

    def refuses_kind(self, kind: str) -> str | None:
        """Say why a source of this kind ('' for unknown) may not be used; None when it may."""
        if self.kinds and kind not in self.kinds:
            return f"it is not known to be of the kind that may be used ({', '.join(self.kinds)})"
        return None

    def worded(self) -> str:
        """Return in words what is used; '' for everything."""
        parts = [
            f"pages of {', '.join(self.sites)}" if self.sites else "",
            f"nothing of {', '.join(self.not_sites)}" if self.not_sites else "",
            f"what was published {self._bounds()}" if self.dated else "",
            f"the kind {', '.join(self.kinds)}" if self.kinds else "",
        ]
        return "; ".join(part for part in parts if part)

    def _bounds(self) -> str:
        since, until = self.since and f"since {self.since}", self.until and f"until {self.until}"
        return " and ".join(part for part in (since, until) if part)

    def operators(self) -> str:
        """Return the sites as web engines read them: ` site:a.org -site:b.org`; '' for all."""
        wanted = " OR ".join(f"site:{site}" for site in self.sites)
        return "".join([f" {wanted}" if wanted else "", *(f" -site:{site}" for site in self.not_sites)])


def as_site(text: str) -> str:
    """Return a site as it is compared. Raises ValueError."""
    bare = text.strip().casefold()
    host, _, path = bare.rpartition("://")[2].partition("/")
    host = host.rpartition("@")[2].removeprefix("*.").removeprefix("www.").strip(".")
    if not re.fullmatch(r"[\w-]+(?:\.[\w-]+)*(?::\d+)?|\[[0-9a-f:]+\](?::\d+)?", host):
        raise ValueError(f"'{text}' is no site: give a host such as example.org, or example.org/path")
    return f"{host}/{path}".rstrip("/")


def lies_in(url: str, site: str) -> bool:
    """Tell whether a url lies in a site, whatever tricks it is written with."""
    try:
        parts = urlsplit(url)
        host, port = (parts.hostname or "").rstrip("."), parts.port
    except ValueError:
        return False
    if parts.scheme not in ("http", "https") or "\\" in url:
        return False
    name, _, path = site.partition("/")
    wanted, _, wanted_port = name.partition(":") if not name.startswith("[") else (name, "", "")
    if name.startswith("["):
        wanted, _, rest = name[1:].partition("]")
        wanted_port = rest.removeprefix(":")
    if wanted_port and str(port or {"http": 80, "https": 443}[parts.scheme]) != wanted_port:
        return False
    if host != wanted and not host.endswith(f".{wanted}"):
        return False
    steps = [step for step in unquote(parts.path).casefold().split("/") if step]
    inside = path.split("/") if path else []
    return ".." not in steps and steps[: len(inside)] == inside


def _days(text: str) -> tuple[date, date] | None:
    """Return the first and the last day that a date, possibly shortened, may mean; None when it is none."""
    found = _DATE.match(text)
    if not found:
        return None
    year, month, day = int(found[1]), int(found[2] or 0), int(found[3] or 0)
    try:
        first = date(year, month or 1, day or 1)
        if day:
            return first, first
        after = date(year + 1, 1, 1) if month in (0, 12) else date(year, month + 1, 1)
    except ValueError:
        return None
    return first, date.fromordinal(after.toordinal() - 1)


def _shown(url: str) -> str:
    return url if len(url) <= 100 else url[:99] + "…"
