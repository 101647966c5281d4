"""Search backends against a site that answers as the real services do."""

import json
from dataclasses import replace
from importlib.metadata import EntryPoint
from urllib.parse import parse_qs, urlsplit

import pytest

from library.errors import SearchError
from library.evidence import Work
from library.search.backends import backend, names
from library.search.backends import backend_registry as registry
from library.search.backends.http_backend import date_of, plain, tidied
from library.search.interface import Hit
from library.search.search_settings import SearchSettings
from library.web.fetch_settings import FetchSettings
from library.web.fetcher import Fetcher

JSON = "application/json; charset=utf-8"

WIKIPEDIA = {
    "batchcomplete": True,
    "query": {
        "searchinfo": {"totalhits": 2},
        "search": [
            {"title": "Tree ring", "pageid": 1,
             "snippet": 'a <span class="searchmatch">tree</span> &amp; its ring'},
            {"title": "C/1861 J1 (comet)?", "pageid": 2, "snippet": "a comet"},
        ],
    },
}  # fmt: skip
ARXIV = """<?xml version='1.0' encoding='UTF-8'?>
<feed xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/" xmlns="http://www.w3.org/2005/Atom">
<title>arXiv Query</title><entry><id>http://arxiv.org/abs/2101.00001v2</id><title>Rings
  of trees</title><published>2021-01-02T18:00:00Z</published><summary> We count rings. </summary></entry>
</feed>"""
CROSSREF = {
    "status": "ok",
    "message": {
        "items": [
            {"DOI": "10.1/x", "URL": "https://doi.org/10.1/x", "title": ["Rings"],
             "issued": {"date-parts": [[2020, 5]]},
             "abstract": "<jats:p>We <jats:italic>count</jats:italic> rings.</jats:p>"},
            {"DOI": "10.2/y", "title": [], "issued": {"date-parts": [[None]]}},
        ]
    },
}  # fmt: skip
OPENALEX = {
    "meta": {"count": 2},
    "results": [
        {"id": "https://openalex.org/W1", "doi": "https://doi.org/10.1/x", "display_name": "Rings",
         "publication_date": "2020-05-01", "best_oa_location": {"landing_page_url": "https://repository.example/1"},
         "abstract_inverted_index": {"rings": [2], "We": [0], "count": [1]}},
        {"id": "https://openalex.org/W2", "doi": None, "display_name": None, "publication_date": None,
         "best_oa_location": None, "abstract_inverted_index": None},
    ],
}  # fmt: skip
SEMANTIC = {
    "total": 3,
    "data": [
        {"title": "A", "abstract": "Text.", "publicationDate": "2020-05-01", "url": "https://s.example/a",
         "openAccessPdf": {"url": "https://free.example/a.pdf"}},
        {"title": "B", "abstract": None, "year": 2019, "url": "https://s.example/b",
         "openAccessPdf": {"url": ""}, "externalIds": {"ArXiv": "1901.00001"}},
        {"title": "C", "url": "https://s.example/c"},
    ],
}  # fmt: skip
GITHUB = {
    "total_count": 2, "incomplete_results": False,
    "items": [
        {"id": 1, "name": "rings", "full_name": "a/rings", "html_url": "https://github.com/a/rings",
         "description": "Counts <b>rings</b>", "pushed_at": "2024-05-17T08:00:00Z", "stargazers_count": 3},
        {"id": 2, "name": "rings", "full_name": "b/rings", "html_url": "https://github.com/b/rings",
         "description": None, "pushed_at": None},
    ],
}  # fmt: skip
SEARXNG = {
    "query": "q",
    "results": [
        {
            "url": "https://a.example/",
            "title": "A",
            "content": "About A",
            "publishedDate": "2020-05-01T00:00:00",
        },
        {"url": "https://b.example/", "title": "B", "content": "About B", "publishedDate": "2 days ago"},
    ],
    "unresponsive_engines": [["engine", "timeout"]],
}
EXPECTED = {
    "wikipedia": [
        Hit("{url}/wiki/Tree_ring", "Tree ring", "a tree & its ring"),
        Hit("{url}/wiki/C/1861_J1_(comet)%3F", "C/1861 J1 (comet)?", "a comet"),
    ],
    "arxiv": [
        Hit("https://arxiv.org/abs/2101.00001v2", "Rings of trees", "We count rings.", published="2021-01-02")
    ],
    "crossref": [
        Hit("https://doi.org/10.1/x", "Rings", "We count rings.", published="2020-05"),
        Hit("https://doi.org/10.2/y", "https://doi.org/10.2/y"),
    ],
    "openalex": [
        Hit("https://repository.example/1", "Rings", "We count rings", published="2020-05-01"),
        Hit("https://openalex.org/W2", "https://openalex.org/W2"),
    ],
    "semanticscholar": [
        Hit("https://free.example/a.pdf", "A", "Text.", published="2020-05-01"),
        Hit("https://arxiv.org/abs/1901.00001", "B", published="2019"),
        Hit("https://s.example/c", "C"),
    ],
    "searxng": [Hit("https://a.example/", "A", "About A", published="2020-05-01"),
                Hit("https://b.example/", "B", "About B")],
    "github": [
        Hit("https://github.com/a/rings", "a/rings", "Counts rings", published="2024-05-17"),
        Hit("https://github.com/b/rings", "b/rings"),
    ],
}
KINDS = {"wikipedia": "encyclopedia", "searxng": "", "github": "code", **dict.fromkeys(
    ("arxiv", "crossref", "openalex", "semanticscholar"), "paper"
)}  # fmt: skip
PLACES = {
    "wikipedia": ("/w/api.php", WIKIPEDIA, {"query": {"search": []}}),
    "arxiv": ("/api/query", ARXIV, '<feed xmlns="http://www.w3.org/2005/Atom"></feed>'),
    "crossref": ("/works", CROSSREF, {"message": {"items": []}}),
    "openalex": ("/works", OPENALEX, {"results": []}),
    "semanticscholar": ("/graph/v1/paper/search", SEMANTIC, {"total": 0}),
    "searxng": ("/search", SEARXNG, {"results": []}),
    "github": ("/search/repositories", GITHUB, {"total_count": 0, "incomplete_results": False, "items": []}),
}


def written(answer) -> tuple[str, str]:
    return (
        (answer, "application/atom+xml; charset=utf-8")
        if isinstance(answer, str)
        else (json.dumps(answer), JSON)
    )


@pytest.fixture
async def fetcher(website):
    async def sleep(_seconds: float) -> None:
        pass

    async with Fetcher(
        FetchSettings(allow=(website.host,), pause=0, contact="me@example.org"), sleep=sleep
    ) as fetcher:
        yield fetcher


def opened(name: str, website, fetcher):
    return backend(name, fetcher, SearchSettings(addresses={name: website.url + "/"}))


@pytest.mark.loopback
@pytest.mark.parametrize("name", sorted(PLACES))
async def test_answers_become_hits(website, fetcher, name):
    path, answer, _ = PLACES[name]
    body, kind = written(answer)
    website.add(path, body, Content_Type=kind)
    website.add(
        "/robots.txt", "User-agent: *\nDisallow: /", Content_Type="text/plain"
    )  # not meant for interfaces
    collection = opened(name, website, fetcher)
    hits = await collection.search("tree  rings", 10)
    expected = [
        replace(hit, url=hit.url.format(url=website.url), kind=KINDS[name])
        for hit in EXPECTED[name]
    ]
    assert [replace(hit, work=None) for hit in hits] == expected
    assert (collection.name, collection.private, collection.local) == (name, False, False)
    assert collection.description
    asked = parse_qs(urlsplit(website.asked[0].path).query)
    assert any("rings" in value[0] for value in asked.values())
    assert len(await collection.search("tree rings", 1)) == 1


@pytest.mark.loopback
@pytest.mark.parametrize("name", sorted(PLACES))
async def test_nothing_found_is_an_empty_list(website, fetcher, name):
    path, _, nothing = PLACES[name]
    body, kind = written(nothing)
    website.add(path, body, Content_Type=kind)
    assert await opened(name, website, fetcher).search("xyzzy", 10) == []
    assert await opened(name, website, fetcher).search("  ", 10) == []


@pytest.mark.loopback
@pytest.mark.parametrize("name", sorted(PLACES))
@pytest.mark.parametrize(
    ("body", "kind", "status", "reason"),
    [
        ("busy", JSON, 429, r"the limit of requests to \w+ is used up \(429\); it does not say when"),
        ("paid", JSON, 402, r"wants to be paid \(402\)"),
        ("shut", JSON, 403, r"refuses"),
        ("broken", JSON, 500, "HTTP 500"),
        ("<html>Please log in</html>", "text/html", 200, "text/html is not read"),
        ("[]", None, 200, "answered something else"),
        ('"words"', None, 200, "answered something else"),
        ('{"unexpected": 1}', None, 200, "answered something else"),
        ("{cut off", None, 200, "answered something else"),
        ("[" * 100_000, None, 200, "answered something else"),
    ],
)
async def test_a_failure_is_an_error_and_never_an_empty_list(
    website, fetcher, name, body, kind, status, reason
):
    path, answer, _ = PLACES[name]
    website.add(path, body, status, Content_Type=kind or written(answer)[1])
    with pytest.raises(SearchError, match=reason) as error:
        await opened(name, website, fetcher).search("tree rings", 10)
    assert name in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.loopback
async def test_halves_of_letters_in_an_answer_are_dropped_so_that_hits_can_be_kept(website, fetcher):
    half = json.loads('"\\ud83d"')
    result = {"url": f"https://a.example/{half}", "title": f"A{half}", "content": f"{half}About A"}
    website.add("/search", json.dumps({"results": [result]}), Content_Type=JSON)
    hits = await opened("searxng", website, fetcher).search("x", 5)
    assert hits == [Hit("https://a.example/", "A", "About A")]


@pytest.mark.loopback
async def test_errors_that_come_with_status_200_are_errors(website, fetcher):
    website.add(
        "/w/api.php", json.dumps({"error": {"code": "x", "info": "Search is down"}}), Content_Type=JSON
    )
    with pytest.raises(SearchError, match="Search is down"):
        await opened("wikipedia", website, fetcher).search("x", 5)
    website.add(
        "/search",
        json.dumps({"results": [], "unresponsive_engines": [["one", "CAPTCHA"]]}),
        Content_Type=JSON,
    )
    with pytest.raises(SearchError, match=r"its engines do not answer \(one: CAPTCHA\)"):
        await opened("searxng", website, fetcher).search("x", 5)
    error = "<entry><id>http://arxiv.org/api/errors#1</id><summary>bad query</summary></entry>"
    atom = f'<feed xmlns="http://www.w3.org/2005/Atom">{error}</feed>'
    website.add("/api/query", atom, Content_Type="application/atom+xml")
    with pytest.raises(SearchError, match="bad query"):
        await opened("arxiv", website, fetcher).search("x", 5)


WORKS = {
    "arxiv": (
        "/api/query",
        ARXIV.replace(
            "<entry>",
            '<entry xmlns:arxiv="http://arxiv.org/schemas/atom"><author><name>Ana Merrow</name></author>'
            "<arxiv:doi>10.1/x</arxiv:doi>",
        ),
        Work(("Ana Merrow",), "arXiv", "10.1/x", "article"),
    ),
    "openalex": (
        "/works",
        {"results": [OPENALEX["results"][0] | {
            "authorships": [
                {"author": {"display_name": "Ana Merrow"}}, {"author": {"display_name": "Bo Lind"}},
            ],
            "primary_location": {"source": {"display_name": "Journal of Rings"}},
            "type": "article", "is_retracted": True,
        }]},
        Work(("Ana Merrow", "Bo Lind"), "Journal of Rings", "10.1/x", "article-journal", retracted=True),
    ),
    "semanticscholar": (
        "/graph/v1/paper/search",
        {"total": 1, "data": [SEMANTIC["data"][0] | {
            "authors": [{"authorId": "1", "name": "Ana Merrow"}], "venue": "RingConf",
            "externalIds": {"DOI": "10.1/x"}, "publicationTypes": ["Conference"],
        }]},
        Work(("Ana Merrow",), "RingConf", "10.1/x", "paper-conference"),
    ),
}  # fmt: skip


@pytest.mark.loopback
@pytest.mark.parametrize("name", WORKS)
async def test_what_a_catalogue_says_of_a_work_comes_with_it(website, fetcher, name):
    path, answer, work = WORKS[name]
    body, kind = written(answer)
    website.add(path, body, Content_Type=kind)
    hits = await opened(name, website, fetcher).search("rings", 5)
    assert hits[0].work == work


@pytest.mark.loopback
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
async def test_entities_in_a_feed_are_refused(website, fetcher, encoding):
    bomb = '<!DOCTYPE f [<!ENTITY a "ha">]><feed xmlns="http://www.w3.org/2005/Atom">&a;</feed>'.encode(encoding)
    website.add("/api/query", bomb, Content_Type="application/atom+xml")
    with pytest.raises(SearchError, match="a document type"):
        await opened("arxiv", website, fetcher).search("x", 5)


@pytest.mark.loopback
@pytest.mark.parametrize("name", ["wikipedia", "arxiv"])
async def test_a_long_query_that_finds_nothing_is_asked_again_with_any_of_its_words(
    website, fetcher, answer, name
):
    path, found, nothing = PLACES[name]

    def page(asked):
        body, kind = written(found if "+OR+" in asked.path else nothing)
        return answer(body.encode(), headers={"Content-Type": kind})

    website.pages[path] = page
    assert await opened(name, website, fetcher).search('rings "of trees" AND old', 5)
    assert len(website.asked) == 2
    assert "AND+OR" not in website.paths[1]


@pytest.mark.loopback
@pytest.mark.parametrize(
    ("query", "language"), [("树木的年轮", "zh"), ("годичные кольца деревьев", "ru"), ("tree rings", "en")]
)
async def test_wikipedia_is_asked_in_the_language_of_the_query(website, fetcher, query, language):
    website.add(f"/{language}/w/api.php", json.dumps(WIKIPEDIA), Content_Type=JSON)
    settings = SearchSettings(addresses={"wikipedia": website.url + "/{language}"})
    hits = await backend("wikipedia", fetcher, settings).search(query, 5)
    assert hits[0].url == f"{website.url}/{language}/wiki/Tree_ring"


@pytest.mark.loopback
async def test_a_language_that_was_set_wins(website, fetcher):
    website.add("/de/w/api.php", json.dumps(WIKIPEDIA), Content_Type=JSON)
    settings = SearchSettings(language="de", addresses={"wikipedia": website.url + "/{language}"})
    assert await backend("wikipedia", fetcher, settings).search("tree rings", 5)


@pytest.mark.loopback
async def test_crossref_is_told_who_asks(website, fetcher):
    website.add("/works", json.dumps(CROSSREF), Content_Type=JSON)
    await opened("crossref", website, fetcher).search("x", 5)
    assert "mailto=me%40example.org" in website.paths[0]


async def test_an_unknown_name_is_an_error_that_names_the_nearest():
    async with Fetcher() as fetcher:
        with pytest.raises(SearchError, match="no search backend 'wikipeda'; did you mean 'wikipedia'"):
            backend("wikipeda", fetcher)
        with pytest.raises(SearchError, match="There are: arxiv, crossref"):
            backend("something else entirely", fetcher)


async def test_searxng_needs_an_address():
    async with Fetcher() as fetcher:
        with pytest.raises(SearchError, match=r"set search\.addresses\.searxng"):
            backend("searxng", fetcher)


async def test_offline_every_backend_says_so():
    settings = SearchSettings(addresses={"searxng": "https://search.example"})
    async with Fetcher(offline=True) as fetcher:
        for name in names():
            with pytest.raises(SearchError, match="offline"):
                await backend(name, fetcher, settings).search("x", 5)


async def test_other_distributions_add_backends(monkeypatch):
    class Library:
        name, description, private, local = "shelf", "A shelf.", False, False

        async def search(self, query: str, limit: int) -> list[Hit]:
            return [Hit("https://shelf.example/", query)]

    added = EntryPoint("shelf", "shelf_backend:open", registry.GROUP)
    broken = EntryPoint("broken", "no_such_module:open", registry.GROUP)

    def entry_points(group: str, name: str | None = None):
        assert group == "roundtable.search"
        return [entry for entry in (added, broken) if name in (None, entry.name)]

    monkeypatch.setattr(registry, "entry_points", entry_points)
    module = type(registry)("shelf_backend")
    module.open = lambda fetcher, settings: Library()
    monkeypatch.setitem(__import__("sys").modules, "shelf_backend", module)
    async with Fetcher() as fetcher:
        assert "shelf" in names()
        assert await backend("shelf", fetcher).search("q", 1) == [Hit("https://shelf.example/", "q")]
        with pytest.raises(SearchError, match=r"'broken' \(no_such_module:open\) cannot be loaded"):
            backend("broken", fetcher)


def test_hits_are_tidied():
    hits = [
        Hit("javascript:alert(1)", "x"),
        Hit("https://a.example/", " A \u200b<b>title</b>\n", "&lt;b&gt; &amp; more"),
        Hit("https://a.example/", "again"),
        Hit("file:///etc/passwd", "x"),
        Hit("https://b.example/", ""),
    ]
    assert tidied(hits, 5) == [
        Hit("https://a.example/", "A title", "<b> & more"),
        Hit("https://b.example/", "https://b.example/"),
    ]


def test_small_texts():
    assert plain(None) == ""
    assert date_of([2020, 5, 7]) == "2020-05-07"
    assert date_of([2020]) == "2020"
    assert date_of([None]) is None
    assert date_of([]) is None


@pytest.mark.loopback
async def test_limits_and_settings_of_a_service_are_told_as_what_they_are(website, fetcher):
    website.add("/search", "forbidden", 403)
    with pytest.raises(SearchError, match=r"searxng refuses \(403\): its settings do not allow the format"):
        await opened("searxng", website, fetcher).search("x", 5)
    silent = [["google", "Suspended: too many requests"], ["bing", "timeout"]]
    website.add(
        "/search", json.dumps({"results": [], "unresponsive_engines": silent}), Content_Type=JSON
    )
    with pytest.raises(SearchError, match=r"\(google: Suspended: too many requests, bing: timeout\)$"):
        await opened("searxng", website, fetcher).search("x", 5)
    # GitHub says so with a 403, and when as seconds since 1970.
    website.add(
        "/search/repositories", "{}", 403, X_RateLimit_Remaining="0", X_RateLimit_Reset="4102444800"
    )
    with pytest.raises(SearchError, match=r"requests to github is used up \(403\); ask again in \d+ d"):
        await opened("github", website, fetcher).search("x", 5)
