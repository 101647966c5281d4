"""Nobody is let in: what urls and addresses lead inside, in every notation, by redirect and by rebinding."""

import asyncio
import socket
import threading

import httpcore2
import pytest

from library.errors import FetchError
from library.web.fetch_settings import FetchSettings
from library.web.fetcher import Fetcher
from library.web.guarded_transport import resolve
from library.web.url_policy import is_opened, refusal, split_allowed, target

PRIVATE = [
    "127.0.0.1", "127.1.2.3", "0.0.0.0", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1",
    "169.254.169.254", "169.254.170.2", "100.64.0.1", "100.100.100.200", "168.63.129.16", "192.0.0.1",
    "192.0.0.192", "198.18.0.1", "192.0.2.1", "198.51.100.1", "203.0.113.1", "192.88.99.1", "224.0.0.1",
    "239.255.255.250", "240.0.0.1", "255.255.255.255", "::", "::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1",
    "::ffff:169.254.169.254", "::127.0.0.1", "::ffff:0:127.0.0.1", "64:ff9b::127.0.0.1",
    "64:ff9b::a9fe:a9fe", "64:ff9b:1::1", "2002:7f00:1::", "2002:c0a8:101::1",
    "2001:0:4136:e378:8000:63bf:80ff:fffe", "2001:0:7f00:1::", "fe80::1", "fe80::1%eth0", "fec0::1",
    "fc00::1", "fd00:ec2::254", "ff02::1", "2001:db8::1", "3fff::1", "100::1", "5f00::1",
    "2606:4700::5efe:127.0.0.1", "2606:4700::200:5efe:10.0.0.1", "not an address",
]  # fmt: skip
PUBLIC = [
    "93.184.216.34", "8.8.8.8", "1.1.1.1", "2606:2800:220:1:248:1893:25c8:1946", "2a00:1450:4001::200e",
    "64:ff9b::8.8.8.8", "::ffff:8.8.8.8", "172.15.255.255", "172.32.0.1", "100.63.255.255",
]  # fmt: skip


@pytest.mark.parametrize("address", PRIVATE)
def test_private_and_special_addresses_are_refused(address):
    assert refusal(address)


@pytest.mark.parametrize("address", PUBLIC)
def test_public_addresses_are_not(address):
    assert refusal(address) is None


# Each is asked for with a resolver that reads hosts as the C library does, so that odd notations would get
# through.
INWARD = [
    "http://127.0.0.1:{port}/", "http://localhost:{port}/", "http://LOCALHOST:{port}/",
    "http://localhost.:{port}/", "http://127.1:{port}/", "http://127.0.1:{port}/",
    "http://2130706433:{port}/", "http://0x7f000001:{port}/", "http://0x7f.0.0.1:{port}/",
    "http://0177.0.0.1:{port}/", "http://017700000001:{port}/", "http://0x7f.1:{port}/",
    "http://127.0.0.1.:{port}/", "http://0:{port}/", "http://0.0.0.0:{port}/",
    "http://127.000.000.001:{port}/", "http://①②⑦.⓪.⓪.①:{port}/", "http://127。0。0。1:{port}/",
    "http://１２７.0.0.1:{port}/", "http://[::1]:{port}/", "http://[::]:{port}/",
    "http://[0:0:0:0:0:0:0:1]:{port}/", "http://[::ffff:127.0.0.1]:{port}/",
    "http://[::ffff:7f00:1]:{port}/", "http://[::127.0.0.1]:{port}/", "http://[64:ff9b::127.0.0.1]:{port}/",
    "http://[2002:7f00:1::]:{port}/", "http://[fe80::1%25lo]:{port}/", "http://[fe80::1]:{port}/",
    "http://[fd00:ec2::254]:{port}/", "http://[::1%25lo]:{port}/", "http://inside.example:{port}/",
    "http://mixed.example:{port}/", "http://mapped.example:{port}/", "http://%31%32%37.0.0.1:{port}/",
    "http://localhost%00.example.com:{port}/", "http://127.0.0.1%2f:{port}/",
    "http://user@127.0.0.1:{port}/", "http://user:word@localhost:{port}/", "http://@127.0.0.1:{port}/",
    "http://example.com\\@127.0.0.1:{port}/", "http://example.com#@127.0.0.1:{port}/",
    "http://example.com:80@127.0.0.1:{port}/", "http://127.0.0.1:{port}\\@example.com/",
    "https://127.0.0.1:{port}/", "ftp://127.0.0.1:{port}/", "file:///etc/passwd",
    "gopher://127.0.0.1:{port}/", "data:text/html,hello", "javascript:alert(1)", "http:127.0.0.1:{port}",
    "//127.0.0.1:{port}/", "127.0.0.1:{port}", "http://", "http:///", "",
    "http://169.254.169.254/latest/meta-data/", "http://metadata.google.internal/",
    "http://127.0.0.1:{port}/ x", "http://127.0.0.1:{port}/\r\nHost: x", "http://[::1",
    "dict://127.0.0.1:{port}/", "unix:///var/run/docker.sock", "http+unix://%2Fvar%2Frun%2Fdocker.sock/",
    "jar:http://127.0.0.1:{port}/!/",
]  # fmt: skip


async def _as_the_c_library(host: str, port: int) -> list[str]:
    """A resolver of the test's own: reads odd notations, and knows a few names."""
    known = {
        "inside.example": ["10.1.2.3"],
        "mixed.example": ["93.184.216.34", "127.0.0.1"],
        "mapped.example": ["::ffff:127.0.0.1"],
        "localhost": ["127.0.0.1", "::1"],
        "metadata.google.internal": ["169.254.169.254"],
    }
    if host in known:
        return known[host]
    if ":" in host:
        return [host]
    try:
        return [socket.inet_ntoa(socket.inet_aton(host))]
    except OSError:
        raise OSError("no such name") from None


@pytest.mark.loopback
@pytest.mark.parametrize("url", INWARD)
async def test_no_notation_reaches_this_machine(website, url):
    website.add("/", "inside")
    settings = FetchSettings(ports=(80, 443, website.port), robots=False, pause=0)
    async with Fetcher(settings, resolve=_as_the_c_library) as fetcher:
        with pytest.raises(FetchError) as refused:
            await fetcher.fetch(url.format(port=website.port))
    assert website.connections == 0
    assert "\n" not in str(refused.value)


class _Dials(httpcore2.AnyIOBackend):
    """Writes down which addresses are connected to, and leads all of them to the site."""

    def __init__(self, port: int, dialled: list[str]) -> None:
        self._port = port
        self._dialled = dialled

    async def connect_tcp(self, host, port, *more):
        self._dialled.append(host)
        return await super().connect_tcp("127.0.0.1", self._port, *more)


@pytest.fixture
def dialled(website, monkeypatch):
    addresses: list[str] = []
    monkeypatch.setattr(httpcore2, "AnyIOBackend", lambda: _Dials(website.port, addresses))
    return addresses


@pytest.mark.loopback
async def test_a_name_that_changes_its_address_is_asked_once_and_connected_as_checked(website, dialled):
    website.add("/", "<html>public")
    answers = [["93.184.216.34"], ["127.0.0.1"], ["127.0.0.1"]]

    async def rebinding(host: str, port: int) -> list[str]:
        return answers.pop(0)

    async with Fetcher(FetchSettings(robots=False, pause=0), resolve=rebinding) as fetcher:
        page = await fetcher.fetch("http://rebinding.example/")
        assert page.data == b"<html>public"
        assert dialled == ["93.184.216.34"]
        with pytest.raises(FetchError, match="127.0.0.1 belongs to this machine"):
            await fetcher.fetch("http://rebinding.example/again")
    assert dialled == ["93.184.216.34"]


@pytest.mark.loopback
@pytest.mark.parametrize(
    "location",
    ["http://127.0.0.1/", "http://[::1]/", "http://2130706433/", "http://inside.example/", "ftp://public.example/",
     "file:///etc/passwd", "http://user:word@public.example/", "http://public.example:22/", "//127.0.0.1/",
     "http://169.254.169.254/latest/", "http://intranet.example/", "http://[/", "javascript:alert(1)"],
)  # fmt: skip
async def test_a_redirect_is_judged_like_the_first_url(website, dialled, location):
    website.redirect("/start", location)

    async def names(host: str, port: int) -> list[str]:
        if host == "public.example":
            return ["93.184.216.34"]
        if host == "intranet.example":
            return ["10.0.0.5"]
        return await _as_the_c_library(host, port)

    settings = FetchSettings(robots=False, pause=0, allow=("intranet.example",))
    async with Fetcher(settings, resolve=names) as fetcher:
        with pytest.raises(FetchError):
            await fetcher.fetch("http://public.example/start")
    assert website.paths == ["/start"]
    assert dialled == ["93.184.216.34"]


@pytest.mark.loopback
async def test_several_addresses_are_tried_in_order(website, monkeypatch):
    website.add("/", "<html>here")
    tried: list[str] = []

    class SecondAnswers(_Dials):
        async def connect_tcp(self, host, *args, **kwargs):
            if host == "93.184.216.34":
                tried.append(host)
                raise httpcore2.ConnectError("refused")
            return await super().connect_tcp(host, *args, **kwargs)

    monkeypatch.setattr(httpcore2, "AnyIOBackend", lambda: SecondAnswers(website.port, tried))

    async def two(host: str, port: int) -> list[str]:
        return ["93.184.216.34", "93.184.216.35"]

    async with Fetcher(FetchSettings(robots=False), resolve=two) as fetcher:
        assert (await fetcher.fetch("http://public.example/")).data == b"<html>here"
    assert tried == ["93.184.216.34", "93.184.216.35"]


async def test_ports_are_closed_unless_named():
    async with Fetcher(FetchSettings(robots=False)) as fetcher:
        with pytest.raises(FetchError, match=r"port 8080 .*'example.com:8080'"):
            await fetcher.fetch("http://example.com:8080/")
    assert target("http://example.com:8080/", ("example.com:8080",)).opened
    assert not target("http://example.com:8080/", (), (8080,)).opened


def test_an_opened_host_is_opened_on_the_ports_it_names():
    assert is_opened("intranet", 80, ("intranet",))
    assert is_opened("intranet", 443, ("Intranet",))
    assert not is_opened("intranet", 8080, ("intranet",))
    assert not is_opened("intranet", 80, ("intranet:8080",))
    assert not is_opened("intranet.example", 80, ("intranet",))
    assert is_opened("::1", 9000, ("[::1]:9000",))


@pytest.mark.parametrize("entry", ["", ":80", "host:port", "host:0", "host:70000"])
def test_nonsense_in_the_list_of_opened_hosts_is_an_error(entry):
    with pytest.raises(ValueError, match="neither 'host' nor 'host:port'"):
        split_allowed(entry)
    with pytest.raises(ValueError, match="neither 'host' nor 'host:port'"):
        FetchSettings(allow=(entry,))


def test_a_url_is_normalised():
    place = target("HTTP://Example.COM./a?b=1#c")
    assert (place.url, place.host, place.port, place.origin) == (
        "http://example.com./a?b=1", "example.com", 80, "http://example.com:80",
    )  # fmt: skip
    assert target("https://例え.jp/道").host == "xn--r8jz45g.jp"


async def test_name_servers_that_do_not_answer_hold_up_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    silent = threading.Event()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: silent.wait(100) and [])
    lookups = [asyncio.create_task(resolve(f"n{number}.example", 80)) for number in range(100)]
    try:
        async with asyncio.timeout(50):
            assert [await asyncio.to_thread(int, "7") for _ in range(100)] == [7] * 100
        assert await resolve("127.0.0.1", 80) == ["127.0.0.1"]
        assert not any(task.done() for task in lookups)
    finally:
        silent.set()
        await asyncio.gather(*lookups)
