"""What kind of source an address names by the way it is written: documentation, or where code is kept.

Search engines of the web do not say what a page is. These two kinds are told by conventions of addresses
alone; what follows none of them is of no known kind, and left out where a kind is asked for.
"""

import re
from urllib.parse import urlsplit

_CODE_HOSTS = frozenset(
    {"github.com", "raw.githubusercontent.com", "gist.github.com", "gitlab.com", "codeberg.org",
     "bitbucket.org", "git.sr.ht", "sourceforge.net", "salsa.debian.org"}
)  # fmt: skip
_DOCS_HOST = re.compile(
    r"(?:docs?|documentation|developers?|manpages|devdocs)\..+|.+\.readthedocs\.(?:io|org)|pkg\.go\.dev"
)
_DOCS_PATH = frozenset(
    {"docs", "doc", "documentation", "manual", "manuals", "handbook", "reference", "api-docs", "apidocs",
     "javadoc"}
)  # fmt: skip


def address_kind(url: str) -> str:
    """Return `code` or `docs` for an address that is written like one; empty for all others."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    host = (parts.hostname or "").removeprefix("www.")
    if host in _CODE_HOSTS or host.startswith(("git.", "gitlab.", "cgit.")):
        return "code"
    steps = {step.casefold() for step in parts.path.split("/")[:4]}
    return "docs" if _DOCS_HOST.fullmatch(host) or not _DOCS_PATH.isdisjoint(steps) else ""
