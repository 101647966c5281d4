"""Tables in PDF files that Typst has set, read by the real worker processes; what is no table stays text."""

import pytest
import typst

from library.passages.chunking import cut
from library.readers.reader import Reader


@pytest.fixture(scope="module")
def reader():
    with Reader() as reader:
        yield reader


@pytest.fixture
def read(reader, tmp_path):
    def read_typst(source: str):
        (tmp_path / "page.typ").write_text(source)
        return reader.read_bytes(typst.compile(tmp_path / "page.typ"), "file:///page.pdf", "application/pdf")

    return read_typst


ROWS = """
  [Region], [2021], [2022], [2023],
  [North], [1,204], [], [1,377],
  [South], [], [988], [1,002],
  [East], [77.5%], [n/a], [],
"""
LINES = [
    "Region: North | 2021: 1,204 | 2023: 1,377",
    "Region: South | 2022: 988 | 2023: 1,002",
    "Region: East | 2021: 77.5% | 2022: n/a",
]
BEFORE = "The harbour reported its revenue by region for the last three years, in thousands of crowns."
AFTER = "What was earned in the east is told as a share, for nobody counted it in crowns that year."


@pytest.mark.parametrize(
    "drawn",
    [
        f"#table(columns: 4, {ROWS})",
        f"#table(columns: 4, stroke: none, {ROWS})",
        f"#table(columns: 4, stroke: none, align: right, {ROWS})",
        f"#table(columns: (3cm, 1fr, 1fr, 1fr), stroke: none, align: center, table.hline(), {ROWS})".replace(
            "[2023],\n", "[2023], table.hline(),\n"
        ),
        f"#set text(9pt)\n#table(columns: 4, stroke: none, inset: 3pt, {ROWS})",
        f"#table(columns: 4, fill: (_, y) => if calc.odd(y) {{ luma(230) }}, stroke: none, {ROWS})",
    ],
)
def test_an_empty_cell_moves_no_figure(read, drawn: str):
    source = read(f"{BEFORE}\n\n{drawn}\n\n{AFTER}")
    assert source.text.split("\n\n") == [BEFORE, "\n".join(LINES), AFTER]


def test_a_passage_of_a_long_table_names_its_columns(read):
    rows = "".join(f"[Bridge {n}], [{1900 + n}], [{n * 3}.5]," for n in range(60))
    source = read(f"#table(columns: 3, table.header([Name], [Built], [Length in m]), {rows})")
    passages = cut(source)
    assert len(passages) > 2
    assert all("| Built: 19" in passage.text for passage in passages)
    assert sum(passage.text.count("Length in m: ") for passage in passages) >= 60


def test_wrapped_cells_are_one_cell_and_heads_may_take_two_lines(read):
    source = read("""
#set page(width: 12cm)
#table(columns: (2.5cm, 1fr, 2cm), align: (left, left, right),
  [*Option*], [*What it does*], [*Default\\ value*],
  [cache], [Keeps pages on disk one hour, then asks again], [60],
  [robots], [Keeps to what a site asks of programs], [],
  [pause], [Seconds between two pages of one host], [0.5],
)""")
    assert source.text.split("\n") == [
        "Option: cache | What it does: Keeps pages on disk one hour, then asks again | Default value: 60",
        "Option: robots | What it does: Keeps to what a site asks of programs",
        "Option: pause | What it does: Seconds between two pages of one host | Default value: 0.5",
    ]


PROSE = (
    "Rivers carry sand and gravel down from the hills, and they lay it down again where the valley grows "
    "wide. A long flood can move more of it than a hundred quiet years, and nobody has counted how much. "
) * 12


@pytest.mark.parametrize(
    "page",
    [
        f"#set page(columns: 2)\n{PROSE}",
        f"#set page(columns: 3)\n#set par(justify: true)\n{PROSE}",
        "#set par(justify: true)\n" + PROSE,
        "\n".join(f"+ Turn the {n} screw to the left" for n in ("first", "second", "third", "fourth")),
        "\n".join(f"- Bring {n}" for n in ("water", "bread", "a lamp", "rope")),
        "#outline()\n" + "\n".join(f"= Chapter {n}\n{PROSE[:200]}" for n in range(5)),
        "$ x^2 + y^2 = z^2 $\n$ a/b = c/d $\n$ sum_(i=1)^n i = (n(n+1))/2 $\n",
    ],
)
def test_what_is_no_table_is_read_as_text(read, page: str):
    assert " | " not in read(page).text


def test_a_table_in_one_of_two_columns_is_read_beside_the_text(read):
    source = read(f"#set page(columns: 2)\n{PROSE[:600]}\n#table(columns: 4, stroke: none, {ROWS})\n{PROSE}")
    assert "\n".join(LINES) in source.text
    assert "they lay it down again where the valley grows wide. A long flood" in source.text


def test_a_table_across_two_columns_is_one(read):
    floating = f'#place(top, scope: "parent", float: true, table(columns: (1fr,) * 4, {ROWS}))'
    source = read(f"#set page(columns: 2)\n{floating}\n{PROSE}")
    assert "\n".join(LINES) in source.text
    assert "they lay it down again where the valley grows wide. A long flood" in source.text


def test_a_heading_is_no_part_of_the_paragraph_below_it(read):
    source = read(f"= The rivers of the north\n{PROSE[:180]}\n\n*Ends of the valley*\n\n{PROSE[:180]}")
    blocks = source.text.split("\n\n")
    assert blocks[0] == "## The rivers of the north"
    assert blocks[1].startswith("Rivers carry sand")
    assert "Ends of the valley" in blocks


def test_lines_in_letters_of_one_width_are_code(read):
    typed = 'set terminal png\nset output "sand.png"'
    source = read(f"Press the key and type:\n\n```\n{typed}\n```\n\n{PROSE[:180]} See `set output` there.")
    assert f"Press the key and type:\n\n```\n{typed}\n```\n\nRivers carry sand" in source.text
    assert "See set output there." in source.text


def test_a_page_that_is_all_in_letters_of_one_width_is_no_code(read):
    source = read(f'#set text(font: "DejaVu Sans Mono")\n{PROSE}')
    assert "```" not in source.text


def test_a_merged_cell_stands_in_each_of_its_rows(read):
    source = read(f"""{BEFORE}

#table(columns: 3, table.header([Region], [City], [Sales]),
  table.cell(rowspan: 2)[North], [Aville], [10], [Bville], [20],
  table.cell(rowspan: 3)[South coast], [Cville], [30], [Dville], [], [Eville], [50],
  [East], [#underline[Fville]], [60])

{AFTER}""")
    lines = [
        "Region: North | City: Aville | Sales: 10", "Region: North | City: Bville | Sales: 20",
        "Region: South coast | City: Cville | Sales: 30", "Region: South coast | City: Dville",
        "Region: South coast | City: Eville | Sales: 50", "Region: East | City: Fville | Sales: 60",
    ]  # fmt: skip
    assert source.text.split("\n\n") == [BEFORE, "\n".join(lines), AFTER]


def test_a_cell_that_runs_across_columns_stands_in_each(read):
    source = read("""#table(columns: (2cm, 2.5cm, 2.5cm), align: center,
  [Region], table.cell(colspan: 2)[Sales in thousands], [], [2021], [2022],
  [North], [10], [20], [South], [30], [40])""")
    assert source.text.split("\n") == [
        "Region: North | Sales in thousands 2021: 10 | Sales in thousands 2022: 20",
        "Region: South | Sales in thousands 2021: 30 | Sales in thousands 2022: 40",
    ]


def test_lines_around_text_in_two_columns_make_no_table_of_it(read):
    source = read(f"""#set page(width: 18cm)
#table(columns: (1fr, 1fr), [= The north
{PROSE[:600]}], [= The south
{PROSE[200:800]}], [{PROSE[:200]}], [{PROSE[200:400]}])""")
    assert " | " not in source.text
    assert "## The north" in source.text.split("\n\n")
    assert "they lay it down again where the valley grows wide. A long flood" in source.text
