"""References from Zotero and from exports: abstracts, notes and files are read, known for what they are."""

import errno
import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from library import Evidence, LibraryError, ReadError, Store
from library.evidence import Work
from library.references import read_references, send_to_zotero, zotero_references
from library.references.reference import CollectedReference, attached_in, lay_out
from reports import Report, Section, Sentence, export_report
from roundtable.session.document_collections import remove_collection, update_collection
from tests.library.conftest import Answer, Asked, Website
from tests.library.readers.pdf.test_pdf_reader import pdf

RIS = """TY  - JOUR
TI  - Why dikes break
AU  - Merrow, Ana
AU  - Lind, Bo
T2  - Journal of Dikes
DA  - 2021/05/07/
PY  - 2021
DO  - 10.1234/dikes.7
UR  - https://dikes.example/7
AB  - Seepage, not height, decides.
It was measured at four hundred dikes.
KW  - dikes
KW  - seepage
N1  - <p>Ask Ana about the <b>sand</b>.</p><p>Second thought.</p>
L1  - files/12/Merrow - Why dikes break.md
L1  - ../secret.md
L1  - /etc/hostname
ER  -

TY  - BOOK
T1  - A book of which only the title is known
PY  - 1990///
ER  -
"""
ITEMS: list[dict[str, Any]] = [
    {
        "key": "ABCD1234", "version": 5, "library": {"type": "user", "id": 1},
        "meta": {"creatorSummary": "Merrow and Lind", "parsedDate": "2021-05-07", "numChildren": 3},
        "data": {
            "key": "ABCD1234", "itemType": "journalArticle", "title": "Why dikes break",
            "creators": [
                {"creatorType": "author", "firstName": "Ana", "lastName": "Merrow"},
                {"creatorType": "author", "name": "Dike Society"},
                {"creatorType": "editor", "firstName": "No", "lastName": "Body"},
            ],
            "abstractNote": "Seepage, not height, decides.", "publicationTitle": "Journal of Dikes",
            "DOI": "10.1234/dikes.7", "url": "https://dikes.example/7", "date": "May 7, 2021",
            "tags": [{"tag": "dikes"}], "collections": ["COLL0001"],
        },
    },
    {
        "key": "NOTE0001", "data": {"key": "NOTE0001", "itemType": "note", "parentItem": "ABCD1234",
                                    "note": "<p>Ask Ana about the sand.</p>"},
    },
    {
        "key": "FILE0001",
        "links": {"enclosure": {"type": "text/markdown", "href": "file://HERE/Merrow%20paper.md"}},
        "data": {"key": "FILE0001", "itemType": "attachment", "parentItem": "ABCD1234",
                 "linkMode": "imported_file", "contentType": "text/markdown"},
    },
    {
        "key": "LINK0001", "data": {"key": "LINK0001", "itemType": "attachment", "parentItem": "ABCD1234",
                                    "linkMode": "linked_url", "url": "https://dikes.example/7"},
    },
]  # fmt: skip
PAPER = "# Microsoft Word - final2.doc\n\nDikes of sand break after three days of high water."


@pytest.fixture
def exported(tmp_path: Path) -> Path:
    folder = tmp_path / "export"
    (folder / "files" / "12").mkdir(parents=True)
    (folder / "files" / "12" / "Merrow - Why dikes break.md").write_text(PAPER)
    (tmp_path / "secret.md").write_text("A secret of the house.")
    file = folder / "library.ris"
    file.write_text(RIS, encoding="utf-8")
    return file


def texts(home: Path, name: str) -> dict[str, Any]:
    with Store(home / "library.sqlite") as store:
        held = store.collection(name)
        assert held is not None
        return {Path(path).name: store.source(file.sha256) for path, file in store.files(held).items()}


def test_an_export_is_a_collection_with_its_abstracts_notes_and_files(tmp_path: Path, exported: Path):
    report = update_collection(tmp_path, "dikes", [exported])
    [bare] = report.warnings
    assert report.added == 1
    assert "1 of 2 references hold no abstract, no note and no file that is here" in bare.reason
    assert bare.reason.endswith("reference-2")
    found = texts(tmp_path, "dikes")
    # The item and its file are one source.
    [(name, source)] = found.items()
    assert name == "Merrow - Why dikes break.md"
    assert (source.title, source.published) == ("Why dikes break", "2021-05-07")
    assert source.work.authors == ("Ana Merrow", "Bo Lind")
    assert (source.work.doi, source.work.venue) == ("10.1234/dikes.7", "Journal of Dikes")
    assert source.private
    assert source.url == "https://doi.org/10.1234/dikes.7"
    known = (
        "Seepage, not height, decides.\nIt was measured at four hundred dikes.\n\n"
        "Ask Ana about the sand.\n\nSecond thought.\n\nTags: dikes, seepage"
    )
    assert source.text == f"{known}\n\n{PAPER}"
    with Store(tmp_path / "library.sqlite") as store:
        held = store.collection("dikes")
        assert held is not None
        [hit] = [each for each in store.passages(source.sha256) if "three days" in each.text]
        assert (hit.url, hit.title) == (source.url, source.title)
    assert update_collection(tmp_path, "dikes", [exported]).unchanged == 1
    exported.write_text(RIS.replace("AB  - ", "XX  - ").replace("N1  - ", "XX  - "))
    assert update_collection(tmp_path, "dikes", [exported]).changed == 1
    assert texts(tmp_path, "dikes")[name].text == PAPER
    exported.write_text(RIS.replace("L1  - ", "XX  - "))
    assert update_collection(tmp_path, "dikes", [exported]).removed == 1
    [only] = texts(tmp_path, "dikes").values()
    assert only.text == known
    remove_collection(tmp_path, "dikes")
    assert not list((tmp_path / "references").iterdir())


def test_ids_in_any_writing_and_of_several_files_are_told_apart(tmp_path: Path):
    files = [tmp_path / f"{name}.ris" for name in ("one", "two")]
    for file in files:
        file.write_text(
            "".join(
                f"TY  - JOUR\nID  - {key}\nTI  - On {key}\nAB  - What {key} says in {file.stem}.\nER  -\n\n"
                for key in ("王芳", "李强", "a.b", "a-b")
            )
        )
    update_collection(tmp_path, "dikes", files)
    assert len({source.text for source in texts(tmp_path, "dikes").values()}) == 8


def test_csl_is_read_too_and_what_is_none_is_told(tmp_path: Path):
    file = tmp_path / "library.json"
    item = {
        "id": "merrow2021", "type": "article-journal", "title": "Why dikes break", "abstract": "Seepage.",
        "author": [{"family": "Merrow", "given": "Ana"}, {"literal": "Dike Society"}],
        "issued": {"date-parts": [["2021", 5]]}, "DOI": "https://doi.org/10.1234/dikes.7",
    }  # fmt: skip
    file.write_text(json.dumps([item]))
    [reference] = read_references(file).references
    assert reference.work.authors == ("Ana Merrow", "Dike Society")
    assert (reference.work.issued, reference.work.doi) == ("2021-05", "10.1234/dikes.7")
    for wrong in ("{}", "[]", "no json", "[" * 100_000, '[{"title": 7}]'):
        file.write_text(wrong)
        with pytest.raises(ReadError, match=r"library\.json: it (is no JSON|holds no references)"):
            read_references(file)
    bare = tmp_path / "bare.ris"
    bare.write_text("TY  - BOOK\nTI  - Only a title\nER  - \n")
    with pytest.raises(ReadError, match="1 of 1 references hold no abstract"):
        update_collection(tmp_path, "bare", [bare])


def test_half_a_letter_in_an_export_is_dropped(tmp_path: Path):
    file = tmp_path / "works.json"
    author = '"author": [{"literal": "A\\udc00 B"}]'
    file.write_text(f'[{{"title": "Floods\\ud83d", {author}, "abstract": "\\udfffRain"}}]')
    [reference] = read_references(file).references
    assert (reference.work.title, reference.work.authors, reference.abstract) == ("Floods", ("A B",), "Rain")


@pytest.fixture
def zotero(website: Website, tmp_path: Path) -> Website:
    """What Zotero answers on loopback, in its shape; the second page of items is empty."""
    (tmp_path / "Merrow paper.md").write_text(PAPER)
    collections = [{"key": "COLL0001", "data": {"key": "COLL0001", "name": "Dikes & floods"}}]

    def answers(values: list[Any]) -> Any:
        def page(asked: Asked) -> Answer:
            assert asked.headers["zotero-api-version"] == "3"
            text = json.dumps(values if "start=0" in asked.path else []).replace("HERE", str(tmp_path))
            return Answer(text.encode(), 200, {"Content-Type": "application/json"})

        return page

    website.pages["/api/users/0/collections"] = answers(collections)
    website.pages["/api/users/0/collections/COLL0001/items"] = answers(ITEMS[:1])
    website.pages["/api/users/0/items/ABCD1234/children"] = answers(ITEMS[1:])
    website.pages["/api/users/0/items"] = answers(ITEMS)
    return website


@pytest.mark.loopback
@pytest.mark.parametrize("named", ["Dikes & floods", "COLL0001", "*"])
def test_a_collection_of_zotero_is_read(zotero: Website, tmp_path: Path, named: str):
    [reference] = zotero_references(named, zotero.url)
    assert reference.work.authors == ("Ana Merrow", "Dike Society")
    assert (reference.work.kind, reference.work.issued) == ("article-journal", "2021-05-07")
    assert reference.notes == ("<p>Ask Ana about the sand.</p>",)
    assert reference.files == (tmp_path / "Merrow paper.md",)
    report = update_collection(tmp_path / "home", "dikes", references=[reference])
    assert report.added == 1
    home = tmp_path / "home"
    [paper] = texts(home, "dikes").values()
    assert (paper.title, paper.url) == ("Why dikes break", "https://doi.org/10.1234/dikes.7")
    assert "Ask Ana about the sand." in paper.text
    assert "after three days" in paper.text
    # Zotero is not asked again by an update, and what it said holds.
    assert update_collection(home, "dikes").unchanged == 1
    (tmp_path / "Merrow paper.md").write_text(f"{PAPER} And of clay later.")
    assert update_collection(home, "dikes").changed == 1
    [paper] = texts(home, "dikes").values()
    assert (paper.title, paper.work.doi) == ("Why dikes break", "10.1234/dikes.7")
    assert "of clay later" in paper.text


def test_pages_of_a_file_stay_its_own_and_one_that_cannot_be_read_leaves_the_abstract(tmp_path: Path):
    first = ["Seepage, not height, de-", "cides. It was measured at four hundred dikes of sand and clay."]
    second = ["On the second page the dikes of sand break after three days of high water."]
    (tmp_path / "paper.pdf").write_bytes(pdf([first, second]))
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.4 and no more")
    works = [
        CollectedReference(
            key=name, work=Work(("Ana Merrow",), "", "", "book", title=f"On {name}"),
            url=f"https://dikes.example/{name}",
            abstract="Seepage, not height, decides.", notes=("Ask Ana.",),
            files=(tmp_path / f"{name}.html", tmp_path / f"{name}.pdf"),
        )
        for name in ("paper", "broken")
    ]  # fmt: skip
    report = update_collection(tmp_path / "home", "dikes", references=works)
    [told] = report.warnings
    assert told.reason.endswith("its abstract and notes are read instead")
    found = texts(tmp_path / "home", "dikes")
    paper, broken = found["paper.pdf"], found["broken.pdf"]
    assert (paper.url, paper.title) == ("https://dikes.example/paper", "On paper")
    assert paper.text.startswith("Ask Ana.\n\nSeepage")  # the abstract stands on the first page already
    pages = [paper.page(paper.text.index(word)) for word in ("Ask Ana", "Seepage", "second page")]
    assert pages == [None, 1, 2]
    assert broken.text == "Seepage, not height, decides.\n\nAsk Ana."
    assert (broken.url, broken.work.title) == ("https://dikes.example/broken", "On broken")
    assert update_collection(tmp_path / "home", "dikes").changed == 1  # tried again each time


@pytest.mark.loopback
def test_what_zotero_does_not_do_is_one_line(zotero: Website):
    with pytest.raises(LibraryError, match="Zotero has no collection 'Bridges'; there are: Dikes & floods"):
        zotero_references("Bridges", zotero.url)
    zotero.add("/api/users/0/collections", "Local API is not enabled", 403)
    with pytest.raises(LibraryError, match="does not let other programs ask: allow it in its settings"):
        zotero_references("Dikes", zotero.url)
    for answer in ('{"no": "list"}', "<html>", "[" * 100_000):
        zotero.add("/api/users/0/items", answer)
        with pytest.raises(LibraryError, match="something else than items"):
            zotero_references("*", zotero.url)
    zotero.add("/api/users/0/items", '{"no": "list"}')
    with pytest.raises(LibraryError, match="something else than items"):
        zotero_references("*", zotero.url)
    with pytest.raises(LibraryError, match="does not answer at http://127.0.0.1:9: start it, or export"):
        zotero_references("*", "http://127.0.0.1:9")
    with pytest.raises(LibraryError, match="on this machine alone"):
        zotero_references("*", "http://zotero.example")


@pytest.mark.loopback
def test_a_report_s_sources_go_back_and_are_read_again(tmp_path: Path, exported: Path, website: Website):
    (exported.parent / "files" / "12" / "Supplement.md").write_text("# Data\n\nSand: 40 of 63 dikes.")
    paper = "L1  - files/12/Merrow - Why dikes break.md\n"
    exported.write_text(RIS.replace(paper, f"{paper}L1  - files/12/Supplement.md\n"), encoding="utf-8")
    update_collection(tmp_path, "dikes", [exported])
    with Store(tmp_path / "library.sqlite") as store:
        held = store.collection("dikes")
        assert held is not None
        shas = [file.sha256 for file in store.files(held).values()]
        passages = [store.passages(sha)[0] for sha in shas]
        evidence = Evidence(
            {f"p{n}": passage for n, passage in enumerate(passages, 1)},
            {sha: store.source(sha) for sha in shas},  # type: ignore[misc]
        )
    said = [Sentence(text="Sand.", citations=[f"p{n}"], support="supported") for n in (1, 2)]
    section = Section(heading="Why", level=1, node="n1", sentences=said)
    report = Report(title="Dikes", topic="Dikes", sections=[section])
    made = export_report("ris", report, evidence, stem="report")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "report.ris").write_bytes(made.data)
    for name, data in made.beside.items():
        (tmp_path / "out" / name).write_bytes(data)
    again = read_references(tmp_path / "out" / "report.ris")
    [one] = again.references
    assert (one.key, one.work.title) == ("merrow2021", "Why dikes break")
    held_texts = {source.text for source in evidence.sources.values()}
    assert len(one.files) == 2
    assert {file.read_text() for file in one.files} == held_texts
    website.add("/connector/import", json.dumps([{"key": "A"}, {"key": "B"}]), 201)
    assert send_to_zotero(export_report("ris", report, evidence).data, website.url) == 2
    asked = website.asked[-1]
    assert asked.headers["content-type"] == "application/x-research-info-systems"
    assert b"DO  - 10.1234/dikes.7" in asked.body
    assert b"L1  - " not in asked.body
    website.add("/connector/import", "[]", 201)
    with pytest.raises(LibraryError, match="took no references"):
        send_to_zotero(b"TY  - JOUR", website.url)


def test_a_folder_that_cannot_be_written_is_told_in_one_line_and_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    work = Work(title="Why dikes break")
    file = tmp_path / "dikes.md"
    file.write_text("Seepage decides.")
    attached = CollectedReference("k1", work, abstract="Seepage.", files=(file,))
    lay_out([attached, CollectedReference("k2", work, abstract="Sand.")], tmp_path / "kept")
    before = {path.name: path.read_bytes() for path in (tmp_path / "kept").iterdir()}

    def half(path: Path, data: bytes) -> int:
        with path.open("wb") as written:
            written.write(data[: len(data) // 2])
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", half)
    monkeypatch.setattr(Path, "write_text", lambda path, text, **_: half(path, text.encode()))
    for notes in ("Sand and water.", "Sand."):
        with pytest.raises(ReadError, match="^cannot write to .*: No space left on device$"):
            lay_out([attached, CollectedReference("k2", work, abstract=notes)], tmp_path / "kept")
        assert {path.name: path.read_bytes() for path in (tmp_path / "kept").iterdir()} == before


def test_what_cannot_be_read_is_not_called_damaged(tmp_path: Path) -> None:
    kept = tmp_path / ".attached.json"
    kept.mkdir()
    with pytest.raises(ReadError, match="attached.json cannot be read: Is a directory"):
        attached_in(tmp_path)
    kept.rmdir()
    kept.write_text("[" * 100_000)
    with pytest.raises(ReadError, match="is damaged: remove it"):
        attached_in(tmp_path)


@pytest.mark.loopback
@pytest.mark.parametrize("odd", [None, 1, "x", [None], ["x"], {"a": [1]}])
@pytest.mark.parametrize(
    "path",
    ["data", "key", "meta", "links", "data.creators", "data.tags", "data.title", "meta.parsedDate",
     "links.enclosure", "data.parentItem", "meta.numChildren", "data.itemType"],
)  # fmt: skip
def test_an_item_of_zotero_with_odd_values_is_read_or_refused(zotero: Website, path: str, odd: object):
    items = json.loads(json.dumps(ITEMS))
    for item in items:
        *before, last = path.split(".")
        inside = item
        for name in before:
            inside = inside.setdefault(name, {})
        inside[last] = odd
    zotero.add("/api/users/0/items", json.dumps(items))
    with suppress(LibraryError):
        found = zotero_references("*", zotero.url)
        assert all(isinstance(name, str) for one in found for name in one.work.authors)


@pytest.mark.loopback
def test_the_names_of_zotero_s_collections_may_be_odd_too(zotero: Website):
    odd = [{"key": 7, "data": {}}, {"key": "K", "data": {"name": 1}}]
    zotero.add("/api/users/0/collections", json.dumps(odd))
    with pytest.raises(LibraryError, match="Zotero has no collection 'Dikes'"):
        zotero_references("Dikes", zotero.url)
