"""Papers: an abstract can be cited when the page is closed, and what a catalogue says goes along."""

import json
from dataclasses import replace

import pytest

from library import Evidence, LibrarySettings, Work, open_library
from library.search.search_cache import KeptHits
from reports import Report, Section, Sentence, export_report

ABSTRACT = "<jats:p>We measured four hundred dikes and found that seepage, not height, decides. " * 4
CROSSREF = {
    "message": {
        "items": [
            {
                "DOI": "10.1234/dikes.7", "title": ["RETRACTED: Why dikes break"], "type": "journal-article",
                "container-title": ["Journal of Dikes"], "issued": {"date-parts": [[2021, 5]]},
                "author": [{"given": "Ana", "family": "Merrow"}, {"given": "Bo", "family": "Lind"}],
                "abstract": ABSTRACT,
            },
        ]
    }
}  # fmt: skip
WORK = Work(
    ("Ana Merrow", "Bo Lind"), "Journal of Dikes", "10.1234/dikes.7", "article-journal", retracted=True
)


async def opened(website, tmp_path, abstract: str = ABSTRACT):
    closed = website.add("/closed", "no", 403)
    [item] = CROSSREF["message"]["items"]
    answer = {"message": {"items": [item | {"URL": closed, "abstract": abstract}]}}
    website.add("/works", json.dumps(answer), Content_Type="application/json")
    settings = LibrarySettings.model_validate(
        {
            "fetch": {"allow": [website.host], "pause": 0, "robots": False},
            "search": {"addresses": {"crossref": website.url}},
        }
    )
    return closed, await open_library(settings, [], ["crossref"], offline=False, home=tmp_path)


@pytest.mark.loopback
async def test_an_abstract_can_be_cited_when_its_page_is_closed(website, tmp_path):
    closed, library = await opened(website, tmp_path)
    async with library:
        hits = await library.search("dikes", "crossref", 5)
        assert hits[0].work == WORK
        source = await library.read(closed, hits)
        assert source.title == "RETRACTED: Why dikes break (abstract)"
        assert "seepage, not height, decides" in source.text
        assert library.passages(source.sha256)
        kept = await library.search("dikes", "crossref", 5)
        assert isinstance(kept, KeptHits)
        assert list(kept) == hits
    async with (await opened(website, tmp_path))[1] as again:
        assert again.source(source.sha256).work == WORK


@pytest.mark.loopback
async def test_a_page_that_is_closed_and_of_which_nothing_is_known_stays_unread(website, tmp_path):
    closed, library = await opened(website, tmp_path, "Too short.")
    async with library:
        hits = await library.search("dikes", "crossref", 5)
        with pytest.raises(Exception, match="403"):
            await library.read(closed, hits)
        with pytest.raises(Exception, match="403"):
            await library.read(closed)


@pytest.mark.loopback
async def test_authors_venue_and_doi_go_into_the_bibliography(website, tmp_path):
    closed, library = await opened(website, tmp_path)
    async with library:
        source = await library.read(closed, await library.search("dikes", "crossref", 5))
        [passage] = library.passages(source.sha256)[:1]
    evidence = Evidence({"p1": replace(passage, id="p1")}, {source.sha256: source})
    said = Sentence(text="Seepage decides.", citations=["p1"], support="supported")
    section = Section(heading="Why", level=1, node="n1", sentences=[said])
    report = Report(title="Dikes", topic="Dikes", sections=[section])
    forms = {
        form: export_report(form, report, evidence).data.decode() for form in ("bib", "ris", "csl", "md")
    }
    assert "@article{merrow2021," in forms["bib"]
    for field in ("author = {{Merrow}, {Ana} and {Lind}, {Bo}}", "title = {{RETRACTED: Why dikes break}}",
                  "journaltitle = {{Journal of Dikes}}",
                  "doi = {10.1234/dikes.7}", "date = {2021-05}"):  # fmt: skip
        assert field in forms["bib"]
    assert "TY  - JOUR" in forms["ris"]
    assert "DO  - 10.1234/dikes.7" in forms["ris"]
    [item] = json.loads(forms["csl"])
    assert (item["type"], item["DOI"], item["container-title"]) == (
        "article-journal", "10.1234/dikes.7", "Journal of Dikes",
    )  # fmt: skip
    assert "RETRACTED" in forms["md"]
    assert "Ana Merrow, Bo Lind" in forms["md"]
    assert "doi:10.1234/dikes.7" in forms["md"]
