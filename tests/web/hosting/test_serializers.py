"""What the page is sent of sources."""

from library import Evidence, Passage, Source
from roundtable.web.serializers import passage_values, sources_values


def test_a_file_without_a_date_says_of_when_it_is_and_a_page_does_not() -> None:
    evidence = Evidence()
    for n, (url, private) in enumerate((("file:///a.html", True), ("https://example.org/a", False))):
        sha = str(n) * 64
        evidence.sources[sha] = Source(
            sha, url, "A", "One sentence.", retrieved="2023-03-22T10:00:00Z", private=private
        )
        evidence.passages[f"p{n}"] = Passage(sha, 0, 13, "One sentence.", url, "A", id=f"p{n}")
    assert [one["of_file"] for one in sources_values(evidence)] == ["2023-03-22", None]
    assert passage_values(evidence.passages["p0"], evidence)["of_file"] == "2023-03-22"
