"""Fetching over real sockets: what comes back, what is refused, and how it is said."""

import asyncio
import gzip
import ssl
import zlib
from datetime import UTC, datetime

import httpx2
import pytest

from library.errors import FetchError
from library.web.fetch_settings import FetchSettings
from library.web.fetcher import Fetcher
from library.web.guarded_transport import GuardedTransport
from library.web.http_request import StatusError, UnreachableError
from library.web.media_types import JSON, content_type

pytestmark = pytest.mark.loopback

NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


def fetcher_for(site, **settings) -> Fetcher:
    """A fetcher that may read the site, without pauses; its waits pass at once and are written down."""
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    named = {"allow": (site.host,), "pause": 0, "robots": False} | settings
    fetcher = Fetcher(FetchSettings(**named), clock=lambda: NOON, sleep=sleep)
    fetcher.waits = waits
    return fetcher


async def test_a_page_comes_with_where_and_when(website):
    website.add("/page", "<html>Füße", Content_Type='Text/HTML; charset="UTF-8"')
    async with fetcher_for(website, contact="reader@example.org") as fetcher:
        page = await fetcher.fetch(website.url + "/page#part")
    assert page.data.decode() == "<html>Füße"
    assert (page.url, page.asked) == (website.url + "/page", website.url + "/page#part")
    assert (page.media_type, page.charset, page.retrieved) == (
        "text/html",
        "utf-8",
        "2026-03-01T12:00:00+00:00",
    )
    sent = website.asked[0].headers
    assert sent["user-agent"] == "Roundtable/0.1 (research reader; reader@example.org)"
    assert sent["accept-encoding"] == "gzip, deflate"
    assert "cookie" not in sent
    assert "authorization" not in sent


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_redirects_are_followed(website, status):
    website.redirect("/old", "new", status)
    website.redirect("/new", website.url + "/newest", status)
    website.add("/newest", "<html>found", Set_Cookie="a=b")
    async with fetcher_for(website) as fetcher:
        page = await fetcher.fetch(website.url + "/old")
    assert (page.url, page.asked) == (website.url + "/newest", website.url + "/old")


async def test_five_redirects_are_followed_and_no_more(website):
    for n in range(7):
        website.redirect(f"/{n}", f"/{n + 1}")
    website.add("/7", "<html>end")
    async with fetcher_for(website) as fetcher:
        assert (await fetcher.fetch(website.url + "/2")).url.endswith("/7")
        with pytest.raises(FetchError, match="more than 5 redirects"):
            await fetcher.fetch(website.url + "/1")


async def test_a_redirect_in_circles_ends(website):
    website.redirect("/round", "/round")
    async with fetcher_for(website) as fetcher:
        with pytest.raises(FetchError, match="redirects"):
            await fetcher.fetch(website.url + "/round")
    assert len(website.asked) == 6


@pytest.mark.parametrize(
    "kind", ["image/png", "application/zip", "video/mp4", "text/css", "application/json"]
)
async def test_other_media_types_are_refused_before_their_body(website, answer, kind):
    website.pages["/x"] = answer(b"x" * 1000, headers={"Content-Type": kind}, hold=True)
    async with fetcher_for(website) as fetcher:
        with pytest.raises(FetchError, match=f"{kind} is not read"):
            await fetcher.fetch(website.url + "/x")


async def test_what_says_nothing_of_itself_is_looked_at(website):
    website.add("/html", "  <!DOCTYPE html><p>page", Content_Type="")
    website.add("/pdf", b"%PDF-1.7 ...", Content_Type="application/octet-stream")
    website.add("/blob", b"\x00\x01\x02", Content_Type="application/octet-stream")
    async with fetcher_for(website) as fetcher:
        assert (await fetcher.fetch(website.url + "/html")).media_type == "text/html"
        assert (await fetcher.fetch(website.url + "/pdf")).media_type == "application/pdf"
        with pytest.raises(FetchError, match="type is not said"):
            await fetcher.fetch(website.url + "/blob")


async def test_interfaces_are_asked_for_json(website):
    website.add("/api", b'{"a": 1}', Content_Type="application/json")
    async with fetcher_for(website) as fetcher:
        page = await fetcher.fetch(website.url + "/api", accept=JSON, interface=True, headers={"X-Key": "k"})
    assert page.data == b'{"a": 1}'
    assert website.asked[0].headers["x-key"] == "k"
    assert "application/json" in website.asked[0].headers["accept"]


async def test_keys_do_not_follow_a_redirect_to_another_host(website):
    website.redirect("/api", f"http://localhost:{website.port}/there")
    website.add("/there", b"{}", Content_Type="application/json")
    async with fetcher_for(website, allow=(website.host, f"localhost:{website.port}")) as fetcher:
        await fetcher.fetch(website.url + "/api", accept=JSON, headers={"X-Key": "k"})
    assert [asked.headers.get("x-key") for asked in website.asked] == ["k", None]


@pytest.mark.parametrize("encoding", ["gzip", "x-gzip", "deflate", "raw deflate", "two members"])
async def test_compressed_pages_are_unpacked(website, encoding):
    text = b"<html>" + b"word " * 5000
    raw = zlib.compressobj(wbits=-15)
    packed = {
        "gzip": gzip.compress(text),
        "x-gzip": gzip.compress(text),
        "deflate": zlib.compress(text),
        "raw deflate": raw.compress(text) + raw.flush(),
        "two members": gzip.compress(text[:100]) + gzip.compress(text[100:]),
    }[encoding]
    website.add(
        "/z",
        packed,
        Content_Encoding={"raw deflate": "deflate", "two members": "gzip"}.get(encoding, encoding),
    )
    async with fetcher_for(website) as fetcher:
        assert (await fetcher.fetch(website.url + "/z")).data == text


@pytest.mark.parametrize("encoding", ["gzip", "deflate"])
async def test_a_bomb_is_put_out(website, encoding):
    bomb = (gzip if encoding == "gzip" else zlib).compress(bytes(60_000_000), 9)
    assert len(bomb) < 250_000
    website.add("/bomb", bomb, Content_Encoding=encoding)
    async with fetcher_for(website) as fetcher:
        with pytest.raises(FetchError, match="larger than 10 MB"):
            await fetcher.fetch(website.url + "/bomb")


async def test_layers_of_compression_and_other_codings_are_refused(website):
    website.add("/layers", gzip.compress(gzip.compress(b"x")), Content_Encoding="gzip, gzip")
    website.add("/br", b"x", Content_Encoding="br")
    async with fetcher_for(website) as fetcher:
        for path in ("/layers", "/br"):
            with pytest.raises(FetchError, match="was not asked for"):
                await fetcher.fetch(website.url + path)


@pytest.mark.parametrize("body", [b"this is no gzip", gzip.compress(bytes(range(256)) * 9)[:-20]])
async def test_broken_compression_is_said(website, body):
    website.add("/z", body, Content_Encoding="gzip")
    async with fetcher_for(website) as fetcher:
        with pytest.raises(FetchError, match="compression"):
            await fetcher.fetch(website.url + "/z")


async def test_a_page_that_is_too_large_is_refused_by_its_announced_length_and_by_what_comes(website, answer):
    website.add("/announced", b"x" * 30_000)
    website.pages["/held"] = answer(b"x" * 30_000, hold=True)
    async with fetcher_for(website, megabytes=0.01) as fetcher:
        for path in ("/announced", "/held"):
            with pytest.raises(FetchError, match="larger than 0.01 MB"):
                await fetcher.fetch(website.url + path)


async def test_a_page_that_never_ends_is_given_up(website, answer):
    website.pages["/slow"] = answer(b"<html>" + b"x" * 1000, hold=True)
    async with fetcher_for(website, seconds=0.2) as fetcher:
        with pytest.raises(UnreachableError, match="took longer than 0.2 s"):
            await fetcher.fetch(website.url + "/slow")
    assert len(website.asked) == 1


async def test_a_connection_that_breaks_is_tried_once_more(website, answer):
    def flaky(_asked):
        return answer(b"<html>whole", cut=len(website.asked) == 1)

    website.pages["/flaky"] = flaky
    website.pages["/broken"] = answer(b"<html>half", cut=True)
    async with fetcher_for(website) as fetcher:
        assert (await fetcher.fetch(website.url + "/flaky")).data == b"<html>whole"
        with pytest.raises(UnreachableError, match="connection to 127.0.0.1 failed"):
            await fetcher.fetch(website.url + "/broken")
        assert fetcher.waits == [0.5, 0.5]


@pytest.mark.parametrize(("after", "waits"), [("", [1.0]), ("3", [3.0]), ("600", [])])
async def test_a_busy_server_is_asked_once_more_when_it_is_soon(website, after, waits):
    website.add("/busy", "later", 503, Retry_After=after)
    async with fetcher_for(website) as fetcher:
        with pytest.raises(StatusError, match="HTTP 503 Service Unavailable") as busy:
            await fetcher.fetch(website.url + "/busy")
        assert fetcher.waits == waits
    assert busy.value.status == 503
    assert len(website.asked) == 1 + len(waits)


async def test_a_host_that_asks_for_a_long_rest_gets_it(website):
    website.add("/busy", "later", 429, Retry_After="300")
    async with fetcher_for(website) as fetcher:
        with pytest.raises(StatusError, match="HTTP 429"):
            await fetcher.fetch(website.url + "/busy")
        with pytest.raises(
            FetchError, match="127.0.0.1 asked for fewer requests; it is left alone for (299|300) s"
        ):
            await fetcher.fetch(website.url + "/other")
    assert website.paths == ["/busy"]


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410, 451, 500])
async def test_other_answers_are_final(website, status):
    website.add("/x", "no", status)
    async with fetcher_for(website) as fetcher:
        with pytest.raises(StatusError, match=f"HTTP {status} .*: {website.url}/x$"):
            await fetcher.fetch(website.url + "/x")
        assert fetcher.waits == []


async def test_a_host_that_cannot_be_reached_is_left_alone_for_a_while(website):
    closed = "127.0.0.1:1"
    async with fetcher_for(website, allow=(closed,)) as fetcher:
        for _ in range(3):
            with pytest.raises(UnreachableError, match="cannot be reached"):
                await fetcher.fetch(f"http://{closed}/")
        with pytest.raises(FetchError, match="left alone for 60 s"):
            await fetcher.fetch(f"http://{closed}/")


async def test_offline_nothing_is_asked(website, tmp_path):
    website.add("/", "<html>x")
    settings = FetchSettings(allow=(website.host,))
    async with Fetcher(settings, cache_folder=tmp_path, offline=True) as fetcher:
        with pytest.raises(FetchError, match="^offline: "):
            await fetcher.fetch(website.url + "/")
    assert website.connections == 0


async def test_environment_proxies_are_not_used(website, monkeypatch):
    website.add("/", "<html>direct")
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    async with fetcher_for(website) as fetcher:
        assert (await fetcher.fetch(website.url + "/")).data == b"<html>direct"


async def test_a_proxy_that_was_set_is_used(website):
    website.add("http://example.org/page", "<html>through the proxy")
    async with fetcher_for(website, allow=(), proxy=website.url) as fetcher:
        assert (await fetcher.fetch("http://example.org/page")).data == b"<html>through the proxy"
        with pytest.raises(FetchError, match="port 22"):
            await fetcher.fetch("http://example.org:22/")


def test_headers_are_read():
    assert content_type("TEXT/Html ; x=1; Charset='GBK'") == ("text/html", "gbk")
    assert content_type("") == ("", None)


async def _loopback(host: str, port: int) -> list[str]:
    return ["127.0.0.1"]


@pytest.fixture
async def secure_port(certificates):
    """A server on 127.0.0.1 with a certificate for site.example."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificates / "site.pem", certificates / "site.key")

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        head = (
            "HTTP/1.1 200 OK",
            "Content-Type: text/html",
            "Content-Length: 6",
            "Connection: close",
            "",
            "<html>",
        )
        writer.write("\r\n".join(head).encode())
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=context)
    async with server:
        yield server.sockets[0].getsockname()[1]


async def test_a_certificate_that_nobody_vouches_for_is_refused(secure_port):
    settings = FetchSettings(allow=(f"site.example:{secure_port}",), robots=False)
    async with Fetcher(settings, resolve=_loopback) as fetcher:
        with pytest.raises(FetchError, match="site.example cannot be reached .*certificate"):
            await fetcher.fetch(f"https://site.example:{secure_port}/")


async def test_a_certificate_is_checked_against_the_name_though_the_address_is_connected_to(
    secure_port, certificates
):
    context = ssl.create_default_context(cafile=certificates / "ca.pem")
    allow = (f"site.example:{secure_port}", f"other.example:{secure_port}")
    transport = GuardedTransport(allow, resolve=_loopback, context=context)
    async with httpx2.AsyncClient(transport=transport, trust_env=False) as client:
        assert (await client.get(f"https://site.example:{secure_port}/")).text == "<html>"
        with pytest.raises(httpx2.ConnectError, match="certificate"):
            await client.get(f"https://other.example:{secure_port}/")


async def test_other_clients_can_be_given_the_guard(website):
    website.add("/", "<html>x")
    async with httpx2.AsyncClient(transport=GuardedTransport(), trust_env=False) as client:
        with pytest.raises(FetchError, match="belongs to this machine"):
            await client.get(website.url)
    async with httpx2.AsyncClient(transport=GuardedTransport((website.host,)), trust_env=False) as client:
        assert (await client.get(website.url)).text == "<html>x"
