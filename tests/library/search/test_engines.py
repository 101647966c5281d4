"""Engines that want a key, against a site that answers as the real ones do."""

import json
from urllib.parse import parse_qs, urlsplit

import pytest

from library import LibrarySettings, SearchError, open_library
from library.search.engines.keyed_engine import KEYED, KeyedCollection, engine
from library.search.engines.web_engines import WebEngines, fused
from library.search.interface import Hit, NotedHits
from library.web.fetch_settings import FetchSettings
from library.web.fetcher import Fetcher

TAVILY = {
    "query": "dikes", "follow_up_questions": None, "answer": None, "images": [], "response_time": 1.2,
    "results": [
        {"title": "A dike", "url": "https://a.example/dike", "content": "It was raised.", "score": 0.9,
         "raw_content": None, "published_date": "2024-05-17T08:00:00Z"},
    ],
}  # fmt: skip
EXA = {
    "requestId": "b5", "resolvedSearchType": "neural",
    "results": [
        {"id": "https://b.example/", "title": "B dike", "url": "https://b.example/", "score": 0.2,
         "publishedDate": "2023-01-02T00:00:00.000Z", "author": "B. Writer",
         "highlights": ["It broke.", "It was mended."]},
    ],
    "costDollars": {"total": 0.005},
}  # fmt: skip
BRAVE = {
    "type": "search", "query": {"original": "dikes"}, "mixed": {"type": "mixed"},
    "web": {"type": "search", "results": [
        {"title": "C <strong>dike</strong>", "url": "https://c.example/", "description": "It &amp; the sea",
         "page_age": "2022-03-04T00:00:00", "age": "March 4, 2022", "language": "en"}]},
}  # fmt: skip
SERPER = {
    "searchParameters": {"q": "dikes", "type": "search", "engine": "google"},
    "organic": [
        {"title": "D dike", "link": "https://d.example/", "snippet": "Seen.", "date": "2 days ago",
         "position": 1},
        {"title": "A dike", "link": "https://a.example/dike/", "snippet": "Too.", "position": 2},
    ],
    "credits": 1,
}  # fmt: skip
FOUND = {
    "tavily": Hit("https://a.example/dike", "A dike", "It was raised.", published="2024-05-17"),
    "exa": Hit("https://b.example/", "B dike", "It broke. … It was mended.", published="2023-01-02"),
    "brave": Hit("https://c.example/", "C dike", "It & the sea", published="2022-03-04"),
    "serper": Hit("https://d.example/", "D dike", "Seen."),
}
ANSWERS = {
    "tavily": ("/search", TAVILY, FOUND["tavily"]),
    "exa": ("/search", EXA, FOUND["exa"]),
    "brave": ("/res/v1/web/search", BRAVE, FOUND["brave"]),
    "serper": ("/search", SERPER, FOUND["serper"]),
}
KEYS = {engine(name).key: f"{name}-key-of-mine-123" for name in KEYED}


def wanted(website, names=KEYED, **search) -> LibrarySettings:
    """Each engine below a path of its own."""
    addresses = {name: f"{website.url}/{name}" for name in names}
    return LibrarySettings(
        fetch=FetchSettings(allow=(website.host,), pause=0),
        search={"addresses": addresses, "cache_minutes": 0, "web_order": list(names), **search},
    )


async def found(settings, place, tmp_path, keys=KEYS):
    where = [place]
    async with await open_library(
        settings, [], where, offline=False, home=tmp_path, environment=keys
    ) as library:
        return await library.search("dikes", place, 5)


@pytest.mark.loopback
@pytest.mark.parametrize("name", KEYED)
async def test_an_engine_is_asked_with_its_key_and_its_answer_becomes_hits(website, tmp_path, name):
    path, answer, first = ANSWERS[name]
    website.add(f"/{name}{path}", json.dumps(answer), Content_Type="application/json")
    hits = await found(wanted(website), name, tmp_path)
    assert hits[0] == first
    [asked] = website.asked
    key = KEYS[engine(name).key]
    assert asked.headers[engine(name).header.lower()].endswith(key)
    assert sum(key in value for value in asked.headers.values()) == 1
    assert key not in asked.path
    assert key not in asked.body.decode()
    text = json.dumps(parse_qs(urlsplit(asked.path).query)) if name == "brave" else asked.body.decode()
    assert "dikes" in text


@pytest.mark.loopback
@pytest.mark.parametrize("name", KEYED)
async def test_the_scope_is_passed_on(website, tmp_path, name):
    path, answer, _ = ANSWERS[name]
    website.add(f"/{name}{path}", json.dumps(answer), Content_Type="application/json")
    scope = {"sites": ["a.example"], "since": "2024-02", "until": "2024"}
    await found(wanted(website, scope=scope), name, tmp_path)
    [asked] = website.asked
    told = json.loads(asked.body) if asked.body else parse_qs(urlsplit(asked.path).query)
    expected = {
        "tavily": {"include_domains": ["a.example"], "start_date": "2024-02-01", "end_date": "2024-12-31"},
        "exa": {"includeDomains": ["a.example"], "startPublishedDate": "2024-02-01",
                "endPublishedDate": "2024-12-31"},
        "brave": {"q": ["dikes site:a.example"], "freshness": ["2024-02-01to2024-12-31"]},
        "serper": {"q": "dikes site:a.example", "tbs": "cdr:1,cd_min:02/01/2024,cd_max:12/31/2024"},
    }[name]  # fmt: skip
    assert told.items() >= expected.items()


@pytest.mark.loopback
async def test_the_next_engine_is_asked_when_one_fails_or_is_empty_and_that_is_told(website, tmp_path):
    website.add("/tavily/search", '{"detail": "over limit"}', 429, Content_Type="application/json")
    website.add("/exa/search", json.dumps(EXA | {"results": []}), Content_Type="application/json")
    website.add("/brave/res/v1/web/search", json.dumps(BRAVE), Content_Type="application/json")
    hits = await found(wanted(website), "web", tmp_path)
    assert isinstance(hits, NotedHits)
    assert [hit.url for hit in hits] == ["https://c.example/"]
    assert hits.notes[0] == (
        f"tavily: the limit of requests to {website.host.partition(':')[0]} is used up (429); "
        "it does not say when it may be asked again (over limit)"
    )
    assert hits.notes[1] == "exa found nothing"
    assert len(website.asked) == 3  # serper was not needed


REFUSALS = {
    # As each of them answers: status, headers, body, and what is told.
    "tavily": [
        (429, {"Retry_After": "3600"},
         {"detail": {"error": "Your request has been blocked due to excessive requests."}},
         r"limit of requests to .* is used up \(429\); ask again in 60 min \(Your request has been blocked"),
        (432, {}, {"detail": {"error": "This request exceeds your plan's set usage limit."}},
         r"no credit left \(432\): add some, or set TAVILY_API_KEY to another key \(This request exceeds"),
        (401, {}, {"detail": {"error": "Unauthorized: missing or invalid API key."}},
         r"refuses the key \(401\): set TAVILY_API_KEY to one that it takes"),
    ],
    "brave": [
        (429, {"X_RateLimit_Remaining": "1, 0", "X_RateLimit_Reset": "1, 1036800"},
         {"type": "ErrorResponse", "error": {"status": 429, "detail": "Request rate limit exceeded for plan",
                                             "code": "RATE_LIMITED"}},
         r"used up \(429\); ask again in 12 d \(Request rate limit exceeded for plan\)"),
        (422, {}, {"error": {"code": "SUBSCRIPTION_TOKEN_INVALID",
                             "detail": "The provided subscription token is invalid.", "status": 422}},
         r"refuses the key \(422\): set BRAVE_API_KEY"),
        (402, {}, {}, r"no credit left \(402\): add some, or set BRAVE_API_KEY to another key$"),
    ],
    "serper": [
        (400, {}, {"message": "Not enough credits", "statusCode": 400},
         r"no credit left \(400\): .* SERPER_API_KEY to another key \(Not enough credits\)"),
        (403, {}, {"message": "Unauthorized.", "statusCode": 403},
         r"refuses the key \(403\): set SERPER_API_KEY"),
    ],
    "exa": [
        (402, {}, {"error": "You have exceeded your credits limit.", "tag": "NO_MORE_CREDITS"},
         r"no credit left \(402\): .* EXA_API_KEY to another key \(You have exceeded your credits limit\.\)"),
        (429, {}, {"error": "Too many requests"},
         r"used up \(429\); it does not say when .* \(Too many requests\)$"),
    ],
}  # fmt: skip


@pytest.mark.loopback
@pytest.mark.parametrize(
    ("name", "refused"), [(name, refused) for name, all_of in REFUSALS.items() for refused in all_of]
)
async def test_a_refusal_says_what_it_is_and_what_to_do(website, tmp_path, name, refused):
    status, headers, body, told = refused
    headers |= {"Content_Type": "application/json"}
    website.add(f"/{name}{ANSWERS[name][0]}", json.dumps(body), status, **headers)
    with pytest.raises(SearchError, match=told) as caught:
        await found(wanted(website), name, tmp_path)
    assert "\n" not in str(caught.value)
    assert KEYS[engine(name).key] not in str(caught.value)


@pytest.mark.loopback
async def test_an_engine_that_takes_one_request_a_second_is_waited_for_and_others_are_left_alone(website):
    limits = {"X_RateLimit_Limit": "1, 2000", "X_RateLimit_Reset": "1, 1036800"}
    slept, times = [], [0.0]

    async def sleep(seconds):
        slept.append(seconds)
        times[0] += seconds
        if len(slept) == 1:
            website.add("/brave/res/v1/web/search", json.dumps(BRAVE), Content_Type="application/json")

    settings = wanted(website)
    async with Fetcher(settings.fetch) as fetcher:
        brave = KeyedCollection(
            engine("brave"), "k" * 20, fetcher, settings.search, now=lambda: times[0], sleep=sleep
        )
        website.add("/brave/res/v1/web/search", "{}", 429, X_RateLimit_Remaining="0, 1985", **limits)
        assert len(await brave.search("dikes", 5)) == 1
        assert slept == [1.0]
        website.add("/brave/res/v1/web/search", "{}", 429, Retry_After="600")
        for _ in range(2):  # the second time it is not asked
            with pytest.raises(SearchError, match="ask again in 10 min"):
                await brave.search("dikes", 5)
        assert len(website.asked) == 3


@pytest.mark.loopback
async def test_when_all_fail_the_search_fails_and_names_each(website, tmp_path):
    with pytest.raises(SearchError, match=r"tavily: .*; exa: .*; brave: .*; serper: ") as caught:
        await found(wanted(website), "web", tmp_path)
    assert not any(key in str(caught.value) for key in KEYS.values())


@pytest.mark.loopback
async def test_the_order_can_be_set_and_only_engines_with_a_key_are_asked(website, tmp_path):
    website.add("/serper/search", json.dumps(SERPER), Content_Type="application/json")
    keys = {"SERPER_API_KEY": KEYS["SERPER_API_KEY"]}
    hits = await found(wanted(website, ("exa", "serper", "tavily")), "web", tmp_path, keys)
    assert [hit.url for hit in hits] == ["https://d.example/", "https://a.example/dike/"]
    assert [asked.path for asked in website.asked] == ["/serper/search"]


@pytest.mark.loopback
async def test_engines_asked_together_are_joined_by_reciprocal_rank(website, tmp_path):
    website.add("/tavily/search", json.dumps(TAVILY), Content_Type="application/json")
    website.add("/serper/search", json.dumps(SERPER), Content_Type="application/json")
    hits = await found(wanted(website, ("serper", "tavily"), web_together=2), "web", tmp_path)
    assert [hit.url for hit in hits] == ["https://a.example/dike/", "https://d.example/"]


async def test_without_a_key_an_engine_says_which_variable_holds_it(website, tmp_path):
    with pytest.raises(SearchError, match="tavily needs a key: set TAVILY_API_KEY"):
        await found(wanted(website), "tavily", tmp_path, {})
    with pytest.raises(SearchError, match=r"no engine of search\.web_order has a key \(TAVILY_API_KEY, EXA"):
        await found(wanted(website), "web", tmp_path, {})


async def test_without_keys_the_web_is_searched_as_ever(tmp_path):
    async with await open_library(
        LibrarySettings(), [], ["web"], offline=False, home=tmp_path, environment={}
    ) as library:
        assert not isinstance(getattr(library.place("web"), "place", None), WebEngines)


def test_joining_keeps_each_page_once():
    first, second = Hit("https://a.example/#x", "A"), Hit("https://b.example/", "B")
    assert fused([[first, second], [Hit("https://b.example", "also B")]]) == [second, first]
