"""What a person can set about searching the network."""

from collections.abc import Mapping
from typing import Literal

from pydantic import Field

from library.search.search_scope import SearchScope
from models import Given


class SearchSettings(Given):
    """How the network is searched."""

    scope: SearchScope = SearchScope()
    """Which sources may be used at all."""
    language: str = "auto"
    """Of the results, as `en`, `de`, `zh`; `auto` for the language of each query."""
    addresses: Mapping[str, str] = Field(default_factory=dict)
    """Base urls by backend, for a mirror or a server of your own: `{"searxng": "https://search.example.org"}`.
    A private host must be named in `fetch.allow` too."""
    cache_minutes: float = Field(60.0, ge=0)
    """For how long what a place answered is taken from disk when the same words are searched again; 0: never.
    A search that found nothing is not kept."""
    web_order: tuple[Literal["tavily", "exa", "brave", "serper", "ddgs"], ...] = Field(
        ("tavily", "exa", "brave", "serper", "ddgs"), min_length=1
    )
    """Engines that `web` is searched with, in this order, as far as there is a key for them (TAVILY_API_KEY,
    EXA_API_KEY, BRAVE_API_KEY, SERPER_API_KEY): the next one where one fails or finds nothing. `ddgs` asks
    `web_engines`, which want no key."""
    web_together: int = Field(1, ge=1, le=5)
    """How many of them are asked at a time, their results joined by reciprocal rank."""
    web_engines: tuple[str, ...] = ("duckduckgo", "brave", "mojeek", "startpage", "yahoo", "bing")
    """Which engines `web` asks, through ddgs; it asks the next ones when the first give too little."""
    web_proxy: str | None = None
    """The url of a proxy for `web`, http or socks5."""
    web_certificates: str | None = None
    """A PEM file of certificates that `web` trusts instead of the usual ones, for such a proxy."""
    web_safe: str = Field("moderate", pattern="^(on|moderate|off)$")
    """How strictly engines filter."""
    web_seconds: int = Field(10, ge=1, le=60)
    """For one engine."""
    web_pause: float = Field(1.5, ge=0)
    """Seconds between two searches, and before the first repetition; doubled for each further one."""
    web_attempts: int = Field(3, ge=1, le=10)
    """How often a search that fails, or finds suspiciously nothing, is tried."""
