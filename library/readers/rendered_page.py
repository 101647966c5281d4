"""Pages after their scripts have run: read as any page, else by what they look like."""

from contextlib import suppress
from dataclasses import replace

from library.errors import FetchError, ReadError
from library.evidence import Source
from library.readers.reader import Reader, fingerprint
from library.web.fetcher import Fetched
from library.web.page_renderer import PageRenderer

_HTML = frozenset(("text/html", "application/xhtml+xml"))
_LEAST_TEXT = 300
"""Characters of a page that is believed to say what it has to say without its scripts."""


async def read_fetched(page: Fetched, reader: Reader, renderer: PageRenderer | None) -> Source:
    """Return a page that was fetched; one that says next to nothing without its scripts is rendered.

    Raises:
        FetchError: the browser cannot show it.
        ReadError: it holds no text.
    """
    if renderer is None or page.media_type not in _HTML or b"<script" not in page.data:
        return await reader.read_page(page)
    try:
        source = await reader.read_page(page)
    except ReadError:
        return await _read_rendered(page, renderer, reader)
    if len(source.text) < _LEAST_TEXT:
        with suppress(FetchError, ReadError):  # then the little that it says is what it says
            return await _read_rendered(page, renderer, reader)
    return source


async def _read_rendered(page: Fetched, renderer: PageRenderer, reader: Reader) -> Source:
    """Return a page as its scripts write it, else as a model that sees reads it, if there is one."""
    rendered = await renderer.render(page)
    written = replace(page, url=rendered.url, data=rendered.html, media_type="text/html", charset="utf-8")
    try:
        return await reader.read_page(written)
    except ReadError:
        text = await reader.see(rendered.picture)
        if not text:
            raise
    return Source(
        sha256=fingerprint(text), url=rendered.url, title=rendered.url, text=text, retrieved=page.retrieved
    )
