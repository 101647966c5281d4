"""Pages that need scripts, in the real Chromium; whatever a page's scripts try, the guard is asked."""

import base64
import io
import re
import shutil
from collections.abc import Iterator
from typing import Any

import pytest
from PIL import Image

from library import FetchError, LibrarySettings, ReadError, look_url, open_library
from library.web.fetch_settings import FetchSettings
from models import ModelSettings, seeing_model
from tests.model_server import Asked, ModelServer

pytestmark = [
    pytest.mark.loopback,
    pytest.mark.browser,
    pytest.mark.skipif(shutil.which("chromium") is None, reason="Chromium is not installed"),
]
APP = """<!doctype html><title>Dikes</title><div id=app></div><script src="/app.js"></script>"""
SCRIPT = """fetch('/data.json').then(answer => answer.json()).then(data => {
  document.getElementById('app').innerHTML = '<h1>Dikes</h1><p>' + data.text + '</p>'
})"""
TEXT = "The dike at Merrow was raised by 40 cm in May, after the flood of the winter before. " * 3
REACHES = """
for (const url of ['OTHER/fetched', 'http://169.254.169.254/latest', 'file:///etc/passwd'])
  fetch(url).catch(() => 0)
fetch('/post', {method: 'POST', body: 'x'}).catch(() => 0)
new Image().src = 'OTHER/picture'
navigator.sendBeacon('OTHER/beacon', 'x')
try { new WebSocket('OTHER/socket'.replace('http', 'ws')) } catch {}
try { new Worker('OTHER/worker') } catch {}
navigator.serviceWorker?.register('/sw.js').catch(() => 0)
const frame = document.createElement('iframe'); frame.src = 'OTHER/frame'; document.body.append(frame)
const link = document.createElement('link'); link.rel = 'prefetch'
link.href = 'OTHER/prefetch'; document.head.append(link)
try { new RTCPeerConnection({iceServers: [{urls: 'stun:127.0.0.1:PORT'}]}).createDataChannel('x') } catch {}
setTimeout(() => { location = 'OTHER/gone' }, 300)
document.body.append(document.cookie || 'It has no cookie. ' + 'The dike stands. '.repeat(30))
"""


@pytest.fixture
def other(website) -> Iterator[Any]:
    """A server inside the network that nobody opened."""
    site = type(website)()
    yield site
    site.close()


def settings(website: Any, *, browser: bool = True, cache: bool = False) -> LibrarySettings:
    fetch = FetchSettings(allow=(website.host,), browser=browser, robots=False, pause=0, cache=cache)
    return LibrarySettings(fetch=fetch)


async def test_a_page_that_its_scripts_write_is_read_where_that_is_asked_for(website, tmp_path):
    url = website.add("/app", APP, **{"Content-Type": "text/html"})
    website.add("/app.js", SCRIPT, **{"Content-Type": "text/javascript"})
    website.add("/data.json", f'{{"text": "{TEXT}"}}', **{"Content-Type": "application/json"})
    async with await open_library(
        settings(website), [], ["web"], offline=False, home=tmp_path, environment={}
    ) as library:
        source = await library.read(url)
        assert (source.title, source.url) == ("Dikes", url)
        assert TEXT.strip() in source.text
    assert [asked.path for asked in website.asked] == ["/app", "/app.js", "/data.json"]
    assert all("roundtable" in asked.headers["user-agent"].lower() for asked in website.asked)
    async with await open_library(
        settings(website, browser=False), [], ["web"], offline=False, home=tmp_path / "2", environment={}
    ) as library:
        with pytest.raises(ReadError):
            await library.read(url)


async def test_whatever_a_page_tries_reaches_nothing_that_the_guard_refuses(website, other, tmp_path):
    script = REACHES.replace("OTHER", other.url).replace("PORT", str(other.port))
    html = f"<!doctype html><title>x</title><body><script>{script}</script>"
    url = website.add("/page", html, **{"Content-Type": "text/html"})
    async with await open_library(
        settings(website), [], ["web"], offline=False, home=tmp_path, environment={}
    ) as library:
        source = await library.read(url)
        assert "It has no cookie." in source.text
    assert other.connections == 0
    assert [asked.path for asked in website.asked] == ["/page"]


GREEDY = """<!doctype html><title>Greedy</title><body><script>
const held = []
try { while (held.length < 36) held.push(new Uint8Array(50_000_000).fill(1)) } catch {}
document.body.append('It holds ' + 50 * held.length + ' megabytes. ' + 'The mill stands. '.repeat(40))
</script>"""


async def test_a_page_s_scripts_have_a_bound_on_memory(website, tmp_path):
    url = website.add("/greedy", GREEDY, **{"Content-Type": "text/html"})
    async with await open_library(
        settings(website), [], ["web"], offline=False, home=tmp_path, environment={}
    ) as library:
        held = re.search(r"It holds (\d+) megabytes", (await library.read(url)).text)
    assert held is not None
    assert 100 <= int(held[1]) <= 1_000


async def test_without_a_browser_a_line_says_what_to_install(website, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(FetchError, match="finds none of chromium, .*: install Chromium"):
        await open_library(settings(website), [], ["web"], offline=False, home=tmp_path, environment={})


CHART = """<svg xmlns="http://www.w3.org/2000/svg" width="400" height="300">
<rect width="400" height="300" fill="#c01030"/></svg>"""
BOARD = "<!doctype html><title>Levels</title><p>Levels of the lake.</p><img src='/chart.svg' width=400>"
SEEN = "A chart of the lake's level: 4.2 m in 2020, about 3.6 m in 2024."


async def test_a_page_is_looked_at_with_its_images_and_kept_beside_what_it_says(website, tmp_path):
    url = website.add("/board", BOARD, **{"Content-Type": "text/html"})
    website.add("/chart.svg", CHART, **{"Content-Type": "image/svg+xml"})
    reds: list[int] = []

    def reply(asked: Asked) -> dict[str, str]:
        said = [m["content"] for m in asked.body["messages"] if isinstance(m["content"], list)]
        [part] = [part for content in said for part in content if part["type"] == "image_url"]
        shown = Image.open(io.BytesIO(base64.b64decode(part["image_url"]["url"].partition("base64,")[2])))
        counts = {colour: n for n, colour in shown.convert("RGB").getcolors(1 << 24) or []}
        reds.append(counts.get((192, 16, 48), 0))
        return {"text": SEEN}

    with ModelServer(reply=reply) as server:
        model = seeing_model(ModelSettings(vision="openai:eye", base_url=server.url), {})
        assert model is not None
        async with await open_library(
            settings(website, cache=True), [], ["web"],
            offline=False, home=tmp_path, environment={}, sees=model,
        ) as library:  # fmt: skip
            assert library.looks
            source = await library.read(look_url(url))
            assert (source.text, source.title) == (SEEN, "Levels (as it looks)")
            assert source.url == f"{url}#as-it-looks"
            assert library.store.find(url) is None
            assert (await library.read(look_url(url))).text == SEEN
            assert (await library.read_now(look_url(url))).text == SEEN
            assert len(library.pictures_read) == 1
            website.add("/notes.txt", "Plain words.", **{"Content-Type": "text/plain"})
            with pytest.raises(ReadError, match="no page that a browser draws"):
                await library.read(look_url(f"{website.url}/notes.txt"))
        await model.close()
    assert reds[0] > 100_000
    assert [asked.path for asked in website.asked][:2] == ["/board", "/chart.svg"]


async def test_to_look_at_a_page_needs_what_a_line_names(website, tmp_path):
    url = website.add("/board", BOARD, **{"Content-Type": "text/html"})
    async with await open_library(
        settings(website), [], ["web"], offline=False, home=tmp_path, environment={}
    ) as library:
        assert not library.looks
        with pytest.raises(ReadError, match=r"library\.fetch\.browser and models\.vision"):
            await library.read(look_url(url))
