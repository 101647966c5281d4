"""Pages after their scripts have run: read as any page, else by what they look like."""

from contextlib import suppress
from dataclasses import replace
from urllib.parse import urldefrag

from library.errors import FetchError, ReadError
from library.evidence import Source, fingerprint
from library.readers.reader import Reader
from library.readers.text_files.plain_text import seen
from library.web.fetcher import Fetched
from library.web.page_renderer import PageRenderer

_HTML = frozenset(("text/html", "application/xhtml+xml"))
_LEAST_TEXT = 300
"""Characters of a page that is believed to say what it has to say without its scripts."""


_LOOKS = "#as-it-looks"
"""Behind a page's address: what the page looks like. It opens the page wherever it is followed."""


def look_url(url: str) -> str:
    """Return under which address it is kept what a page looks like."""
    return urldefrag(url).url + _LOOKS


def looked_at(url: str) -> str:
    """Return the address of the page that is to be looked at; '' where it is to be read."""
    return url.removesuffix(_LOOKS) if url.endswith(_LOOKS) else ""


async def look_at(page: Fetched, reader: Reader, renderer: PageRenderer | None) -> Source:
    """Return what a page looks like, its images and drawings too, as a model that sees writes it down.

    Raises:
        FetchError: the browser cannot show it.
        ReadError: there is no browser or no such model, it is no page, or the model cannot tell.
    """
    if renderer is None or not reader.reads_pictures:
        raise ReadError(
            f"{page.url}: to look at a page needs a browser and a model that sees: set library.fetch.browser"
            " and models.vision"
        )
    if page.media_type not in _HTML:
        raise ReadError(f"{page.url}: it is no page that a browser draws ({page.media_type}); read it")
    rendered = await renderer.render(page, images=True)
    text = await reader.see(rendered.picture)
    if not text:
        raise ReadError(f"{page.url}: the model that sees finds nothing on it")
    title = f"{seen(rendered.title) or rendered.url} (as it looks)"
    return Source(fingerprint(text), look_url(rendered.url), title, text, retrieved=page.retrieved)


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
