"""Pages on disk: asked again only when they may have changed, and never given out where they may not be."""

import random
import sqlite3
from datetime import UTC, datetime, timedelta

import pytest

from library.errors import FetchError
from library.web.fetch_settings import FetchSettings
from library.web.fetcher import Fetcher
from library.web.page_cache import Kept, PageCache, fresh_for

START = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


class Clock:
    def __init__(self) -> None:
        self.time = START

    def __call__(self) -> datetime:
        return self.time


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def fetcher(website, tmp_path, clock):
    settings = FetchSettings(allow=(website.host,), pause=0, robots=False)
    async with Fetcher(settings, cache_folder=tmp_path, clock=clock) as fetcher:
        yield fetcher


def kept(url: str = "http://example.org/", data: bytes = b"text", **more) -> Kept:
    values = {
        "status": 200,
        "location": None,
        "media_type": "text/html",
        "charset": None,
        "etag": None,
        "modified": None,
        "retrieved": "2026-03-01T12:00:00+00:00",
        "fresh_until": 0.0,
        "opened": False,
    }
    return Kept(url=url, data=data, **(values | more))


@pytest.mark.loopback
async def test_a_fresh_page_is_not_asked_for_again(website, fetcher, clock):
    url = website.add("/page", "<html>one", Cache_Control="max-age=60")
    first = await fetcher.fetch(url)
    clock.time += timedelta(seconds=59)
    second = await fetcher.fetch(url)
    assert (first.cached, second.cached) == (False, True)
    assert second.data == first.data
    assert second.retrieved == first.retrieved
    assert len(website.asked) == 1
    clock.time -= timedelta(days=365)  # it was ahead: the page would be fresh for a year
    assert not (await fetcher.fetch(url)).cached


@pytest.mark.loopback
@pytest.mark.parametrize(
    ("validator", "condition", "value"),
    [
        ("ETag", "if-none-match", '"v1"'),
        ("Last-Modified", "if-modified-since", "Sun, 01 Feb 2026 00:00:00 GMT"),
    ],
)
async def test_a_stale_page_is_asked_for_with_its_validator(
    website, fetcher, clock, answer, validator, condition, value
):
    def page(asked):
        headers = {"Content-Type": "text/html", "Cache-Control": "max-age=60", validator: value}
        if asked.headers.get(condition) == value:
            return answer(b"", 304, headers)
        return answer(b"<html>one", 200, headers)

    website.pages["/page"] = page
    first = await fetcher.fetch(website.url + "/page")
    clock.time += timedelta(minutes=5)
    second = await fetcher.fetch(website.url + "/page")
    assert (second.data, second.cached) == (first.data, True)
    assert second.retrieved == "2026-03-01T12:05:00+00:00"
    assert len(website.asked) == 2
    clock.time += timedelta(seconds=30)
    await fetcher.fetch(website.url + "/page")  # fresh once more since it was confirmed
    assert len(website.asked) == 2


@pytest.mark.loopback
async def test_a_page_that_changed_is_taken_anew(website, fetcher, clock):
    url = website.add("/page", "<html>one", Cache_Control="no-cache", ETag='"1"')
    await fetcher.fetch(url)
    website.add("/page", "<html>two", Cache_Control="no-cache", ETag='"2"')
    second = await fetcher.fetch(url)
    assert (second.data, second.cached) == (b"<html>two", False)


@pytest.mark.loopback
@pytest.mark.parametrize("headers", [{"Cache_Control": "no-store"}, {"Vary": "*"}])
async def test_what_must_not_be_kept_is_not(website, fetcher, tmp_path, headers):
    url = website.add("/page", "<html>a secret", **headers)
    await fetcher.fetch(url)
    await fetcher.fetch(url)
    assert len(website.asked) == 2
    await fetcher.close()
    base = sqlite3.connect(tmp_path / "pages.sqlite3")
    assert base.execute("SELECT COUNT(*) FROM pages").fetchone() == (0,)
    base.close()


@pytest.mark.loopback
async def test_answers_to_a_key_are_not_kept(website, fetcher):
    url = website.add("/page", "<html>mine", Cache_Control="max-age=60")
    await fetcher.fetch(url, headers={"X-Key": "k"})
    await fetcher.fetch(url)
    assert len(website.asked) == 2


@pytest.mark.loopback
async def test_a_lasting_redirect_is_kept_and_a_passing_one_is_not(website, fetcher):
    website.add("/page", "<html>one")
    for path, status in (("/moved", 301), ("/today", 302)):
        website.redirect(path, "/page", status)
        await fetcher.fetch(website.url + path)
        await fetcher.fetch(website.url + path)
    assert website.paths.count("/moved") == 1
    assert website.paths.count("/today") == 2
    assert website.paths.count("/page") == 1


@pytest.mark.loopback
async def test_pages_of_an_opened_host_are_not_given_out_once_it_is_closed(website, fetcher, tmp_path, clock):
    url = website.add("/page", "<html>private", Cache_Control="max-age=600")
    await fetcher.fetch(url)
    settings = FetchSettings(ports=(website.port,), robots=False, pause=0)
    async with Fetcher(settings, cache_folder=tmp_path, clock=clock) as closed:
        with pytest.raises(FetchError, match="belongs to this machine"):
            await closed.fetch(url)


@pytest.mark.loopback
async def test_a_page_of_a_type_that_will_not_do_is_asked_for(website, fetcher):
    url = website.add("/page", "<html>one", Cache_Control="max-age=60")
    await fetcher.fetch(url)
    with pytest.raises(FetchError, match="text/html is not read"):
        await fetcher.fetch(url, accept=frozenset({"application/json"}))


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, 99.0),
        ({"cache-control": "max-age=60"}, 60.0),
        ({"cache-control": "public, Max-Age=60", "age": "20"}, 40.0),
        ({"cache-control": "max-age=60", "age": "500"}, 0.0),
        ({"cache-control": "max-age=99999999999999999999"}, 30 * 86400.0),
        ({"cache-control": "no-cache"}, 0.0),
        ({"cache-control": "no-store, max-age=60"}, None),
        ({"vary": "*"}, None),
        ({"vary": "Accept"}, 99.0),
        ({"expires": "Sun, 01 Mar 2026 12:00:30 GMT"}, 30.0),
        ({"expires": "Sun, 01 Mar 2020 12:00:30 GMT"}, 0.0),
        ({"expires": "0"}, 0.0),
        ({"expires": "Sun, 01 Mar 2030 12:00:30 GMT", "cache-control": "max-age=5"}, 5.0),
    ],
)
def test_freshness_is_read_from_headers(headers, seconds):
    assert fresh_for(headers, START.timestamp(), 99.0) == seconds


def test_what_was_not_used_for_longest_goes_first(tmp_path):
    cache = PageCache(tmp_path, megabytes=0.002)
    noise = [random.Random(n).randbytes(700) for n in range(4)]
    for n in range(2):
        cache.keep(kept(f"http://example.org/{n}", noise[n]), now=float(n))
    assert cache.find("http://example.org/0", opened=False, now=10.0)
    for n in range(2, 4):
        cache.keep(kept(f"http://example.org/{n}", noise[n]), now=10.0 + n)
    left = [n for n in range(4) if cache.find(f"http://example.org/{n}", opened=False, now=20.0)]
    assert 1 not in left
    assert 3 in left
    cache.close()


def test_two_programs_share_a_cache(tmp_path):
    one, two = PageCache(tmp_path), PageCache(tmp_path)
    one.keep(kept(), now=0.0)
    found = two.find("http://example.org/", opened=False, now=1.0)
    assert found == kept()
    two.forget("http://example.org/")
    assert one.find("http://example.org/", opened=False, now=2.0) is None
    one.close()
    two.close()


def test_a_damaged_cache_starts_anew(tmp_path, caplog):
    (tmp_path / "pages.sqlite3").write_bytes(b"this is no database, and long enough to be looked at " * 100)
    cache = PageCache(tmp_path)
    cache.keep(kept(), now=0.0)
    assert cache.find("http://example.org/", opened=False, now=1.0)
    assert "starts anew" in caplog.text
    cache.close()


def test_a_cache_of_another_format_starts_anew(tmp_path):
    base = sqlite3.connect(tmp_path / "pages.sqlite3")
    base.execute("CREATE TABLE pages (something TEXT)")
    base.execute("PRAGMA user_version = 99")
    base.close()
    cache = PageCache(tmp_path)
    cache.keep(kept(), now=0.0)
    assert cache.find("http://example.org/", opened=False, now=1.0)
    cache.close()


def test_a_folder_that_cannot_be_used_means_no_cache(tmp_path, caplog):
    (tmp_path / "file").write_text("")
    cache = PageCache(tmp_path / "file" / "folder")
    cache.keep(kept(), now=0.0)
    assert cache.find("http://example.org/", opened=False, now=1.0) is None
    assert "cannot be written" in caplog.text
    cache.close()
