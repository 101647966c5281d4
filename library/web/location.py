"""What a person names to be read: an address on the web or a file of this machine, told apart once.

Whoever takes words from outside asks here first, and goes on with the type. Nobody looks for `://` later: the
path `x://../diary.md` is a file by any other name.
"""

from dataclasses import dataclass
from pathlib import Path
from urllib.parse import SplitResult, urlsplit


@dataclass(frozen=True, slots=True)
class WebAddress:
    """A page that may be asked for over http or https, as far as its notation goes."""

    url: str
    """Without user name and password: these are nobody's business, and are not kept."""


@dataclass(frozen=True, slots=True)
class LocalFile:
    """Anything else: a path, whether or not something is there."""

    path: Path


Location = WebAddress | LocalFile


def located(named: str) -> Location:
    """Say what is meant by `https://example.org/page`, `notes.md`, `~/x`, or anything at all.

    An address has the scheme http or https, in whatever case, and a host. A `file:` url is no address and
    no path: there is no such file.
    """
    bare = named.strip()
    try:
        parts = urlsplit(bare)
        # Python's reading drops control characters, so that two readings of one text could differ.
        web = bare.isprintable() and parts.scheme in {"http", "https"} and bool(parts.hostname)
    except ValueError:  # an address whose brackets do not close
        return LocalFile(Path(bare))
    if web:
        return WebAddress(without_user(bare, parts))
    try:
        return LocalFile(Path(bare).expanduser())
    except RuntimeError:  # the home of a user that this machine does not have
        return LocalFile(Path(bare))


def without_user(url: str, parts: SplitResult) -> str:
    """Return a url without its user part, to the letter as it was otherwise."""
    _user, at, host = parts.netloc.rpartition("@")
    return url.replace(parts.netloc, host, 1) if at else url


def is_web_address(named: str) -> bool:
    """Tell whether `located` takes it for a page."""
    return isinstance(located(named), WebAddress)
