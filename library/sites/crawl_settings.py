"""What a person can set about collections that are made of a site."""

from pydantic import Field

from models import Given


class CrawlSettings(Given):
    """How far a site is read, where `docs add` is not told otherwise."""

    depth: int = Field(2, ge=0, le=20)
    """Links that are followed from the first page; 0: that page alone."""
    pages: int = Field(500, ge=1, le=100_000)
    """The most pages that are asked for."""
