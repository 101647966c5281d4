"""What belongs to a site, in which spelling; where a page leads; what a list of pages says."""

import gzip
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from library.errors import ReadError
from library.readers.site.page_links import read_links, read_sitemap
from library.sites.frontier import Frontier
from library.sites.site_bounds import SiteBounds, is_same_site, shape, spelling

DOCS = SiteBounds.of("https://docs.example.org/3/lib/start.html")


@pytest.mark.parametrize(
    ("url", "settled"),
    [
        ("https://DOCS.example.org:443/3/lib/x.html#part", "https://docs.example.org/3/lib/x.html"),
        ("http://docs.example.org/3/lib/x?utm_source=a&fbclid=b", "https://docs.example.org/3/lib/x"),
        ("https://docs.example.org/3/lib/dir/../y", "https://docs.example.org/3/lib/y"),
        ("https://docs.example.org/3/lib/../../etc", ""),
        ("https://docs.example.org/3/lib/x?page=2", ""),
        ("https://docs.example.org/3/lib", ""),
        ("https://docs.example.org:8443/3/lib/x", ""),
        ("https://docs.example.org.evil.org/3/lib/x", ""),
        ("https://user@docs.example.org/3/lib/x", ""),
        ("https://docs.example.org/3/lib/x.tar.gz", ""),
        ("https://docs.example.org/3/lib/x.pdf", "https://docs.example.org/3/lib/x.pdf"),
        ("https://docs.example.org/3/lib/v3.11", "https://docs.example.org/3/lib/v3.11"),
        ("ftp://docs.example.org/3/lib/x", ""),
        ("https://docs.example.org/3/lib/" + "a" * 5_000, ""),
    ],
)
def test_addresses(url, settled):
    assert DOCS.settled(url) == settled
    assert DOCS.holds(url) is bool(settled)


def test_queries_of_the_first_page_s_kind_belong_to_the_site():
    wiki = SiteBounds.of("https://example.org/index.php?title=Start")
    assert (
        wiki.settled("https://example.org/index.php?title=Dike") == "https://example.org/index.php?title=Dike"
    )
    assert wiki.settled("https://example.org/index.php?title=Dike&action=edit") == ""


def test_one_site_with_and_without_www():
    assert is_same_site("http://example.org/", "https://www.example.org/docs")
    assert not is_same_site("http://example.org/", "https://docs.example.org/")
    assert spelling("no address") == ""


def test_links_are_absolute_once_and_without_those_that_a_page_asks_not_to_follow():
    html = (
        b'<base href="/b/"><a href="x#1">1</a><a href="x#2">2</a><a href="mailto:a@b.c">m</a>'
        b'<a rel="nofollow" href="y">y</a><area href="z"><a href="http://[bad">b</a><a>none</a>'
        b'<link rel="canonical" href="/c">'
    )
    read = read_links(html, "utf-8", "https://example.org/a/", 1_000_000)
    assert read["links"] == ["https://example.org/b/x", "https://example.org/b/z"]
    assert (read["canonical"], read["index"]) == ("https://example.org/c", True)


def test_a_list_of_pages_may_be_packed_and_is_bounded():
    listed = b"<urlset><url><loc> https://example.org/a#x </loc></url><image><loc>no</loc></image></urlset>"
    for data in (listed, gzip.compress(listed)):
        assert read_sitemap(data, 1_000) == {"pages": ["https://example.org/a"], "sitemaps": []}
    with pytest.raises(ReadError, match="larger than"):
        read_sitemap(gzip.compress(b"x" * 100_000), 1_000)
    with pytest.raises(ReadError, match="it is no sitemap"):
        read_sitemap(b"<html></html>", 1_000)
    bomb = b'<!DOCTYPE x [<!ENTITY a "aaaa">]><urlset><url><loc>&a;</loc></url></urlset>'
    assert read_sitemap(bomb, 1_000)["pages"] == ["&a;"], "not unfolded: it is no address, then"


def test_near_pages_come_first_then_those_of_the_rarest_kind():
    frontier = Frontier(6)
    frontier.meet(
        ["https://e.org/day/1", "https://e.org/day/2", "https://e.org/day/33", "https://e.org/a"], 1
    )
    frontier.meet(["https://e.org/deep"], 2)
    order = [page.url.removeprefix("https://e.org") for page in frontier.next_pages(9)]
    assert order == ["/day/1", "/day/33", "/a", "/day/2", "/deep"]
    assert (frontier.done, frontier.of, frontier.left_out) == (5, 5, 0)
    frontier.meet(["https://e.org/b", "https://e.org/c", "https://e.org/a"], 3)
    assert (frontier.of, frontier.left_out) == (6, 1)
    assert [page.url for page in frontier.next_pages(9)] == ["https://e.org/b"]


@given(
    st.lists(
        st.one_of(
            st.tuples(st.just("meet"), st.lists(st.sampled_from("abcdefgh"), max_size=6), st.integers(0, 3)),
            st.tuples(st.just("ask"), st.integers(1, 4)),
            st.tuples(st.just("leave"), st.integers(0, 9)),
        ),
        max_size=40,
    )
)
def test_the_order_is_the_one_that_looking_at_all_of_them_gives(steps):
    frontier, asked, waiting, number = Frontier(30), Counter(), {}, 0
    for step in steps:
        if step[0] == "meet":
            urls = [f"https://e.org/{kind * 3}/{number + n}" for n, kind in enumerate(step[1])]
            number += len(urls)
            waiting |= {page.url: page.depth for page in frontier.meet(urls, step[2])}
        elif step[0] == "leave" and waiting:
            frontier.leave_out(url := [*waiting][step[1] % len(waiting)])
            del waiting[url]
        elif step[0] == "ask":
            for page in frontier.next_pages(step[1]):
                url = min(waiting, key=lambda one: (waiting[one], asked[shape(one)]))
                assert page.url == url
                asked[shape(url)] += 1
                del waiting[url]
            assert frontier.done == asked.total()
