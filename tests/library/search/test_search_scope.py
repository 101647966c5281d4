"""Nothing outside the scope leaves the library: whatever engines answer, and wherever pages lead."""

import asyncio
import json
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from library import LibrarySettings, ReadError, open_library
from library.search.address_kind import address_kind
from library.search.search_scope import SearchScope

DAYS = [None, "2019", "2023-12-31", "2024", "2024-05", "2024-05-17", "2025-01-01"]
BOUNDS = st.sampled_from([None, "2023", "2024", "2024-05", "2024-05-18"])


@dataclass(frozen=True)
class Page:
    path: str
    published: str | None
    host: str


def served(website) -> list[str]:
    """Pages on two names of one server, dated and not, some sending on to the other name."""
    hosts = [f"127.0.0.1:{website.port}", f"localhost:{website.port}"]
    urls = []
    for n, day in enumerate(DAYS):
        meta = f'<meta property="article:published_time" content="{day}">' if day and len(day) == 10 else ""
        text = f"The dike of page {n} was raised in that year, and people wrote about it. " * 6
        for part in ("a", "b"):
            head = f"<html><head><title>Dike {n}</title>{meta}</head>"
            website.add(f"/{part}/{n}", f"{head}<p>{part}: {text}</p>")
            website.redirect(f"/{part}/to/{n}", f"http://{hosts[part == 'a']}/{part}/{n}")
            urls += [f"http://{host}/{part}/{step}{n}" for host in hosts for step in ("", "to/")]
    return urls


@pytest.mark.loopback
@pytest.mark.slow
def test_whatever_engines_answer_nothing_outside_is_read(website, tmp_path: Path):
    urls = served(website)
    sites = st.lists(
        st.sampled_from(
            ["127.0.0.1", f"localhost:{website.port}", "localhost/a", f"127.0.0.1:{website.port}/b"]
        ),
        max_size=2,
    )
    homes = iter(range(10_000))

    @given(
        sites,
        sites,
        BOUNDS,
        BOUNDS,
        st.lists(st.tuples(st.sampled_from(urls), st.sampled_from(DAYS)), min_size=4, max_size=12),
    )
    @settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
    def holds(wanted, unwanted, since, until, results):
        try:
            scope = SearchScope(sites=wanted, not_sites=unwanted, since=since, until=until)
        except ValidationError:
            return  # nothing can be since 2024 and until 2023
        found = [{"url": url, "title": "t", "content": "c", "publishedDate": day} for url, day in results]
        website.add("/search", json.dumps({"results": found}), Content_Type="application/json")
        asyncio.run(self_check(website, scope, tmp_path / str(next(homes)), results))

    holds()


async def self_check(website, scope: SearchScope, home: Path, results) -> None:
    allow = [website.host, f"localhost:{website.port}"]
    given_settings = LibrarySettings.model_validate(
        {
            "fetch": {"allow": allow, "pause": 0, "robots": False, "cache": False},
            "search": {"scope": scope, "addresses": {"searxng": website.url}, "cache_minutes": 0},
        }
    )
    async with await open_library(given_settings, [], ["searxng"], offline=False, home=home) as library:
        hits = await library.search("dikes", "searxng", 20)
        assert all(inside(scope, hit.url) for hit in hits)
        for _ in range(2):  # the second time the pages are known
            for url, _day in results:
                led = [hit for hit in hits if hit.url == url]
                with suppress(ReadError):
                    source = await library.read(url, led)
                    held = library.source(source.sha256)
                    assert inside(scope, url)
                    assert inside(scope, source.url)
                    assert inside(scope, held.url)
                    dates = [held.published or next((hit.published for hit in led), None)]
                    assert all(between(scope, day) for day in dates)


def inside(scope: SearchScope, url: str) -> bool:
    """The test's own reading of a scope's sites: hosts and paths of these pages hold no tricks."""

    def lies_in(site: str) -> bool:
        host, _, path = site.partition("/")
        parts = urlsplit(url)
        name = parts.netloc if ":" in host else parts.hostname
        return name == host and parts.path.startswith(f"/{path}")

    if scope.sites and not any(map(lies_in, scope.sites)):
        return False
    return not any(map(lies_in, scope.not_sites))


def between(scope: SearchScope, day: str | None) -> bool:
    if not scope.dated:
        return True
    if day is None:
        return False
    low, high = (day + "-01-01"[len(day) - 4 :])[:10], (day + "-12-31"[len(day) - 4 :])[:10]
    until = scope.until and scope.until + "-12-31"[len(scope.until) - 4 :]
    return (not scope.since or low >= scope.since) and (not until or high <= until)


@pytest.mark.parametrize(
    "url",
    [
        "https://example.org.evil.test/", "https://evil.test/example.org", "https://notexample.org/",
        "https://example.org@evil.test/", "https://evil.test\\@example.org/", "ftp://example.org/",
        "file:///example.org", "javascript:example.org", "", "https://", "https://[::1", "//example.org/",
    ],
)  # fmt: skip
def test_a_url_that_only_looks_like_the_site_is_not_of_it(url: str):
    assert SearchScope(sites=("example.org",)).refuses_url(url)


def test_a_site_holds_its_subdomains_and_a_part_holds_what_is_below_it():
    scope = SearchScope(sites=("https://www.Example.org/", "docs.test/guide"), not_sites=("old.example.org",))
    assert not scope.refuses_url("http://EXAMPLE.org:8080/x")
    assert not scope.refuses_url("https://www.example.org./")
    assert not scope.refuses_url("https://docs.test/Guide/page?q=1")
    assert "old.example.org is not to be used" in str(scope.refuses_url("https://very.old.example.org/"))
    for outside in ("docs.test/guidebook", "docs.test/", "docs.test/guide/../secret", "docs.test/%2e%2e"):
        assert scope.refuses_url(f"https://{outside}")


@pytest.mark.parametrize(
    ("given_values", "said"),
    [
        ({"sites": ["not a host"]}, "is no site"),
        ({"sites": [""]}, "is no site"),
        ({"since": "May"}, "give a date"),
        ({"since": "2024-13"}, "give a date"),
        ({"since": "2025", "until": "2024"}, "nothing is published since 2025 and until 2024"),
        ({"kinds": ["rumour"]}, "paper"),
    ],
)
def test_a_scope_that_means_nothing_is_refused(given_values, said: str):
    with pytest.raises(ValidationError, match=said):
        SearchScope(**given_values)


@pytest.mark.loopback
async def test_engines_are_told_as_far_as_they_know_how(website, tmp_path: Path):
    nothing = {
        "/api/query": ('<feed xmlns="http://www.w3.org/2005/Atom"></feed>', "application/atom+xml"),
        "/works": (json.dumps({"message": {"items": []}, "results": []}), "application/json"),
        "/graph/v1/paper/search": (json.dumps({"total": 0}), "application/json"),
        "/search": (json.dumps({"results": []}), "application/json"),
        "/search/repositories": (json.dumps({"items": []}), "application/json"),
    }
    for path, (body, kind) in nothing.items():
        website.add(path, body, Content_Type=kind)
    names = ["arxiv", "crossref", "openalex", "semanticscholar", "searxng", "github"]
    scope = {"since": "2024-02", "until": "2024", "sites": ["a.test", "b.test/x"], "not_sites": ["c.test"]}
    given_settings = LibrarySettings.model_validate(
        {
            "fetch": {"allow": [website.host], "pause": 0, "cache": False},
            "search": {"scope": scope, "addresses": dict.fromkeys(names, website.url), "cache_minutes": 0},
        }
    )
    asked: dict[str, dict[str, list[str]]] = {}
    async with await open_library(given_settings, [], names, offline=False, home=tmp_path) as library:
        for name in names:
            await library.search("dikes", name, 5)
            asked[name] = parse_qs(urlsplit(website.paths[-1]).query)
    assert asked["arxiv"]["search_query"] == [
        "(all:dikes) AND submittedDate:[202402010000 TO 202412312359]"
    ]
    assert asked["crossref"]["filter"] == ["from-pub-date:2024-02-01,until-pub-date:2024-12-31"]
    assert asked["openalex"]["filter"] == ["from_publication_date:2024-02-01,to_publication_date:2024-12-31"]
    assert asked["semanticscholar"]["publicationDateOrYear"] == ["2024-02-01:2024-12-31"]
    assert asked["github"]["q"] == [
        "dikes in:name,description,topics,readme pushed:2024-02-01..2024-12-31"
    ]
    assert asked["searxng"]["q"] == ["dikes site:a.test OR site:b.test/x -site:c.test"]


async def test_documents_of_another_time_are_left_out_and_undated_ones_stay(tmp_path: Path):
    folder = tmp_path / "docs"
    folder.mkdir()
    for name, day in (("old", "2019-03-01"), ("new", "2024-05-01"), ("undated", "")):
        head = f"---\ndate: {day}\n---\n" if day else ""
        (folder / f"{name}.md").write_text(f"{head}# Dikes {name}\n\nThe {name} dike is high and dry.\n")
    wanted = LibrarySettings.model_validate({"search": {"scope": {"since": "2024"}}})
    async with await open_library(wanted, [str(folder)], [], offline=True, home=tmp_path / "home") as library:
        hits = await library.search("dike", library.collections[0].name, 5)
    assert {hit.title for hit in hits} == {"Dikes new", "Dikes undated"}


@pytest.mark.loopback
async def test_only_places_that_tell_the_kind_give_sources_of_that_kind(website, tmp_path: Path):
    page = "<title>Rings</title><p>" + "Rings of trees tell of dry years. " * 9
    website.add("/paper", page)
    website.add("/other", page + "other")
    works = [{"DOI": "10.1/x", "URL": f"{website.url}/paper", "title": ["Rings"]}]
    website.add("/works", json.dumps({"message": {"items": works}}), Content_Type="application/json")
    found = [{"url": f"{website.url}/{name}", "title": "Rings"} for name in ("paper", "other")]
    website.add("/search", json.dumps({"results": found}), Content_Type="application/json")
    given_settings = LibrarySettings.model_validate(
        {
            "fetch": {"allow": [website.host], "pause": 0, "robots": False},
            "search": {
                "scope": {"kinds": ["paper"]},
                "addresses": dict.fromkeys(["crossref", "searxng"], website.url),
            },
        }
    )
    places = ["crossref", "searxng"]
    async with await open_library(given_settings, [], places, offline=False, home=tmp_path) as library:
        hits = await library.search("rings", "crossref", 5)
        assert await library.search("rings", "searxng", 5) == []
        assert (await library.read(hits[0].url, hits)).title == "Rings"
        with pytest.raises(ReadError, match=r"/other: outside what this session may use: it is not known"):
            await library.read(f"{website.url}/other")


@pytest.mark.parametrize(
    ("url", "kind"),
    [
        ("https://docs.example.org/start", "docs"),
        ("https://example.readthedocs.io/en/latest/", "docs"),
        ("https://www.postgresql.org/docs/16/backup.html", "docs"),
        ("https://www.gnu.org/software/make/manual/make.html", "docs"),
        ("https://github.com/a/b/tree/main/docs", "code"),
        ("https://gitlab.gnome.org/GNOME/gimp", "code"),
        ("https://www.gitlab.com/a", "code"),
        ("https://documents.example.org/a", ""),
        ("https://example.org/blog/documentation-is-hard", ""),
        ("https://notgithub.com/a", ""),
        ("https://github.com.evil.example/a", ""),
        ("https://[::1/", ""),
    ],
)
def test_documentation_and_code_are_known_by_the_address(url: str, kind: str):
    assert address_kind(url) == kind


@pytest.mark.loopback
async def test_a_page_of_documentation_that_leads_elsewhere_is_not_read(website, tmp_path: Path):
    text = "<title>Rings</title><p>" + "Rings of trees tell of dry years. " * 9
    website.add("/docs/rings", text)
    website.add("/blog/rings", text + "other")
    website.redirect("/docs/gone", f"{website.url}/blog/rings")
    paths = ("docs/rings", "blog/rings", "docs/gone")
    found = [{"url": f"{website.url}/{path}", "title": "Rings"} for path in paths]
    website.add("/search", json.dumps({"results": found}), Content_Type="application/json")
    wanted = LibrarySettings.model_validate(
        {
            "fetch": {"allow": [website.host], "pause": 0, "robots": False},
            "search": {"scope": {"kinds": ["docs"]}, "addresses": {"searxng": website.url}},
        }
    )
    async with await open_library(wanted, [], ["searxng"], offline=False, home=tmp_path) as library:
        hits = await library.search("rings", "searxng", 5)
        assert [urlsplit(hit.url).path for hit in hits] == ["/docs/rings", "/docs/gone"]
        assert (await library.read(hits[0].url, hits[:1])).title == "Rings"
        with pytest.raises(ReadError, match="outside what this session may use: .*kind"):
            await library.read(hits[1].url, hits[1:])
