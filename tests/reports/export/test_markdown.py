"""`report.md`: what it says, where its links lead, and that strangers' words do nothing in it."""

import re
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from library.evidence import Evidence
from reports.document import Back, Cell, Front, Report, Section, Sentence, Table
from reports.export.markdown import escape, report_markdown
from reports.visible_text import plain

ROWS = [[Cell(text="1871"), Cell(text="44 m", citations=["p1"])]]
REPORT = Report(
    title="The Orrin lighthouse",
    topic="lighthouses",
    front=Front(note="Read with care."),
    sections=[
        Section(
            heading="History", level=1, node="n2", opening="It begins with wrecks.",
            sentences=[
                Sentence(text="“The worst wreck drowned 112 emigrants.”", citations=["p2"], support="quoted"),
                Sentence(text="It was built in 1871.", citations=["p4", "p1"]),
                Sentence(text="It was loved.", citations=["p5"], support="unsupported", paragraph=True),
            ],
            tables=[Table(title="Heights", columns=["Year", "Height"], rows=ROWS)],
        ),
        Section(
            heading="Light", level=2, node=None, sentences=[Sentence(text="It is an LED.", citations=["p7"])]
        ),
    ],
    back=Back(open_questions=["Who pays?"], made=["By hand."]),
)  # fmt: skip


def tokens(text: str) -> list[Any]:
    markdown = MarkdownIt("gfm-like", {"linkify": False, "html": True})
    found = markdown.parse(text)
    return [*found, *(child for token in found for child in token.children or [])]


def test_a_report_reads_well(evidence: Evidence) -> None:
    assert report_markdown(REPORT, evidence) == (
        "# The Orrin lighthouse\n\n"
        "*Read with care.*\n\n"
        "## History\n\n"
        "It begins with wrecks.\n\n"
        "“The worst wreck drowned 112 emigrants.” [\\[1.2\\]](#source-1) "
        "It was built in 1871. [\\[2.2\\]](#source-2)[\\[1.1\\]](#source-1)\n\n"
        "It was loved. [\\[3.1\\]](#source-3) *(not supported by the passages cited)*\n\n"
        "**Heights**\n\n| Year | Height |\n| --- | --- |\n| 1871 | 44 m [\\[1.1\\]](#source-1) |\n\n"
        "### Light\n\nIt is an LED. [\\[4.1\\]](#source-4)\n\n"
        "## What the sources do not say\n\n- Who pays?\n\n"
        "## How this was made\n\n- By hand.\n\n"
        "## Sources\n\n" + "\n".join(ENTRIES) + "\n"
    )


ENTRIES = [
    (
        '- \\[1\\] <a id="source-1"></a>**A history of the Orrin lighthouse** — A. Writer, 2019-05-04. '
        "<https://harbour.example/history>, read 2026-01-02. Passages: "
        "[1.1](https://harbour.example/history#:~:text=The%20Orrin%20lighthouse%20was%20built,"
        "high%20and%20cost%2062%2C000%20pounds.), "
        "[1.2](https://harbour.example/history#:~:text=Before%20the%20lighthouse%2C%20the%20reef,"
        "within%20sight%20of%20the%20shore.)"
    ),
    (
        '- \\[2\\] <a id="source-2"></a>**Building on a reef** — A. Writer, 2021. '
        "<https://engineers.example/orrin>, read 2026-01-02. Passages: "
        "[2.2](https://engineers.example/orrin#:~:text=The%20Orrin%20lighthouse%20was%20built,"
        "diary%20of%20all%202%2C300%20blocks.)"
    ),
    (
        '- \\[3\\] <a id="source-3"></a>**Birds and the light** — A. Writer. '
        "<https://birds.example/migration>, read 2026-01-02. Passages: "
        "[3.1](https://birds.example/migration#:~:text=On%20foggy%20autumn%20nights%20the,"
        "the%20lantern%20in%20October%201911.)"
    ),
    (
        '- \\[4\\] <a id="source-4"></a>**The last keepers** — A. Writer, 2003-11-30. '
        "<https://coast.example/automation>, read 2026-01-02. Passages: "
        "[4.1](https://coast.example/automation#:~:text=The%20last%20keepers%20left%20the,"
        "of%2026%20nautical%20miles%20range.)"
    ),
]


def test_every_citation_leads_to_an_entry(evidence: Evidence) -> None:
    text = report_markdown(REPORT, evidence)
    links = {t.attrs["href"] for t in tokens(text) if t.type == "link_open"}
    anchors = set(re.findall(r'<a id="([^"]+)"></a>', text))
    inside = {link[1:] for link in links if link.startswith("#")}
    assert inside == anchors == {"source-1", "source-2", "source-3", "source-4"}


@given(st.text("ab*_`[]()<>#+-.!|~\\&;:/@1 \n=$^{}\"'", max_size=40))
def test_any_text_is_escaped(text: str) -> None:
    found = tokens(f"x {escape(text)} y")
    assert {t.type for t in found} <= {"paragraph_open", "paragraph_close", "inline", "text", "text_special"}
    shown = "".join(t.content for t in found if t.type in ("text", "text_special"))
    assert plain(shown) == plain(f"x {text} y")
    alone = tokens(escape(text))
    assert {t.type for t in alone} <= {"paragraph_open", "paragraph_close", "inline", "text", "text_special"}
