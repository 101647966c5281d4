"""robots.txt as RFC 9309 has it, and turns at a host."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from library.errors import FetchError
from library.web.fetch_settings import FetchSettings
from library.web.fetcher import Fetcher
from library.web.rate_limit import RateLimit
from library.web.robots import parse

SITE = """
# everyone
User-agent: *
Disallow: /private
Allow: /private/open
Disallow: /*.pdf$
Disallow: /*?session=
Disallow: /exact$
Disallow: /caf%C3%A9
Crawl-delay: 2

User-agent: Greedy
User-agent: OtherBot
Disallow: /
Allow: /only-this
"""


@pytest.mark.parametrize(
    ("path", "allowed"),
    [
        ("/", True), ("/public", True), ("/private", False), ("/private/x", False), ("/privateer", False),
        ("/private/open", True), ("/private/open/x", True), ("/a/b.pdf", False), ("/a/b.pdf?x", True),
        ("/list?session=1", False), ("/exact", False), ("/exactly", True), ("/café", False),
        ("/caf%c3%a9", False),
        ("/robots.txt", True),
    ],
)  # fmt: skip
def test_rules_for_everyone(path, allowed):
    assert parse(SITE, "Roundtable").allows(f"https://example.org{path}") is allowed


def test_rules_of_ones_own_win_over_those_for_everyone():
    greedy = parse(SITE, "greedy")
    assert greedy.allows("https://example.org/only-this")
    assert not greedy.allows("https://example.org/public")
    assert not parse(SITE, "OtherBot").allows("https://example.org/")
    assert (parse(SITE, "Roundtable").delay, greedy.delay) == (2.0, 0.0)


@pytest.mark.parametrize(
    "text",
    ["", "User-agent: *\nDisallow:", "Disallow: /", "<html>not found</html>",
     "User-agent: *\nAllow: /\nDisallow: /",
     "\ufeffUser-agent: roundtable/2.0 beta\nDisallow:\n\nUser-agent: *\nDisallow: /"],
)  # fmt: skip
def test_what_closes_nothing(text):
    assert parse(text, "Roundtable").allows("https://example.org/page")


def test_a_pattern_of_many_stars_costs_nothing():
    robots = parse("User-agent: *\nDisallow: /" + "*a" * 2000 + "$", "Roundtable")
    assert robots.allows("https://example.org/" + "a" * 1999 + "b")


@given(st.text(max_size=300), st.text(alphabet="/ab*$%?c", max_size=20))
def test_any_text_is_read(text, path):
    parse(text, "Roundtable").allows(f"https://example.org/{path}")


@pytest.fixture
async def fetcher(website):
    async with Fetcher(FetchSettings(allow=(website.host,), pause=0)) as fetcher:
        yield fetcher


@pytest.mark.loopback
async def test_closed_pages_are_left_alone_and_the_file_is_asked_for_once(website, fetcher):
    website.add("/robots.txt", "User-agent: *\nDisallow: /closed", Content_Type="text/plain")
    website.add("/open", "<html>x")
    website.add("/closed", "<html>x")
    await fetcher.fetch(website.url + "/open")
    with pytest.raises(FetchError, match="robots.txt of 127.0.0.1 closes this page"):
        await fetcher.fetch(website.url + "/closed")
    assert website.paths == ["/robots.txt", "/open"]


@pytest.mark.loopback
async def test_a_redirect_into_a_closed_page_is_not_followed(website, fetcher):
    website.add("/robots.txt", "User-agent: *\nDisallow: /closed", Content_Type="text/plain")
    website.redirect("/open", "/closed")
    with pytest.raises(FetchError, match=r"robots\.txt"):
        await fetcher.fetch(website.url + "/open")
    assert "/closed" not in website.paths


@pytest.mark.loopback
@pytest.mark.parametrize(("status", "fetched"), [(404, True), (403, True), (500, False), (503, False)])
async def test_a_missing_file_opens_and_a_site_in_trouble_closes(website, fetcher, status, fetched):
    website.add("/robots.txt", "x", status, Retry_After="99")
    website.add("/page", "<html>x")
    if fetched:
        assert await fetcher.fetch(website.url + "/page")
    else:
        with pytest.raises(FetchError, match="cannot be had"):
            await fetcher.fetch(website.url + "/page")


@pytest.mark.loopback
async def test_it_can_be_switched_off(website):
    website.add("/robots.txt", "User-agent: *\nDisallow: /", Content_Type="text/plain")
    website.add("/page", "<html>x")
    async with Fetcher(FetchSettings(allow=(website.host,), pause=0, robots=False)) as fetcher:
        await fetcher.fetch(website.url + "/page")
    assert website.paths == ["/page"]


class SteppedTime:
    """Time that passes only by sleeping."""

    def __init__(self) -> None:
        self.time = 0.0

    def now(self) -> float:
        return self.time

    async def sleep(self, seconds: float) -> None:
        self.time += seconds
        await asyncio.sleep(0)


async def test_requests_to_one_host_keep_their_distance_and_hosts_do_not_wait_for_each_other():
    steps = SteppedTime()
    throttle = RateLimit(pause=2.0, now=steps.now, sleep=steps.sleep)
    starts = []
    for host in ("a", "b", "a", "a"):
        async with throttle.turn(host):
            starts.append((host, steps.time))
    assert starts == [("a", 0.0), ("b", 0.0), ("a", 2.0), ("a", 4.0)]
    throttle.crawl_delay("b", 99.0)
    async with throttle.turn("b"):
        pass
    async with throttle.turn("b"):
        assert steps.time == 14.0  # no longer than ten seconds


async def test_what_is_made_for_programs_waits_for_no_pause_between_pages_but_for_what_the_host_asks():
    steps = SteppedTime()
    throttle = RateLimit(pause=2.0, now=steps.now, sleep=steps.sleep)
    async with throttle.turn("a"):
        pass
    async with throttle.turn("a", paced=False):
        assert steps.time == 0.0
    async with throttle.turn("a"):
        assert steps.time == 2.0
    throttle.crawl_delay("a", 3.0)
    async with throttle.turn("a", paced=False):
        pass
    async with throttle.turn("a", paced=False):
        assert steps.time == 5.0


async def test_a_search_engine_of_ones_own_is_asked_more_at_once():
    throttle = RateLimit(per_host=1, pause=0.0)
    first, second = (throttle.turn("a", paced=False, own=True) for _ in range(2))
    async with first, second, throttle.turn("a"):
        pass


async def test_no_more_than_so_many_at_once():
    throttle = RateLimit(per_host=2, pause=0.0)
    inside, most, gate = 0, 0, asyncio.Event()

    async def visit() -> None:
        nonlocal inside, most
        async with throttle.turn("a"):
            inside += 1
            most = max(most, inside)
            await gate.wait()
            inside -= 1

    visits = [asyncio.create_task(visit()) for _ in range(5)]
    for _ in range(20):
        await asyncio.sleep(0)
    assert inside == 2
    gate.set()
    await asyncio.gather(*visits)
    assert most == 2


async def test_a_host_rests_after_failures_and_one_more_failure_is_enough_after_that():
    steps = SteppedTime()
    throttle = RateLimit(pause=0.0, rest_after=2, rest_seconds=60.0, now=steps.now, sleep=steps.sleep)
    throttle.failed("a")
    throttle.answered("a")
    throttle.failed("a")
    async with throttle.turn("a"):
        pass
    throttle.failed("a")
    with pytest.raises(FetchError, match="left alone for 60 s"):
        async with throttle.turn("a"):
            pass
    steps.time = 61.0
    async with throttle.turn("a"):
        pass
    throttle.failed("a")
    with pytest.raises(FetchError):
        async with throttle.turn("a"):
            pass
