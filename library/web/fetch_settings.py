"""What a person can set about fetching pages."""

from pydantic import Field, field_validator

from library.web.url_policy import split_allowed
from models import Given
from models.client import address_host


class FetchSettings(Given):
    """How pages are fetched, and which may be."""

    allow: tuple[str, ...] = ()
    """Private hosts that are opened by name: `host` (ports 80 and 443) or `host:port`."""
    ports: tuple[int, ...] = (80, 443)
    """Ports that may be connected to on every public host."""
    redirects: int = Field(5, ge=0, le=20)
    """How many redirects are followed, each judged like the first url."""
    megabytes: float = Field(10.0, gt=0, le=200)
    """The largest page, decoded. Millions of bytes."""
    connect_seconds: float = Field(3.0, gt=0, le=60)
    """For resolving a name and connecting."""
    seconds: float = Field(20.0, gt=0, le=300)
    """For a page in all, redirects and one repetition included, waiting for one's turn at a host not."""
    per_host: int = Field(2, ge=1, le=20)
    """Requests under way at one host at once; eight at an interface on a host in `allow`: it is your own."""
    pause: float = Field(0.5, ge=0, le=60)
    """Seconds between the starts of two requests to one host; a longer Crawl-delay of its robots.txt wins."""
    robots: bool = True
    """Pages that a site's robots.txt closes to programs are left alone. Programming interfaces are exempt."""
    contact: str = ""
    """An e-mail or web address of yours, sent in the User-Agent; Wikipedia and Crossref ask for one."""
    proxy: str | None = None
    """The url of an HTTP proxy; None for none, environment variables are not read. A proxy resolves names
    itself: the addresses of hosts are then its business, and no longer judged here."""
    browser: bool = False
    """Whether pages that hold no text without their scripts are shown by the system's Chromium and read then;
    needs the extra `browser`. All that it loads goes through this guard."""
    cache: bool = True
    """Keep pages on disk, and ask again only whether they have changed."""
    cache_minutes: float = Field(60.0, ge=0)
    """For how long a page that says nothing about it is taken from disk without asking."""
    cache_megabytes: float = Field(500.0, gt=0)
    """The size of the cache on disk; what was not used for longest goes first."""
    rest_after: int = Field(3, ge=1)
    """A host that could not be reached this often in a row is not asked for `rest_seconds`."""
    rest_seconds: float = Field(60.0, ge=0)

    @field_validator("proxy")
    @classmethod
    def _address(cls, proxy: str | None) -> str | None:
        if proxy and not (proxy.startswith(("http://", "https://")) and address_host(proxy)):
            raise ValueError("it is no address of a proxy: write it like http://127.0.0.1:3128")
        return proxy or None

    @field_validator("allow")
    @classmethod
    def _hosts(cls, entries: tuple[str, ...]) -> tuple[str, ...]:
        for entry in entries:
            split_allowed(entry)
        return entries
