"""Of versions of one page the newest comes first, and nothing else changes its place."""

from dataclasses import replace

from library.evidence import Source
from library.search.interface import Hit
from library.search.newest_version import newest_first

FARE = "A ticket for the Brekka ferry costs {fare} euros for a car and the ferry carries fifty cars."


def hit(text: str, read: str, url: str = "file:///ferry.md") -> Hit:
    source = Source(f"{hash((text, read, url)) & 0xFFFF:064x}", url, "Ferry", text, retrieved=read)
    return Hit(url, "Ferry", passage=source.passage(0, len(text)))


OLD, NEW = (
    hit(FARE.format(fare=12), "2026-01-01T00:00:00Z"),
    hit(FARE.format(fare=15), "2026-03-01T00:00:00Z"),
)
MIDDLE = hit(FARE.format(fare=14), "2026-02-01T00:00:00Z")
OTHER = hit(FARE.format(fare=9), "2025-01-01T00:00:00Z", "file:///other.md")


def test_a_later_version_takes_the_place_of_an_earlier_one() -> None:
    assert newest_first([OLD, OTHER, NEW]) == [NEW, OTHER, OLD]
    assert newest_first([OLD, MIDDLE, NEW]) == [NEW, MIDDLE, OLD]
    assert newest_first([NEW, OTHER, OLD]) == [NEW, OTHER, OLD]


def test_what_says_something_else_or_has_no_time_stays_where_it_is() -> None:
    engine = hit("Its engine was built at Holm in the yard of the Nilsen family.", "2026-03-01T00:00:00Z")
    unknown = hit(FARE.format(fare=11), "")
    for hits in ([OLD, engine], [unknown, NEW], [OTHER, NEW], [Hit("https://a.example", "A"), OLD]):
        assert newest_first(hits) == hits
    assert OLD.passage is not None
    same = replace(OLD, passage=replace(OLD.passage, retrieved="2026-04-01T00:00:00Z"))
    assert newest_first([OLD, same]) == [OLD, same]
