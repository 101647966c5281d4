"""Pages of wikis whose highest heading has the most signs."""

from pathlib import Path

import pytest

from library.readers import Reader
from library.readers.text_files.wiki_text import is_wiki_text, wiki_as_markdown

PAGE = """\
Content-Type: text/x-zim-wiki
Wiki-Format: zim 0.4

====== Tide gauge ======

Reads the //sea//, at http://a.example/b//c.

===== How do I set it up? =====
Run ''gauge --start'', see [[Care|its care]].

'''
== on ==
//x//
'''
==== Wiring ====
Red is plus.
"""


def test_headings_and_code_of_such_a_page_are_read(tmp_path: Path):
    path = tmp_path / "gauge.txt"
    path.write_text(PAGE, encoding="utf-8")
    with Reader() as reader:
        source = reader.read_file(path)
    assert source.title == "Tide gauge"
    assert source.text == (
        "# Tide gauge\n\nReads the sea, at http://a.example/b//c.\n\n## How do I set it up?\n"
        "Run `gauge --start`, see its care.\n\n```\n== on ==\n//x//\n```\n### Wiring\nRed is plus."
    )


@pytest.mark.parametrize(
    "text", ["== Part ==\n\n====== Deep ======\n", "======\nTide gauge\n======\n", "a ====== b ======", ""]
)
def test_other_texts_are_no_such_pages(text: str):
    assert not is_wiki_text(text)


def test_of_a_chapter_that_is_called_as_a_field_nothing_is_lost():
    text = "Care: of the gauge.\n\n====== Tide gauge ======\nx"
    assert wiki_as_markdown(text) == "Care: of the gauge.\n\n# Tide gauge\nx"
