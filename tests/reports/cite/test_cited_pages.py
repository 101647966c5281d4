"""Which pages of a paged source a report says that it cites."""

from library.evidence import Source
from reports.cite.places import places_of
from reports.report_phrases import phrases_for


def test_a_passage_is_cited_with_all_the_pages_that_it_lies_on() -> None:
    known, first, second = "Ask Ana about the sand.", "Minutes of the board.", "The dike was raised by 40 cm."
    text = f"{known}\n\n{first}\n\n{second}"
    starts = (text.index(first), text.index(second))
    source = Source("a" * 64, "file:///minutes.pdf", "Minutes", text, private=True, pages=starts)

    def places(*spans: tuple[int, int]) -> list[str]:
        passages = [source.passage(start, end, f"p{n}") for n, (start, end) in enumerate(spans, 1)]
        return [place.mark for place in places_of(passages, source, phrases_for("en"))]

    page = phrases_for("en").page
    # What stands on the second page, read by whom ever, is found there.
    assert places((starts[0], len(text))) == [page.format(n="1–2")]
    assert places((starts[0], starts[1] - 2), (starts[1], len(text))) == [page.format(n=n) for n in (1, 2)]
    # What a reference manager knows stands on none.
    assert places((0, len(known)))[0] == ""
