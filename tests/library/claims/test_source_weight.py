"""What weight sources have: kinds by address and catalogue, copies of one text."""

import hashlib

import pytest

from library.claims.standing.source_weight import kinds_of, origins, source_kind
from library.evidence import Source, Work

REPORT = (
    "The harbour office of Orrin said on Tuesday that the lamp of the lighthouse would be repaired "
    "before the winter, after fishermen had complained that the light could no longer be seen from "
    "the reef. The repair is to cost 62,000 pounds, half of which the county pays, and the lamp will "
    "be dark for nine nights."
)
OWN = (
    "We went out with the fishermen of Orrin in a calm night and looked for the light ourselves; at "
    "the second buoy it was gone. Nobody on board was surprised, for the lamp has been weak since "
    "spring, they say, and the office knows it well."
)


def source(url: str, text: str, **more: object) -> Source:
    return Source(hashlib.sha256((url + text).encode()).hexdigest(), url, "t", text, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("url", "kind"),
    [
        ("https://www.gov.uk/lamps", "official"),
        ("https://www.env.go.jp/lamps", "official"),
        ("https://abcnews.go.com/lamps", "news"),
        ("https://data.gov.au/x", "official"),
        ("https://ec.europa.eu/x", "official"),
        ("https://arxiv.org/abs/1", "paper"),
        ("https://en.wikipedia.org/wiki/Lamp", "reference"),
        ("https://www.reuters.com/x", "news"),
        ("https://old.reddit.com/r/lamps", "forum"),
        ("https://mygov.example/x", ""),
        ("https://notwikipedia.org/x", ""),
        ("file:///lamps.pdf", "own"),
    ],
)
def test_a_host_tells_what_kind_of_source_it_is(url: str, kind: str) -> None:
    assert source_kind(source(url, "x")) == kind


def test_what_a_catalogue_knows_is_a_paper_wherever_it_was_read() -> None:
    assert source_kind(source("https://lab.example/x.pdf", "x", work=Work(doi="10.1/2"))) == "paper"


def test_one_wire_report_in_three_papers_is_one_origin() -> None:
    first = source("https://a.example/1", f"Orrin, Tuesday. {REPORT}")
    second = source("https://b.example/2", f"{REPORT} Reporting by our staff.")
    third = source(
        "https://c.example/3",
        f"Lamp to be repaired. {REPORT[:-40]} Read more in our Sunday edition, out soon.",
    )
    other = source("https://d.example/4", OWN)
    found = origins([first, second, third, other])
    assert [found[s.sha256] for s in (first, second, third)] == [first.sha256] * 3
    assert found[other.sha256] == other.sha256


def test_who_quotes_one_sentence_of_another_is_no_copy() -> None:
    quoting = source("https://d.example/4", f"{OWN} {REPORT[:110]} That is what the office says. {OWN[::-1]}")
    assert len(set(origins([source("https://a.example/1", REPORT), quoting]).values())) == 2


def test_chinese_copies_are_seen() -> None:
    text = (
        "港务局周二表示，灯塔的灯将在冬季前修好，此前渔民抱怨从礁石上已看不到灯光。"
        "维修费用为六万二千英镑，其中一半由县里承担。"
    )
    a, b = source("https://a.example/1", text), source("https://b.example/2", f"【综合报道】{text}")
    assert len(set(origins([a, b]).values())) == 1


def test_kinds_are_counted_in_one_order() -> None:
    urls = ["https://en.wikipedia.org/a", "https://who.int/b", "https://x.example/c", "https://iso.org/d"]
    assert kinds_of([source(url, url) for url in urls]) == {"official": 1, "reference": 2}
    assert list(kinds_of([source(url, url) for url in urls])) == ["official", "reference"]
