"""Pages that are written by their scripts, as the system's Chromium shows them (extra `browser`).

The browser reaches nothing by itself: it is started with a proxy and a resolver that lead nowhere, and each
of its requests is taken from it, judged and fetched as any page is. It is sent no cookies and keeps nothing;
forms, sockets, workers, downloads, fonts and films are refused, and images unless it is to be looked at.
"""

import asyncio
import base64
import os
import shlex
import shutil
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager, suppress
from dataclasses import dataclass
from html import escape
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from library.errors import FetchError
from library.evidence import on_the_web
from library.web.fetcher import Fetched, Fetcher
from library.web.url_policy import target
from models import install_command

if TYPE_CHECKING:
    from playwright.async_api import Browser, Request, Route

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_FLAGS = (
    "--proxy-server=http://127.0.0.1:9", "--proxy-bypass-list=<-loopback>",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--disable-background-networking", "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-gpu", "--mute-audio",
)  # fmt: skip
_GIVEN = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "TZ")
_REFUSED = frozenset(("media", "font", "websocket", "eventsource", "ping", "manifest", "texttrack"))
_IMAGE = "image"
"""Loaded only for a page that is to be looked at."""
_MOST_PARTS = 80
"""Requests of one page."""
_PROCESS_MEGABYTES = 1_000
"""What each process of the browser may write in: a page's scripts can ask for any amount."""
_MEGABYTES = 20
"""Of all that one page loads."""


@dataclass(frozen=True, slots=True)
class RenderedPage:
    """A page after its scripts have run."""

    url: str
    """Where the browser was in the end."""
    title: str
    html: bytes
    picture: str
    """What it looks like, from top to bottom as far as 4,000 pixels: a PNG in base64."""


class PageRenderer:
    """A browser, started when the first page is to be rendered; pages are rendered one after another."""

    def __init__(self, fetcher: Fetcher) -> None:
        """Take what fetches for it.

        Raises:
            FetchError: there is no browser, or what drives it is not installed; it says what to install.
        """
        if find_spec("playwright") is None:
            raise FetchError(f"library.fetch.browser needs a package: {install_command('browser')}")
        self._program = next(filter(None, map(shutil.which, _NAMES)), "")
        if not self._program:
            raise FetchError(f"library.fetch.browser finds none of {', '.join(_NAMES)}: install Chromium")
        self._fetcher = fetcher
        self._turn = asyncio.Lock()
        self._open = AsyncExitStack()
        self._browser: Browser | None = None

    async def close(self) -> None:
        """End the browser."""
        self._browser = None
        await self._open.aclose()

    async def render(self, page: Fetched, *, images: bool = False) -> RenderedPage:
        """Return a page that was fetched as it is after its scripts have run; with its images or without.

        Raises FetchError.
        """
        from playwright.async_api import Error

        async with self._turn:
            try:
                async with asyncio.timeout(self._fetcher.settings.seconds + 10):
                    return await self._rendered(page, images=images)
            except (Error, TimeoutError, OSError) as error:
                await self.close()
                said = " ".join(str(error).split())[:160] or "it took too long"
                raise FetchError(f"{page.url}: the browser cannot show it ({said})") from error

    async def _rendered(self, page: Fetched, *, images: bool) -> RenderedPage:
        from playwright.async_api import TimeoutError as LateError

        browser = await self._started()
        milliseconds = self._fetcher.settings.seconds * 1000
        context = await browser.new_context(
            user_agent=self._fetcher.user_agent, service_workers="block", accept_downloads=False,
            viewport={"width": 1200, "height": 1000},
        )  # fmt: skip
        try:
            parts = _Parts(self._fetcher, page, _REFUSED if images else _REFUSED | {_IMAGE})
            await context.route("**/*", parts.answer)
            await context.route_web_socket("**/*", lambda socket: socket.close())
            shown = await context.new_page()
            await shown.goto(page.url, wait_until="domcontentloaded", timeout=milliseconds)
            with suppress(LateError):  # a page that never rests is shown as it is then
                await shown.wait_for_load_state("networkidle", timeout=milliseconds / 2)
            if not on_the_web(shown.url):
                raise FetchError(f"{page.url}: its scripts lead to what cannot be asked")
            html, title = await shown.content(), " ".join((await shown.title()).split())[:500]
            await shown.set_viewport_size({"width": 1200, "height": 4000})
            picture = await shown.screenshot(timeout=milliseconds)
            data = html.encode("utf-8", "replace")
            return RenderedPage(shown.url, title, data, base64.b64encode(picture).decode())
        finally:
            await context.close()

    async def _started(self) -> "Browser":
        if self._browser is None:
            from playwright.async_api import async_playwright

            playwright = await self._open.enter_async_context(async_playwright())
            root = [] if getattr(os, "getuid", lambda: 1)() else ["--no-sandbox"]
            bounded = self._open.enter_context(_bounded(self._program))
            self._browser = await playwright.chromium.launch(
                executable_path=bounded, args=[*_FLAGS, *root],
                env={name: os.environ[name] for name in _GIVEN if name in os.environ},
            )  # fmt: skip
            self._open.push_async_callback(self._browser.close)
        return self._browser


@contextmanager
def _bounded(program: str) -> Iterator[str]:
    """Give a program that starts another with a bound on the memory of each of its processes."""
    with TemporaryDirectory(prefix="roundtable-") as folder:
        script = Path(folder) / "browser"
        most = _PROCESS_MEGABYTES * 1_000
        script.write_text(f'#!/bin/sh\nulimit -d {most}\nexec {shlex.quote(program)} "$@"\n')
        script.chmod(0o700)
        # Where nothing may be executed in folders for temporary files, it goes without.
        yield str(script) if os.access(script, os.X_OK) else program


class _Parts:
    """Answers a page's requests from what the guard lets through."""

    def __init__(self, fetcher: Fetcher, page: Fetched, refused: frozenset[str]) -> None:
        self._fetcher = fetcher
        self._page = page
        self._refused = refused
        self._count = 0
        self._bytes = 0

    async def answer(self, route: "Route") -> None:
        request = route.request
        first, self._count = self._count == 0, self._count + 1
        try:
            if first:
                return await self._fulfil(route, self._page)
            too_much = self._count > _MOST_PARTS or self._bytes > _MEGABYTES * 1_000_000
            if request.method != "GET" or request.resource_type in self._refused or too_much:
                return await route.abort("blockedbyclient")
            for asking in {self._page.url, *_asking(request)}:
                self._fetcher.check_part(request.url, asking)
            part = await self._fetcher.fetch(request.url, accept=None, interface=True)
        except FetchError:
            # A page that leads where nothing may be asked stays shown; else that is out of reach.
            return await route.abort("aborted" if request.is_navigation_request() else "failed")
        if request.is_navigation_request() and not _same_origin(part.url, request.url):
            # What one site sends on to another would be shown, and could act, under the address of the first.
            html = f'<meta http-equiv="refresh" content="0;url={escape(part.url)}">'
            return await route.fulfill(status=200, content_type="text/html", body=html)
        return await self._fulfil(route, part)

    async def _fulfil(self, route: "Route", part: Fetched) -> None:
        self._bytes += len(part.data)
        kind = part.media_type + (f"; charset={part.charset}" if part.charset else "")
        headers: dict[str, Any] = {"Content-Type": kind, "Access-Control-Allow-Origin": "*"}
        await route.fulfill(status=200, headers=headers, body=part.data)


def _asking(request: "Request") -> list[str]:
    """Return the addresses of the frames that a part is for, from the innermost; some have none.

    Raises:
        FetchError: it is for another page than the one that is shown.
    """
    from playwright.async_api import Error

    try:
        frame = request.frame
    except Error as error:
        raise FetchError(f"{request.url}: it is for a page of its own") from error
    if frame.page is not frame.page.context.pages[0]:
        raise FetchError(f"{request.url}: it is for a page of its own")
    asking = frame.parent_frame if request.is_navigation_request() else frame
    found: list[str] = []
    while asking is not None:
        # One that was written into another has no address, and is in the hands of that one.
        found += [asking.url] if on_the_web(asking.url) else []
        asking = asking.parent_frame
    return found


def _same_origin(one: str, other: str) -> bool:
    """Tell whether what is shown under two addresses may act as one page."""
    return target(one, ports=range(1, 65_536)).origin == target(other, ports=range(1, 65_536)).origin
