"""AsciiDoc is read with its headings, listings, lists and links."""

from pathlib import Path

import pytest

from library.readers import Reader
from library.readers.text_files.asciidoc import asciidoc_as_markdown

MANUAL = """\
= Tide gauge: {part}
:part: Care
:toc: macro

[[care]]
== How do I take it off the wall in winter, when harbours freeze, and where is it kept?

Loosen both screws.

----
gauge stop

gauge park
----

== Setting up
It wants a wall.

.The wiring
[source,sh]
----
== on
----

////
== Nobody reads this
////
"""


def test_headings_and_listings_are_read_as_such(tmp_path: Path):
    path = tmp_path / "gauge.adoc"
    path.write_text(MANUAL, encoding="utf-8")
    with Reader() as reader:
        source = reader.read_file(path)
    assert source.title == "Tide gauge: Care"
    assert [line for line in source.text.split("\n") if line.startswith("#")] == [
        "# Tide gauge: Care",
        "## How do I take it off the wall in winter, when harbours freeze, and where is it kept?",
        "## Setting up",
    ]
    assert "Loosen both screws.\n\n```\ngauge stop\n\ngauge park\n```" in source.text
    assert "The wiring\n\n```\n== on\n```" in source.text
    assert "## Setting up\n\nIt wants a wall." in source.text
    assert not [word for word in ("Nobody", "toc", "[[") if word in source.text]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("* a\n** b\n- c", "- a\n  - b\n- c"),
        (". a\n.. b\n.. c\n. d\n+\n----\nx\n----", "1. a\n  1. b\n  2. c\n2. d\n\n```\nx\n```"),
        ("See <<care,how to>>, <<care>> and xref:b.adoc#c[the wall].", "See how to, care and the wall."),
        ("At link:http://a.example/[its page^] or https://a.example/b[].",
         "At its page or https://a.example/b."),
        ("Press kbd:[Ctrl+T] in menu:File[Save > As].", "Press Ctrl+T in File > Save > As."),
        ("`-q`, `--quiet`::\nSays nothing.\nAt all.", "`-q`, `--quiet`\n    Says nothing.\n    At all."),
        ("host:: Where it is.", "host\n    Where it is."),
        ("NAME\n----\ngauge - reads\n\nUSE\n~~~\nx", "## NAME\n\ngauge - reads\n\n### USE\n\nx"),
        ("C{plus}{plus} and {unknown}, `a[i]`", "C++ and {unknown}, `a[i]`"),
        ("----\nnever closed", "```\nnever closed\n```"),
        ("std::vector is a::b", "std::vector is a::b"),
    ],
)  # fmt: skip
def test_marks_are_read_as_what_they_mean(written: str, read: str):
    assert asciidoc_as_markdown(written).strip() == read
