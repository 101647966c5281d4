"""PDF files made here, read by the real worker processes."""

import zlib

import pytest

from library.errors import ReadError
from library.readers.pdf.pdf_outline import Bookmark, with_headings
from library.readers.pdf.pdf_reader import flow
from library.readers.read_settings import ReadSettings
from library.readers.reader import Reader


@pytest.fixture(scope="module")
def reader():
    with Reader() as reader:
        yield reader


def pdf(
    pages: list[list[str]],
    info: str = "",
    trailer: str = "",
    kids: int = 1,
    stream: bytes = b"",
    outline: tuple[tuple[str, int], ...] = (),
) -> bytes:
    """Write a PDF: lines for each page, what goes into /Info and the trailer; `kids` repeats the pages.

    Bookmarks of the `outline` have a title and the number of a page, from 0.
    """
    objects = [
        f"<< /Type /Catalog /Pages 2 0 R {'/Outlines 4 0 R' if outline else ''} >>",
        "",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    if outline:
        objects.append(f"<< /First 5 0 R /Last {4 + len(outline)} 0 R /Count {len(outline)} >>")
    for n, (title, page) in enumerate(outline, 5):
        following = f"/Next {n + 1} 0 R" if n < 4 + len(outline) else ""
        objects.append(f"<< /Title ({title}) /Parent 4 0 R {following} /Dest [{page} /Fit] >>")
    children = []
    for lines in pages:
        shown = "".join(
            f"({line.replace('(', chr(92) + '(').replace(')', chr(92) + ')')}) Tj T*\n" for line in lines
        )
        packed = stream or zlib.compress(f"BT /F1 11 Tf 14 TL 60 780 Td\n{shown}ET".encode("latin-1"))
        body = packed.decode("latin-1")
        objects.append(f"<< /Length {len(packed)} /Filter /FlateDecode >>\nstream\n{body}\nendstream")
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {len(objects)} 0 R "
            "/Resources << /Font << /F1 3 0 R >> >> >>"
        )
        children.append(f"{len(objects)} 0 R")
    children *= kids
    objects[1] = f"<< /Type /Pages /Count {len(children)} /Kids [{' '.join(children)}] >>"
    objects.append(f"<< {info} >>")
    out, offsets = b"%PDF-1.7\n", []
    for n, content in enumerate(objects, 1):
        offsets.append(len(out))
        out += f"{n} 0 obj\n{content}\nendobj\n".encode("latin-1")
    table = "".join(f"{offset:010d} 00000 n \n" for offset in offsets)
    start = len(out)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}".encode()
    out += f"trailer << /Size {len(objects) + 1} /Root 1 0 R /Info {len(objects)} 0 R {trailer} >>\n".encode()
    return out + f"startxref\n{start}\n%%EOF".encode()


ENCRYPTED = (
    f"/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <{'5a' * 32}> /U <{'a5' * 32}> >> "
    f"/ID [<{'01' * 16}> <{'01' * 16}>]"
)
FIRST = [
    "Rivers carry sand and gravel down from the hills, and they lay it",
    "down again where the valley grows wide. A long flood can move more",
    "of it than a hundred quiet years.",
    "Dams hold the gravel back. Below them the bed is washed out, and the",
    "water table sinks with it, so that wells run dry in sum-",
    "mer.",
]
SECOND = ["The second page tells how gravel is put back by lorry every spring."]


def test_text_pages_and_what_the_file_says_of_itself(reader, tmp_path):
    path = tmp_path / "rivers.pdf"
    info = "/Title (Rivers and gravel) /Author (A. Writer) /CreationDate (D:20240315120000Z)"
    path.write_bytes(pdf([FIRST, [], SECOND], info))
    source = reader.read_file(path, "2026-03-01T12:00:00+00:00")
    assert (source.title, source.author) == ("Rivers and gravel", "A. Writer")
    assert source.published is None, "a program made the file that day"
    assert source.url == path.as_uri()
    assert source.private
    assert "they lay it down again where the valley grows wide." in source.text
    assert "a hundred quiet years.\n\nDams hold" in source.text
    assert "wells run dry in summer." in source.text
    assert len(source.pages) == 3
    assert source.page(0) == 1
    assert source.page(source.text.index("second page")) == 3
    assert source.text[source.pages[2] :].startswith("The second page")


def test_the_numbers_of_pages_are_no_part_of_their_sentences(reader, tmp_path):
    path = tmp_path / "rivers.pdf"
    third = ["In the third year the wells were full again, and nobody wrote it down."]
    path.write_bytes(pdf([[*page, str(n)] for n, page in enumerate([FIRST, SECOND, third], 7)]))
    text = reader.read_file(path).text
    assert "in summer.\n\nThe second page tells how gravel is put back by lorry every spring.\n\nIn" in text
    path.write_bytes(pdf([[*SECOND, "1990"], [*third, "12"]]))
    assert "spring. 1990" in reader.read_file(path).text.replace("\n\n", " "), "these count nothing"


def test_what_the_outline_leads_to_is_a_heading(reader, tmp_path):
    told = "Rivers carry sand and gravel down from the hills and lay it down in the plain."
    data = pdf(
        [["Sand", told, told], ["Rivers of the hills 2 1.3 Gravel", told, told]],
        outline=(("Sand", 0), ("Gravel", 1), ("Not printed", 1)),
    )
    path = tmp_path / "rivers.pdf"
    path.write_bytes(data)
    text = reader.read_file(path).text
    assert [line for line in text.split("\n") if line.startswith("#")] == ["## Sand", "## 1.3 Gravel"]
    assert f"## Sand\n\n{told}" in text


@pytest.mark.parametrize(
    ("page", "title", "read"),
    [
        ("Sand\n\nIt is grey.\n\nSand\n\nMore.", "Sand", "Sand\n\nIt is grey.\n\n## Sand\n\nMore."),
        ("2.1 SAND\n\nIt is grey.", "Sand", "## 2.1 SAND\n\nIt is grey."),
        ("Sand It is grey.", "Sand", "## Sand\n\nIt is grey."),
        ("106 rivers 5.4 Sand It is grey.", "Sand", "106 rivers 5.4\n\n## Sand\n\nIt is grey."),
        ("Sand is grey.\n\nOf Sand It is.", "Sand", "Sand is grey.\n\nOf Sand It is."),
        ("It is grey.", "", "It is grey."),
    ],
)
def test_a_bookmark_marks_the_paragraph_that_says_its_title(page: str, title: str, read: str):
    assert with_headings([page, page], [Bookmark(title, 0, 0)]) == [read, page]


def test_a_file_without_a_title_is_called_by_its_name(reader, tmp_path):
    path = tmp_path / "annual report.pdf"
    path.write_bytes(pdf([SECOND]))
    assert reader.read_file(path).title == "annual report"


@pytest.mark.parametrize(
    ("lines", "title"),
    [
        ([(22, "Gravel below"), (22, "large dams"), (11, "It is told here of")], "Gravel below large dams"),
        ([(22, "Gravel"), (11, "It is told here of"), (22, "Dams")], "annual report"),
        ([(22, "2026"), (11, "It is told here of")], "annual report"),
    ],
)
def test_a_file_without_a_title_is_called_by_what_its_first_page_says_in_the_largest_letters(
    reader, tmp_path, lines, title
):
    rest = [(11, line) for line in FIRST]
    shown = "".join(f"/F1 {size} Tf ({line}) Tj 0 -30 Td\n" for size, line in [*lines, *rest])
    path = tmp_path / "annual report.pdf"
    path.write_bytes(pdf([["…"]], stream=zlib.compress(f"BT 60 780 Td\n{shown}ET".encode())))
    assert reader.read_file(path).title == title


@pytest.mark.parametrize("title", ["Microsoft Word - final2.doc", "untitled", "a.indd", "(anonymous)", ""])
def test_a_title_that_a_program_made_up_is_none(reader, tmp_path, title):
    path = tmp_path / "annual report.pdf"
    path.write_bytes(pdf([SECOND], f"/Title ({title})"))
    assert reader.read_file(path).title == "annual report"


def test_an_encrypted_file_says_so(reader, tmp_path):
    path = tmp_path / "locked.pdf"
    path.write_bytes(pdf([FIRST], trailer=ENCRYPTED))
    with pytest.raises(ReadError, match=r"locked\.pdf: it is encrypted; save a copy without a password"):
        reader.read_file(path)


def test_pages_without_text_say_so(reader):
    with pytest.raises(ReadError, match="holds no text .scanned"):
        reader.read_bytes(pdf([[], []]), "https://example.org/scan.pdf", "application/pdf")


def test_a_hundred_thousand_pages_are_refused_at_once(reader):
    with pytest.raises(ReadError, match="it has 100000 pages, more than 3000"):
        reader.read_bytes(pdf([SECOND], kids=100_000), "https://example.org/x.pdf", "application/pdf")


@pytest.mark.parametrize("data", [b"%PDF-", b"%PDF-1.7\n" + b"\x00\xff" * 500, b"%PDF-1.7\ntrailer << >>"])
def test_a_damaged_file_is_said_to_be_one(reader, data):
    with pytest.raises(ReadError, match="no readable PDF"):
        reader.read_bytes(data, "https://example.org/x.pdf", "application/pdf")


def test_a_file_without_its_table_of_objects_is_read_all_the_same(reader):
    data = pdf([FIRST]).replace(b"startxref\n", b"startxref\n9")
    assert reader.read_bytes(data, "https://example.org/x.pdf", "application/pdf").text.startswith("Rivers")


def test_what_is_a_pdf_is_read_as_one_whatever_it_is_called(reader):
    source = reader.read_bytes(pdf([FIRST]), "https://example.org/x", "text/html")
    assert source.text.startswith("Rivers carry")
    with pytest.raises(ReadError, match="it is no PDF"):
        reader.read_bytes(b"just words", "https://example.org/x", "application/pdf")


def test_a_bomb_of_a_file_costs_itself_alone():
    settings = ReadSettings(worker_megabytes=300, worker_seconds=10, workers=1)
    packer = zlib.compressobj(1)
    spaces = bytes(b" " * 1_000_000)
    packed = b"".join(packer.compress(spaces) for _ in range(250)) + packer.flush()
    bomb = pdf([["x"]], stream=packed)
    assert len(bomb) < 2_000_000
    with Reader(settings) as reader:
        with pytest.raises(ReadError, match=r"\(read\.worker_(megabytes|seconds)\)"):
            reader.read_bytes(bomb, "https://example.org/bomb.pdf", "application/pdf")
        assert reader.read_bytes(pdf([FIRST]), "https://example.org/x.pdf", "application/pdf").text


def test_a_small_file_that_holds_very_much_text_is_named_by_its_bound():
    much = pdf([["The river rose by a metre that year, said the council."] * 60], kids=400)
    assert len(much) < 100_000
    with Reader(ReadSettings(megabytes=1, workers=1, worker_seconds=300)) as reader:
        with pytest.raises(ReadError, match=r"more than 1 MB of text \(read\.megabytes\)"):
            reader.read_bytes(much, "https://example.org/much.pdf", "application/pdf")
        assert reader.read_bytes(pdf([FIRST]), "https://example.org/x.pdf", "application/pdf").text


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("one line\r\nand the next", "one line and the next"),
        ("我们在河边\r\n等待洪水", "我们在河边等待洪水"),
        ("a hyphen-\r\nated word", "a hyphenated word"),
        ("Anglo-\r\nSaxon", "Anglo- Saxon"),
        ("• first thing\r\n• second thing", "• first thing\n\n• second thing"),
        ("", ""),
    ],
)
def test_lines_become_paragraphs(page, text):
    assert flow(page) == text
