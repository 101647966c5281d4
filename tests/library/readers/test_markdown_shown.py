"""Markdown is read as a page shows it: links as words, nothing of pictures and tags; code as it is."""

from pathlib import Path
from time import perf_counter

import pytest

from library.readers import Reader
from library.readers.text_files.markdown_html import without_tags
from library.readers.text_files.markdown_links import without_links


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ('Read by [the gauge](https://g.example/a_(b) "Of 1912") each hour.', "Read by the gauge each hour."),
        ("The [roof](../House/roof.md) and its [gutter](#gutter) leak.", "The roof and its gutter leak."),
        ("Ask the [harbour\noffice](<of fice.md>).", "Ask the harbour\noffice."),
        ("[`tide`](https://tide.example) and `[tide](a.md)` and ``[b](c.d)``",
         "`tide` and `[tide](a.md)` and ``[b](c.d)``"),
        ("```\n[a](b.c)\n```\n[a](b.c)", "```\n[a](b.c)\n```\na"),
        ("a[i](x.y), [1](2) and \\[c](d.e) stay.", "a[i](x.y), [1](2) and \\[c](d.e) stay."),
        ("The [office][Of  Tides], [Kestrel][] and [osprey].\n\n[of tides]: https://o.example 'O'\n[Kestrel]: <k.example>\n[Osprey]:\n  ./o.md\n",  # noqa: E501
         "The office, Kestrel and osprey.\n\n"),
        ("See [1] and [it][1].\n\n[1]: https://o.example/1\n", "See [1] and it.\n\n"),
        ("[x] done, [y][z] open\n\n[x]: remember\n[^1]: https://a.example",
         "[x] done, [y][z] open\n\n[x]: remember\n[^1]: https://a.example"),
        ("# Tides [![Build](https://c.example/b.svg)](https://c.example) ![v](v.svg)\n\nText.",
         "# Tides\n\nText."),
        ("[![Docs][badge]][docs] [![CI][badge]][docs]\n\nText.\n\n[badge]: b.svg\n[docs]: https://d.example\n",
         "\nText.\n\n"),
        ("- ![a](a.png)\n- [words](b.md) ![c](c.png)\n", "- words\n"),
        ("Ask <mailto:a@b.example> or <https://b.example/c>.", "Ask mailto:a@b.example or https://b.example/c."),
        ("Not a link: [so](", "Not a link: [so]("),
    ],
)  # fmt: skip
def test_links_are_words_and_pictures_nothing(written: str, shown: str):
    assert without_links(written) == shown


def test_what_cites_keeps_the_addresses_of_its_links():
    cites = "As [Li](https://li.example/a) says, [so][1].\n\n[1]: https://b.example"
    assert without_links(cites, of_web=False) == cites
    assert without_links("[We](notes.md) say ![p](p.png) so.", of_web=False) == "We say so."


def test_a_list_of_links_to_its_own_parts_is_no_text():
    entries = "".join(f"{'  ' * (n % 2)}- [Part {n}](#part-{n})\n" for n in range(4))
    assert without_links(f"# A\n\n## Contents\n\n{entries}\n## Part 0\n") == "# A\n\n\n## Part 0\n"
    assert without_links(f"# A\n\n{entries}Text.\n") == "# A\n\nText.\n"
    languages = "".join(f"• [Read {code}](https://a.example/{code})\n" for code in ("de", "fr", "zh"))
    badge = "[![CI](c.svg)](https://c.example)"
    assert without_links(f"# A\n\n{badge}\n\n{languages}\nText.\n") == "# A\n\n\n\nText.\n"
    assert "Read de" in without_links(f"# A\n\nText.\n\n{languages}")
    assert without_links("- [Part 1](#a)\n- [Part 2](#b)\n") == "- Part 1\n- Part 2\n"


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ('<p align="center">\n  <img src="a.png"\n  width="9">\n</p>\n', "\n\n  \n\n\n"),
        ('Before <h2 id="a">Tides</h2>after', "Before\n\n## Tides\n\nafter"),
        ("Tides &mdash; R&D &amp; more &#x200b;&nope;", "Tides — R&D & more &nope;"),
        ("H<sub>2</sub>O, <kbd>Ctrl</kbd>+<kbd>C</kbd>, <b>bold</b>", "H2O, Ctrl+C, bold"),
        ("<ul><li>One</li><li>Two</li></ul>", "\n\n- One\n\n- Two\n\n"),
        ("Write:\n\n    <p>One</p>\n\n    <b>two</b>\n\n<b>three</b>",
         "Write:\n\n    <p>One</p>\n\n    <b>two</b>\n\nthree"),
        ("1. Write\n\n      ```html\n      <p>A</p>\n      ```",
         "1. Write\n\n      ```html\n      <p>A</p>\n      ```"),
        ("`<b>` stays, and 1 < 2, a <string>, List<int> too\n\n```\n<p>\n```",
         "`<b>` stays, and 1 < 2, a <string>, List<int> too\n\n```\n<p>\n```"),
    ],
)  # fmt: skip
def test_tags_are_not_text(written: str, shown: str):
    assert without_tags(written) == shown


def test_a_readme_is_called_and_read_as_it_is_seen(tmp_path: Path):
    readme = tmp_path / "README.md"
    readme.write_text(
        "<h1 align=center>Kestrel <img src=l.svg></h1>\n\n[![CI](https://c.example/b)](/c)\n\n"
        "* [Reading](#reading)\n\n## Reading\n\n"
        "The tide is read by [the gauge](https://g.example) each hour.\n"
    )
    with Reader() as reader:
        source = reader.read_file(readme)
        cited = reader.read_manuscript(readme)
    assert source.title == "Kestrel"
    assert "The tide is read by the gauge each hour." in source.text
    assert not set(source.text) & set("<>[]()")
    assert "[the gauge](https://g.example)" in cited.text


@pytest.mark.parametrize(
    ("written", "title"),
    [
        ("Keeps tides.\n\n## Sponsors\n\nThe town.", "tides"),
        ("## Of `tides`\n\nThey come.", "Of tides"),
        ("By the town.\n\n# Of tides\n\nThey come.", "Of tides"),
        ("```\n# not this\n```\n\nThey come.\n", "tides"),
    ],
)
def test_its_title_is_its_main_heading_what_it_begins_with_or_its_name(
    tmp_path: Path, written: str, title: str
):
    (tmp_path / "tides.md").write_text(written)
    with Reader() as reader:
        assert reader.read_file(tmp_path / "tides.md").title == title


def test_emphasis_is_written_one_way(tmp_path: Path):
    (tmp_path / "a.md").write_text("A _rich_ text, snake_case_name, /a/_b_/c, `_x_` and __so__.")
    with Reader() as reader:
        read = reader.read_file(tmp_path / "a.md").text
    assert read == "A *rich* text, snake_case_name, /a/_b_/c, `_x_` and **so**."


@pytest.mark.parametrize(
    "piece",
    ["[", "![", "[a](", "[a](b", "[a](b(", "[a](<", "[a]: ", "[a]:\n", "[a][", "<", "<p", "<p ", "</h1 ",
     "`", "```\n", "\n\n    ", "<https:", " ", "\t", "![](a)", "| ", "[a\n", '[a](b "', "<li\n"],
)  # fmt: skip
def test_the_time_grows_with_the_length_alone(piece: str):
    began = perf_counter()
    without_tags(without_links(f"[a](b) ]: <p>{piece * 60_000}"))
    assert perf_counter() - began < 6
