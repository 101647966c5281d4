"""BibTeX as Zotero, JabRef and people write it, as a collection; also in a folder of papers."""

from pathlib import Path

import pytest
from pylatexenc import latex2text, latexwalker

from library import ReadError, Store
from library.library_opening import open_documents
from library.readers import Reader
from library.references import read_references
from library.references.bibtex_file import read_bibtex
from library.references.reference_fields import iso_date
from tests.library.references.test_references import texts

ZOTERO = r"""
@article{merrowWhyDikesBreak2021,
  title = {Why Dikes Break: {{A}} Study of {S\o}rense \& {{NOAA}}},
  author = {Merrow, Ana and {Dike Society} and Lind, Bo J{\"o}rg and others},
  date = {2021-05-07},
  journaltitle = {Journal of Dikes},
  volume = {7},
  doi = {10.1234/dikes.7},
  url = {https://journal.example/dikes_7?a=1%202},
  abstract = {Seepage, not height, decides in 40% of $n=400$ dikes.},
  keywords = {dikes,seepage},
  annotation = {Ask Ana about the sand.},
  file = {Full Text PDF:files/12/Merrow - Why dikes break.md:text/markdown;Secret:../secret.md:text/plain}
}
"""
BY_HAND = r"""
@STRING{jod = "Journal of " # "Dikes"}
% a line that says nothing
@Article{lind90, Author="Bo Lind", TITLE="The {H}igh {W}ater of {\'E}vora", journal=jod, year=1990, month=feb,
  note="Only seen in print."}
@misc{pre, title={A preprint}, author={Doe, Jane}, eprint={2101.00001}, archiveprefix={arXiv}, year={2021},
  abstract={It was written down before anybody had looked at it.}}
@book{bare, title={Only a title}, author={A. Nobody}}
@article{broken, title={This one never ends,
@article{after, title={After it}, abstract={It is read all the same.}}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    there = tmp_path / "papers"
    (there / "files" / "12").mkdir(parents=True)
    paper = there / "files" / "12" / "Merrow - Why dikes break.md"
    paper.write_text("Dikes of sand break after three days.")
    (tmp_path / "secret.md").write_text("A secret of the house.")
    (there / "zotero.bib").write_text(ZOTERO)
    return there


def test_what_zotero_exports_is_read_whole(folder: Path):
    found = read_references(folder / "zotero.bib")
    assert found.broken == []
    [one] = found.references
    assert one.work.title == "Why Dikes Break: A Study of Sørense & NOAA"
    assert one.work.authors == ("Ana Merrow", "Dike Society", "Bo Jörg Lind")
    assert (one.work.issued, one.work.doi) == ("2021-05-07", "10.1234/dikes.7")
    assert one.work.venue == "Journal of Dikes"
    assert one.work.kind == "article-journal"
    assert one.url == "https://journal.example/dikes_7?a=1%202"
    assert one.abstract == "Seepage, not height, decides in 40% of n=400 dikes."
    assert (one.tags, one.notes) == (("dikes", "seepage"), ("Ask Ana about the sand.",))
    assert [file.name for file in one.files] == ["Merrow - Why dikes break.md"]


def test_what_people_write_is_read_and_what_is_broken_is_told(tmp_path: Path):
    file = tmp_path / "own.bib"
    file.write_text(BY_HAND)
    found = read_references(file)
    by_key = {one.key: one for one in found.references}
    assert set(by_key) == {"lind90", "pre", "bare", "after"}
    lind = by_key["lind90"].work
    assert (lind.title, lind.venue, lind.issued) == ("The High Water of Évora", "Journal of Dikes", "1990-02")
    assert by_key["pre"].url == "https://arxiv.org/abs/2101.00001"
    [line] = found.broken
    assert line.startswith("the entry at line 9 is broken")
    assert "\n" not in line


def test_a_list_of_papers_is_searched_where_it_is_named_and_where_it_lies_in_a_folder(folder: Path):
    (folder / "own.bib").write_text(BY_HAND)
    (folder / "notes.md").write_text("# Notes\n\nDikes are walked each spring.")
    for given in (folder, folder / "zotero.bib"):
        home = folder.parent / given.name
        home.mkdir(exist_ok=True)
        with Store(home / "library.sqlite") as store, Reader() as reader:
            place, unread = open_documents(store, reader, str(given))
            [hit, *_] = place.find("What decides whether a dike breaks, seepage or height?", 5)
            assert hit.url == "https://doi.org/10.1234/dikes.7"
            assert store.source(hit.passage.sha256).work.venue == "Journal of Dikes"  # type: ignore[union-attr]
            again, _ = open_documents(store, reader, str(given))
            assert again.held.generation == place.held.generation
        told = [line.reason for line in unread]
        assert any("1 of 4 references hold no abstract" in line for line in told) == (given == folder)
        assert any("own.bib: the entry at line 9 is broken" in line for line in told) == (given == folder)
        assert "A secret of the house." not in "".join(s.text for s in texts(home, place.held.name).values())


@pytest.mark.parametrize(
    "text", ["", "no BibTeX at all", "@article{", "{" * 5000, "@article{a, title={" + "{" * 3000]
)
def test_what_holds_no_reference_is_one_line(tmp_path: Path, text: str):
    file = tmp_path / "x.bib"
    file.write_text(text)
    said = r"x\.bib: (it holds no references|the entry at line 1 is broken)"
    with pytest.raises(ReadError, match=said) as told:
        read_references(file)
    assert "\n" not in str(told.value)


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("2020-05/2020-07", "2020-05"), ("2020-05/2021", "2020-05"), ("2020-05-20/2020-05-21", "2020-05-20"),
        ("1990/1991", "1990"), ("1999-13", "1999"), ("2021/05/07/", "2021-05-07"), ("c2021", "2021"),
        ("2021-05-07T10:00:00", "2021-05-07"), ("12 May 2021", ""),
    ],
)  # fmt: skip
def test_a_date_is_read_as_far_as_it_is_one(written: str, read: str):
    assert iso_date(written) == read


ODD = r"""
@article{art, title = {What is "art"}, abstract = {"Why?" asks Smith}, journal = "Journal " # {of "Art"}}
@article{wide, title = {Wide}, file = {FILE.pdf}, abstract = {It is read.}, year = 2020, month = 99999}
@article{long, title = {Long}, abstract = {It is read, too.}, year = 2020, month = MONTH}
"""


def test_an_odd_entry_costs_nothing_but_what_is_odd(tmp_path: Path):
    (tmp_path / "docs").mkdir()
    file = tmp_path / "docs" / "own.bib"
    file.write_text(ODD.replace("FILE", "图" * 120).replace("MONTH", "1" * 5000))
    (tmp_path / "docs" / "note.md").write_text("Dikes of sand break after three days.")
    found = read_references(file)
    by_key = {one.key: one for one in found.references}
    assert (by_key["art"].work.title, by_key["art"].abstract) == ('What is "art"', '"Why?" asks Smith')
    assert by_key["art"].work.venue == 'Journal of "Art"'
    assert [by_key[key].work.issued for key in ("wide", "long")] == ["2020", "2020"]
    assert found.broken == []
    with Store(tmp_path / "library.sqlite") as store, Reader() as reader:
        place, unread = open_documents(store, reader, str(tmp_path / "docs"))
        assert len(store.files(place.held)) == 4
        assert unread == []


@pytest.mark.parametrize(
    "unit", ["\\'{", "\\frac{", "\\sqrt[", "\\cite[", "\\newcommand{", "\\begin{a}", "\\(", "$"]
)
def test_tex_that_is_nested_without_end_stands_as_it_is_written(tmp_path: Path, unit: str):
    title = unit * 40 + "Dikes" + "}" * (40 * unit.count("{"))
    file = tmp_path / "refs.bib"
    file.write_text(f'@book{{b, title = "{title}", year = 1999}}\n@book{{c, title = {{Two {{\\\'e}}t}}}}\n')
    found = {one.key: one.work.title for one in read_bibtex(file.read_text(), tmp_path, [])}
    assert "Dikes" in found["b"]
    assert found["c"] == "Two ét"


def test_tex_whose_end_is_missing_costs_its_entry_nothing(tmp_path: Path):
    text = "@book{b, title = {Dikes \\sqrt}, note = {\\item[a}, year = 1999}"
    (found,) = read_bibtex(text, tmp_path, [])
    assert found.work.title == "Dikes \\sqrt"


def test_the_commands_of_tex_are_made_once_for_all_values(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    made = []
    for module in (latex2text, latexwalker):
        make = module.get_default_latex_context_db
        monkeypatch.setattr(
            module, "get_default_latex_context_db", lambda make=make: made.append(make) or make()
        )
    names = " and ".join(f"Sm\\'{{i}}th, J{n}" for n in range(200))
    [one] = read_bibtex(f"@article{{a, author={{{names}}}}}", tmp_path, [])
    assert len(one.work.authors) == 200
    assert one.work.authors[7] == "J7 Smíth"
    assert len(made) <= 2


def test_of_files_without_end_some_are_looked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    looked = []
    monkeypatch.setattr("library.references.bibtex_file.attached_file", lambda *given: looked.append(given))
    [one] = read_bibtex(f"@article{{a, title={{T}}, file={{{'a:' * 20_000}}}}}", tmp_path, [])
    assert one.files == ()
    assert len(looked) <= 300
