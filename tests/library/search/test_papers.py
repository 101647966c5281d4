"""Papers: an abstract can be cited when the page is closed, and what a catalogue says goes along."""

import io
import json
from dataclasses import replace

import docx
import pypdfium2
import pytest

from library import Evidence, FetchError, Hit, LibrarySettings, Work, open_library
from library.search import SearchScope
from library.search.backends.crossref import CROSSREF as CROSSREF_INTERFACE
from library.search.backends.http_backend import Query, plain
from library.search.search_cache import KeptHits
from reports import Report, Section, Sentence, check_report, export_report
from reports.export.json import sources_json

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
async def test_a_short_abstract_can_be_cited_too(website, tmp_path):
    short = "我们量了四百座堤坝的渗流，发现决定成败的不是堤坝的高度，而是水在堤身之下走了多远、走得多快。"
    closed, library = await opened(website, tmp_path, short)
    async with library:
        source = await library.read(closed, await library.search("堤坝", "crossref", 5))
        assert short in source.text
        assert library.passages(source.sha256)


@pytest.mark.loopback
@pytest.mark.parametrize(
    "short", ["Too short.", "This is part of a special issue on dikes, and on why they fail."]
)
async def test_a_page_that_is_closed_and_of_which_nothing_is_known_stays_unread(website, tmp_path, short):
    closed, library = await opened(website, tmp_path, short)
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


@pytest.mark.loopback
async def test_a_retraction_is_marked_at_each_sentence_that_rests_on_it(website, tmp_path):
    closed, library = await opened(website, tmp_path)
    async with library:
        source = await library.read(closed, await library.search("dikes", "crossref", 5))
        [passage] = library.passages(source.sha256)[:1]
    kept = replace(source, work=WORK)
    sound = replace(source, sha256="0" * 64, work=replace(WORK, retracted=False, corrected=True))
    third = replace(source, sha256="1" * 64, work=replace(WORK, retracted=False))
    evidence = Evidence(
        {
            f"p{n}": replace(passage, id=f"p{n}", sha256=each.sha256)
            for n, each in enumerate((kept, sound, third), 1)
        },
        {each.sha256: each for each in (kept, sound, third)},
    )
    words = passage.text.partition(" ")[2].split(".")[0]
    section = Section(
        heading="Why", level=1, node="n1",
        sentences=[
            Sentence(text="Seepage decides.", citations=["p2", "p1"], support="supported"),
            Sentence(text="Height does not.", citations=["p2"], support="partial"),
            Sentence(text="Four hundred dikes were measured.", citations=["p3"], support="supported"),
            Sentence(text=f"“{words}”", citations=["p1"], support="quoted", paragraph=True),
        ],
    )  # fmt: skip
    report = check_report(Report(title="Dikes", topic="Dikes", sections=[section]), evidence)
    assert [s.became for s in report.sections[0].sentences] == ["retracted", "corrected", "", "retracted"]
    assert report.summary.retracted == 2
    for form in ("md", "html", "tex"):
        text = export_report(form, report, evidence).data.decode()
        assert text.count("rests on a retracted source") == 2, form
        assert text.count("its source was corrected since") == 1, form
    zipped = export_report("docx", report, evidence).data
    document = docx.Document(io.BytesIO(zipped))
    told = "\n".join(paragraph.text for paragraph in document.paragraphs)
    assert told.count("rests on a retracted source") == 2
    pdf = pypdfium2.PdfDocument(export_report("pdf", report, evidence).data)
    told = " ".join(" ".join(page.get_textpage().get_text_range().split()) for page in pdf)
    assert told.count("rests on a retracted source") == 2
    sources = json.loads(sources_json(evidence))["sources"]
    assert [(each["became"], each["doi"]) for each in sources] == [
        ("retracted", "10.1234/dikes.7"), ("corrected", "10.1234/dikes.7"), ("", "10.1234/dikes.7"),
    ]  # fmt: skip
    notes = [item.get("note") for item in json.loads(export_report("csl", report, evidence).data)]
    assert notes == ["corrected", "retracted", None]


def test_crossref_says_what_became_of_a_work():
    notices = {"retraction": (True, False), "erratum": (False, True), "new_version": (False, False)}
    for kind, (retracted, corrected) in notices.items():
        notice = {"type": kind, "DOI": "10.1/n", "source": "retraction-watch", "label": kind.title()}
        item = CROSSREF["message"]["items"][0] | {"title": ["Why dikes break"], "updated-by": [notice]}
        [hit] = CROSSREF_INTERFACE.reads({"message": {"items": [item]}}, None)
        assert hit.work is not None
        assert (hit.work.retracted, hit.work.corrected) == (retracted, corrected)
    [url] = CROSSREF_INTERFACE.asks(Query("dikes", 5, "en", "https://x.example", SearchScope()))
    assert "updated-by" in url


@pytest.mark.loopback
async def test_what_one_catalogue_knows_of_a_retraction_is_not_forgotten_for_another(website, tmp_path):
    page = website.add("/page", f"<h1>Why dikes break</h1><p>{ABSTRACT}</p>" * 3)
    settings = LibrarySettings.model_validate(
        {"fetch": {"allow": [website.host], "pause": 0, "robots": False}}
    )
    known = Hit(page, "Why dikes break", work=WORK)
    unknown = replace(known, work=replace(WORK, retracted=False))
    async with await open_library(settings, [], ["arxiv"], offline=False, home=tmp_path) as library:
        for hits in ([unknown], [unknown, known], [unknown]):
            source = await library.read(page, hits)
        assert library.source(source.sha256).work == WORK


@pytest.mark.loopback
@pytest.mark.parametrize("contact", ["me@example.org", ""])
async def test_an_open_copy_stands_in_for_a_closed_page_where_one_may_ask(website, tmp_path, contact: str):
    closed = website.add("/closed", "no", 403)
    copy = website.add("/copy", f"<h1>Why dikes break</h1><p>{ABSTRACT}</p><p>The whole text.</p>")
    places = {
        "doi": "10.1234/dikes.7", "is_oa": True,
        "best_oa_location": {"url": f"{website.url}/gone", "url_for_pdf": None, "version": "v"},
        "oa_locations": [{"url": f"{website.url}/gone"}, {"url": copy, "url_for_pdf": None}],
    }  # fmt: skip
    website.add("/v2/10.1234/dikes.7", json.dumps(places), Content_Type="application/json")
    settings = LibrarySettings.model_validate(
        {
            "fetch": {"allow": [website.host], "pause": 0, "robots": False, "contact": contact},
            "search": {"addresses": {"unpaywall": website.url}},
        }
    )
    hit = Hit(closed, "Why dikes break", snippet=plain(ABSTRACT), work=WORK)
    async with await open_library(settings, [], ["crossref"], offline=False, home=tmp_path) as library:
        source = await library.read(closed, [hit])
        asked = [path for path in website.paths if path.startswith("/v2/")]
        if not contact:
            assert source.title == "Why dikes break (abstract)"
            assert not asked
            return
        assert asked == ["/v2/10.1234/dikes.7?email=me%40example.org"]
        assert (source.url, library.source(source.sha256).became) == (copy, "retracted")
        assert "The whole text" in source.text
        website.add("/v2/10.1234/other", "<p>busy</p>", 503)
        bare = Hit(closed, "Other", work=replace(WORK, doi="10.1234/other"))
        told = r"403.*; no open copy was found: unpaywall failed: HTTP 503[^@]+$"
        with pytest.raises(FetchError, match=told):
            await library.read(closed, [bare])
