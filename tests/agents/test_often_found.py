"""What half of a session's searches find is of its matter."""

import pytest

from agents.research.often_found import OftenFound

COMMON, STRANGER = ("rating", 0, 40), ("film", 0, 30)


Key = tuple[str, int, int]


def searches(count: int, *, places: int = 8, common_at: int = 2) -> list[tuple[str, list[Key]]]:
    """Return searches that find passages of their own, every second the common one, all a stranger last."""
    found = []
    for n in range(count):
        own = [(f"page {n}", i, i + 1) for i in range(places)]
        if n % 2 == 0:
            own.insert(common_at, COMMON)
        found.append((f"query {n}", [*own, STRANGER]))
    return found


def test_what_half_of_the_searches_find_and_one_among_its_first_comes() -> None:
    assert OftenFound(searches(8)).keys(400) == {COMMON}
    assert OftenFound(searches(8, common_at=7)).keys(400) == set(), "never among the first"


@pytest.mark.parametrize(("count", "collection"), [(5, 400), (8, 30)])
def test_few_searches_and_small_collections_say_nothing(count: int, collection: int) -> None:
    assert OftenFound(searches(count)).keys(collection) == set()


def test_a_search_put_again_counts_once() -> None:
    often = OftenFound(searches(6)[:3] * 2)
    assert often.keys(400) == set()
    for query, found in searches(6)[3:]:
        often.add(query, found)
    assert often.keys(400) == {COMMON}
