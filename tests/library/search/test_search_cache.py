"""Searches kept from session to session: the same words are sent once, while what came back is fresh."""

import pytest

from library.errors import SearchError
from library.evidence import Source
from library.search.interface import Hit
from library.search.search_cache import KeptHits, KeptSearches
from library.search.search_settings import SearchSettings
from models.client.text_cache import TextCache

HITS = [
    Hit("https://a.example/1", "One", "first …", 0.5, published="2024-05-01"),
    Hit("https://a.example/2", "洪水"),
]


class Place:
    name, description, private, local = "web", "The web", False, False

    def __init__(self, *answers):
        self.answers = list(answers)
        self.asked: list[tuple[str, int]] = []

    async def search(self, query, limit):
        self.asked.append((query, limit))
        answer = self.answers[min(len(self.asked), len(self.answers)) - 1]
        if isinstance(answer, Exception):
            raise answer
        return answer


class Clock:
    now = 1_000_000.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def cache(tmp_path, clock):
    with TextCache(tmp_path / "searches.sqlite", megabytes=1, seconds=3600, now=clock) as opened:
        yield opened


async def test_the_same_words_are_sent_once_an_hour(cache, clock):
    place = Place(HITS)
    searches = KeptSearches(place, cache, SearchSettings())
    assert await searches.search("old  bridges", 10) == HITS
    kept = await searches.search("old bridges ", 10)
    assert kept == HITS
    assert isinstance(kept, KeptHits)
    assert len(place.asked) == 1
    clock.now += 3601
    assert not isinstance(await searches.search("old bridges", 10), KeptHits)
    assert len(place.asked) == 2


async def test_other_words_limits_places_and_settings_are_other_searches(cache):
    place, other = Place(HITS), Place(HITS)
    other.name = "elsewhere"
    await KeptSearches(place, cache, SearchSettings()).search("bridges", 10)
    for searches, query, limit in (
        (KeptSearches(place, cache, SearchSettings()), "Bridges", 10),
        (KeptSearches(place, cache, SearchSettings()), "bridges", 20),
        (KeptSearches(place, cache, SearchSettings(language="de")), "bridges", 10),
        (KeptSearches(other, cache, SearchSettings()), "bridges", 10),
    ):
        assert not isinstance(await searches.search(query, limit), KeptHits)


@pytest.mark.parametrize("answer", [[], SearchError("down"), None])
async def test_nothing_failures_and_passages_are_not_kept(cache, answer):
    passage = Source("f" * 64, "file:///a", "A", "A text.").passage(0, 7)
    answer = [Hit("file:///a", "A", passage=passage)] if answer is None else answer
    place = Place(answer, HITS)
    searches = KeptSearches(place, cache, SearchSettings())
    if isinstance(answer, SearchError):
        with pytest.raises(SearchError):
            await searches.search("bridges", 10)
    else:
        assert await searches.search("bridges", 10) == answer
    assert await searches.search("bridges", 10) == HITS
    assert len(place.asked) == 2
