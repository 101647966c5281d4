"""What an audit reads in a text: its references, its claims, and which of them each cites."""

import hashlib
from collections.abc import Callable
from pathlib import Path
from time import process_time

import pytest

from library import ReadError, Source, Work
from library.readers import Reader
from reports.audit.manuscript import Manuscript, manuscript
from reports.audit.reference_entry import ReferenceEntry, differences, holds_title, years_of


def read(text: str) -> Manuscript:
    return manuscript(Source(hashlib.sha256(text.encode()).hexdigest(), "file:///m.md", "M", text))


NUMBERED = """# On tides

Tides are caused by the Moon.[1] They were **first explained** by Newton in 1687 [2, 3]. The largest tides of
all are in the Bay of Fundy [1–3]. Is this really so, one may ask? A missing one is cited right here [9].

## References

[1] Merrow, J., Poe, K. (2021). Tides and the Moon: a history. Journal of Seas, 12(3), 44–51.
    https://doi.org/10.1234/ABC.2021.5.
[2] I. Newton, "Philosophiae naturalis principia," 1687.
[3] Hale A, Orr B. Sea levels rising. Nature. 2019;12:33-40. doi:10.1000/182
"""


def test_numbers_lead_to_the_entries_of_the_list():
    text = read(NUMBERED)
    assert [(one.key, one.doi) for one in text.references] == [
        ("1", "10.1234/abc.2021.5"), ("2", ""), ("3", "10.1000/182"),
    ]  # fmt: skip
    assert [(claim.text, claim.references) for claim in text.claims] == [
        ("Tides are caused by the Moon.", ("1",)),
        ("They were first explained by Newton in 1687.", ("2", "3")),
        ("The largest tides of all are in the Bay of Fundy.", ("1", "2", "3")),
        ("A missing one is cited right here.", ()),
    ]
    assert text.dangling == ("[9]",)
    assert all(text.source.text[claim.start :].startswith(claim.text[:5]) for claim in text.claims)


def test_authors_and_years_lead_to_the_entries_of_the_list():
    text = read(
        "The sea rises every year (Merrow & Poe, 2021; see Hale et al. 2019a, p. 4). Orr (2020) measured it"
        " in nine harbours. Others deny that it does (Unlisted, 2017).\n\n"
        "Bibliography\n\n"
        "Hale, A., Kim, B., & Roe, C. (2019a). Harbours of the north. Sea Press.\n\n"
        "Merrow, J., & Poe, K. (2021). Tides and the Moon. Journal of Seas, 12(3), 44–51.\n\n"
        "Orr, D. (2020). Nine harbours. Sea Press. https://example.org/orr. Accessed 3 May 2024.\n"
    )
    keys = {one.text.split(",")[0]: one.key for one in text.references}
    assert [claim.references for claim in text.claims] == [
        (keys["Merrow"], keys["Hale"]), (keys["Orr"],), (),
    ]  # fmt: skip
    assert text.dangling == ("(Unlisted 2017)",)


def test_links_and_footnotes_are_references():
    text = read(
        "It rises twice a day, as [the agency](https://example.org/tides) says in its report. The"
        " old tables were wrong by an hour.[^a]\n\n[^a]: Poe, K.: Old tables. Sea Press, 1990.\n"
    )
    assert {one.key: one.is_link for one in text.references} == {
        "a": False,
        "https://example.org/tides": True,
    }
    assert [claim.references for claim in text.claims] == [("https://example.org/tides",), ("a",)]
    assert text.claims[0].text == "It rises twice a day, as the agency says in its report."


def test_a_chinese_text_is_read():
    text = read(
        "# 潮汐\n\n潮汐主要由月球的引力引起[1]。海水因此每天有规律地涨落两次[2]。\n\n"
        "## 参考文献\n\n[1] 王海. 潮汐研究. 海洋学报, 2019.\n[2] 李明. 海平面. 科学, 2020.\n"
    )
    assert [(claim.text, claim.references) for claim in text.claims] == [
        ("潮汐主要由月球的引力引起。", ("1",)), ("海水因此每天有规律地涨落两次。", ("2",)),
    ]  # fmt: skip
    assert not text.dangling


@pytest.mark.parametrize(
    ("entry", "years"),
    [
        ("Merrow, J. (2021). Tides in 1953 and after. https://a.org/2018/x. Retrieved 4 May 2024.", {2021}),
        ("Orr D. Nine harbours. Sea. 2019;12(3):1990-5.", {2019}),
        ("Sea Office: Tides in 1953 and after. https://a.org/tides", set()),
        ("Kim, B.: Harbours. 2020. Abgerufen am 3. Mai 2023.", {2020}),
        ("Poe K, Deep learning of seas, arXiv:2001.01234, 2020.", {2020}),
    ],
)
def test_years_of_addresses_titles_and_visits_are_none_of_publication(entry: str, years: set[int]):
    assert years_of(entry, "Tides in 1953 and after") == years


def test_a_title_is_known_in_any_style_and_another_is_not():
    entry = "Merrow J, Poe K. Tides and the Möon: a history. J Seas. 2021;12(3):44-51."
    assert holds_title(entry, "Tides and the Moon")
    assert holds_title(entry, "Tides and the moon: A History")
    assert not holds_title(entry, "Tides and the Sun: a theory of everything")
    assert not holds_title(entry, "History of the Moon")


def test_what_an_entry_says_otherwise_is_told():
    entry = "Hale, A. (2017). Tides and the Moon. Journal of Seas."
    work = Work(authors=("Jane Merrow", "Karl Poe"))
    told = differences(entry, work, "Tides and the Moon", [2020, 2021])
    assert told == [
        ("year", "it was published in 2020 and 2021, not 2017"), ("authors", "it is by Merrow, Poe"),
    ]  # fmt: skip
    assert (
        differences("Merrow, J. (2021). Tides and the Moon.", work, "Tides and the Moon", [2020, 2021]) == []
    )


def test_entries_of_a_pdf_without_blank_lines_begin_at_names():
    text = read(
        "A claim of some length stands here (Orr, 2020).\n\nREFERENCES\nMerrow, J. and Poe, K. (2021). "
        "Tides and\nthe Moon. Journal of Seas, 12(3), 44–51.\nOrr, D. (2020). Nine harbours of the\n"
        "north. Sea Press.\n"
    )
    assert [one.text[:10] for one in text.references] == ["Merrow, J.", "Orr, D. (2"]
    assert text.claims[0].references == ("2",)


def test_a_reference_knows_its_title_address_and_number():
    one = ReferenceEntry(
        "1", "A. Orr, “Nine harbours,” Sea, 2020. https://a.org/x_(y). arXiv: 2001.01234", 0, 10
    )
    assert (one.title, one.url, one.arxiv) == ("Nine harbours", "https://a.org/x_(y)", "2001.01234")


@pytest.mark.parametrize(
    ("entry", "title"),
    [
        ("Yamada, J., Merrow, A. (2022). Wheel 5.0 notes. Letters, 12(3), 101–118.", "Wheel 5.0 notes"),
        ("Johansson A, Whitfield G, Yamada C. Notes on wheels. Annals. 2005;12(3):1-8.", "Notes on wheels"),
        ("Merrow A, Holt BC. What do wheels mean? Annals. 2005;12(3):1-8.", "What do wheels mean"),
    ],
)
def test_a_title_is_read_with_its_version_and_behind_any_authors(entry: str, title: str):
    assert ReferenceEntry("1", entry, 0, len(entry)).title == title


def test_a_title_of_two_words_is_known_where_it_is_all_of_a_part():
    one = ReferenceEntry("1", "Mill Office. Storage wheels. Guide of the Mill, 7.1.", 0, 48)
    assert one.has_part("Storage wheels")
    assert not one.has_part("Storage"), "one word stands in any entry"
    assert not ReferenceEntry("1", "Lie, M. (2019). Storage wheels of forty mills.", 0, 46).has_part(
        "Storage wheels"
    )


def test_links_and_notes_of_documents_are_kept(tmp_path: Path):
    page = tmp_path / "page.html"
    page.write_text(
        "<html><body><nav><a href='/x'>Home</a></nav><p>It rises twice a day, as <a href='https://example.org/tides'>"
        "the <b>agency</b></a> says in its report.<sup><a href='#r1'>[1]</a></sup></p>"
        "<h2>References</h2><ol><li>Poe, K. (1990). Old tables. <a href='https://example.org/poe'>link</a></li></ol>"
    )
    with Reader() as reader:
        text = manuscript(reader.read_manuscript(page))
    assert [one.key for one in text.references] == ["1", "https://example.org/tides"]
    assert text.references[0].url == "https://example.org/poe"
    assert text.claims[-1].references == ("https://example.org/tides", "1")


def test_numbers_of_a_page_that_are_links_are_no_words_of_its_sentences(tmp_path: Path):
    page = tmp_path / "page.html"
    link = "<a href='https://example.org/{0}'>[{1}]</a>".format
    page.write_text(
        f"<html><body><h1>Tides</h1><p>The water rises by 940 millimetres {link('a', 1)}. A ticket for the "
        f"tower costs 18 euros since March {link('b', 2)}. It was built by volunteers in "
        f"Norden {link('a', 1)}.</p></body></html>",
        encoding="utf-8",
    )
    with Reader() as reader:
        text = manuscript(reader.read_manuscript(page))
    assert [(claim.text, claim.references) for claim in text.claims] == [
        ("The water rises by 940 millimetres.", ("https://example.org/a",)),
        ("A ticket for the tower costs 18 euros since March.", ("https://example.org/b",)),
        ("It was built by volunteers in Norden.", ("https://example.org/a",)),
    ]


def test_a_word_document_keeps_links_and_footnotes(tmp_path: Path):
    docx = pytest.importorskip("docx")
    document = docx.Document()
    document.add_heading("Tides", 1)
    paragraph = document.add_paragraph("It rises twice a day, as ")
    relation = document.part.relate_to(
        "https://example.org/tides", docx.opc.constants.RELATIONSHIP_TYPE.HYPERLINK, is_external=True
    )
    link = docx.oxml.shared.OxmlElement("w:hyperlink")
    link.set(docx.oxml.shared.qn("r:id"), relation)
    link.append(docx.text.run.Run(docx.oxml.shared.OxmlElement("w:r"), paragraph)._r)
    link[0].text = "the agency"
    paragraph._p.append(link)
    paragraph.add_run(" says in its report.")
    document.save(tmp_path / "m.docx")
    with Reader() as reader:
        text = manuscript(reader.read_manuscript(tmp_path / "m.docx"))
    assert text.claims[0].text == "It rises twice a day, as the agency says in its report."
    assert text.claims[0].references == ("https://example.org/tides",)


def test_markdown_of_programs_reads_as_it_is_shown():
    text = read(
        "Tides are caused by the \\$Moon\\$ alone. [\\[1\\]](#source-1)[\\[2\\]](#source-2)\n\n## Sources\n\n"
        '1. <a id="source-1"></a>**Tides \\| example.org**. <https://example.org/tides>, read 2026-01-01.\n'
        '2. <a id="source-2"></a>**Moons \\| example.org**. <https://example.org/moons>, read 2026-01-01.\n'
    )
    assert [one.url for one in text.references] == ["https://example.org/tides", "https://example.org/moons"]
    assert [(claim.text, claim.references) for claim in text.claims] == [
        ("Tides are caused by the $Moon$ alone.", ("1", "2")),
    ]  # fmt: skip


def test_numbers_of_a_text_that_lists_nothing_lead_nowhere_and_are_told():
    text = read(
        "The sea rises every year [3]. It fell a hundred years ago [1, 7]. Nobody knows why it did so [2]."
    )
    assert text.dangling == ("[3]", "[1]", "[7]", "[2]")
    assert text.claims[0].text == "The sea rises every year."
    assert not read("The array a[1] holds the sum of the first two numbers.").dangling


def test_a_quotation_rests_on_what_stands_below_it():
    text = read(
        "> Nine ferries crossed the river before the railway came.\n>\n> — Ferries on the river Alder and"
        " others [1]\n\n## Sources\n\n- [1] Ferries on the river. <https://example.org/ferry>, 2020.\n"
    )
    assert [(one.key, one.text[:7]) for one in text.references] == [("1", "Ferries")]
    assert [(claim.text, claim.beside) for claim in text.claims] == [
        ("Nine ferries crossed the river before the railway came.", ("1",)),
    ]  # fmt: skip


def test_a_list_of_a_pdf_is_found_though_its_heading_ran_on_and_its_addresses_broke():
    text = read(
        "Nine ferries crossed the river before the railway came [1]. All was quarried here. Sources\n\n1."
        " Ferries on the river — Elena Gupta, 2023. https://river. example.org/ferry, read 2026-11-22\n"
    )
    assert [(one.key, one.url) for one in text.references] == [("1", "https://river.example.org/ferry")]
    assert text.claims[0].references == ("1",)


def test_a_list_of_bare_titles_under_its_heading_is_one():
    text = read(
        "# Crossing\n\nA single crossing costs six crowns [1]. The bridge was opened in 1932 [2].\n\n"
        "## References\n\n1. The Skarn ferry.\n2. The Skarn bridge.\n"
    )
    assert [(one.key, one.text) for one in text.references] == [
        ("1", "The Skarn ferry."), ("2", "The Skarn bridge."),
    ]  # fmt: skip
    assert [claim.references for claim in text.claims] == [("1",), ("2",)]


def test_prose_under_a_heading_of_references_is_no_list():
    text = read("# Crossing\n\nA crossing costs six crowns [1].\n\n## Sources\n\nWe asked around in Skarn.\n")
    assert not text.references


def test_the_list_that_the_text_cites_is_read_by_its_labels():
    text = read(
        "The sea rises every single year [1]. It fell a hundred years ago [2].\n\n## References\n\n"
        "[1] Merrow, J. (2021). Tides.\n[2] Hale, A. (2019). Levels.\n\n## Further reading\n\n"
        "- Orr, D. (2020). Harbours.\n- Poe, K. (1990). Old tables.\n"
    )
    assert [(one.key, one.text[:6]) for one in text.references] == [
        ("1", "Merrow"), ("2", "Hale, "), ("Orr 2020", "Orr, D"), ("Poe 1990", "Poe, K"),
    ]  # fmt: skip
    assert [claim.references for claim in text.claims] == [("1",), ("2",)]


@pytest.mark.parametrize(
    "text",
    [
        "## Note\n\nThe bridge of Skarn was finished by the town in 1874.\n\nIt cost nine hundred crowns.\n",
        (
            "The bridge was built for nine years.\n\nSources\n\nWe asked the people of Skarn in 1999.\n\n"
            "They did not know who had built the bridge.\n\nNobody in the town could say more.\n"
        ),
    ],
)
def test_prose_under_what_may_head_a_list_is_prose(text: str):
    assert not read(text).references
    assert len(read(text).claims) >= 2


def test_brackets_of_prose_are_no_citations_that_lead_nowhere():
    listed = "\n\n## References\n\nMerrow, J., & Poe, K. (2021). Tides and the Moon. Journal of Seas.\n"
    text = read(
        "The reform (March 2019) came late to the coast. It was signed (Berlin, 1999) by both."
        f" It became law (Public Law 2010) soon. The tide rises twice a day (Merrow & Poe 2021).{listed}"
    )
    assert text.dangling == ()
    assert text.doubtful == ("(Berlin 1999)", "(Public Law 2010)")
    assert text.claims[3].references == ("1",)
    assert read("The tide rises (Merrow & Poe, 2021; Hale & Orr, 2018)." + listed).dangling == (
        "(Hale & Orr 2018)",
    )


def test_a_link_leads_to_the_entry_of_its_whole_address():
    text = read(
        "The tide rises [twice a day](http://example.org/p/1/). It falls twice a day, too, says"
        " https://example.org in its report.\n\n## References\n\n[1] Ten. 2019. https://example.org/p/10\n"
        "[2] One. 2020. https://www.example.org/p/1#top\n"
    )
    assert [claim.references for claim in text.claims] == [("2",), ("https://example.org",)]


def test_a_sentence_that_begins_like_a_question_is_a_claim():
    text = read("When the moon is full, the tide is higher than before. When is the tide the highest of all?")
    assert [claim.text[:13] for claim in text.claims] == ["When the moon"]


def test_a_reference_in_prose_is_no_claim():
    text = read(
        "The sea rises every single year. See Smith, J. (2019). Backups that have never existed anywhere."
        " Journal of Imaginary Storage, 12(3), 45-67. https://doi.org/10.1234/nothing.2019.\n"
    )
    assert [claim.text for claim in text.claims] == ["The sea rises every single year."]


@pytest.mark.parametrize(
    "text",
    [
        lambda n: f"# a{' ' * n}b",
        lambda n: f"## Sources\n\n{' ' * n}\n\n[1] Orr. 2019.",
        lambda n: f"A claim of five words here [1].\n\n## References\n\n[1] {'http://a.b/' * n}",
        lambda n: "http://a.b/ " * n,
        lambda n: "*a " * n,
        lambda n: "Sources\n" * n,
        lambda n: "## References\n\n" + "A line.\n" * n + "2019",
        lambda n: "The sea rises every year (Orr, 2019) [1].\n\n" * n + "## References\n\n[1] Orr. 2019.\n",
        lambda n: "## A part\n\nThe sea rises every year.\n\n" * n,
        lambda n: "".join(f"The sea[^a{k}] rises every year.\n\n[^a{k}]: Poe, 1990.\n\n" for k in range(n)),
    ],
)
def test_a_text_that_is_made_to_be_slow_is_read_in_time_with_its_length(text: Callable[[int], str]):
    begun = process_time()
    read(text(3_000))  # 2,000 blanks took 40 s, during which the server answered nobody
    assert process_time() - begun < 8  # a busy machine is slow, a square is slower by far


def test_a_year_in_a_title_is_not_held_against_that_of_publication():
    title = "Sea Office: Annual report 2023"
    entry = f"{title}. https://example.org/annual"
    assert differences(entry, Work(), "", [2024], known_title=title) == []
    other = differences(f"{entry}, 2022", Work(), "", [2024], known_title=title)
    assert [kind for kind, _ in other] == ["year"]


def test_a_text_that_cannot_be_read_is_named_once(tmp_path: Path) -> None:
    (tmp_path / "m.pdf").write_bytes(b"%PDF-1.4 broken")
    with Reader() as reader, pytest.raises(ReadError) as failure:
        reader.read_manuscript(tmp_path / "m.pdf")
    assert str(failure.value).count("m.pdf") == 1
