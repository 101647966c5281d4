"""Programs, chats and subtitles become text that can be read and quoted, through the real readers."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from library.errors import ReadError
from library.passages import cut, statements
from library.readers.reader import Reader
from library.readers.text_files.front_matter import LARGEST, front_matter
from library.text.sentences import sentences


@pytest.fixture(scope="module")
def reader() -> Iterator[Reader]:
    with Reader() as reader:
        yield reader


def read(reader: Reader, tmp_path: Path, name: str, text: str) -> str:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return reader.read_file(path).text


PROGRAM = '''\
"""Tides of a harbour."""
import math

@cached
def height(t, top=3.0):
    """Height of the water in metres.

    Measured from the sill.
    """
    # neap tides are lower by a third
    return top * math.sin(t)

LIMIT = 4

class Gauge:
    def read(self):
        return self.port.line()
'''


def test_what_a_docstring_says_stands_before_its_code(reader: Reader, tmp_path: Path) -> None:
    assert (
        read(reader, tmp_path, "tide.py", PROGRAM)
        == """\
Tides of a harbour.

```py
import math
```

## height

Height of the water in metres.

Measured from the sill.

```py
@cached
def height(t, top=3.0):
```

neap tides are lower by a third

```py
return top * math.sin(t)
```

## Module level

```py
LIMIT = 4
```

## Gauge

```py
class Gauge:
```

### Gauge.read

```py
def read(self):
    return self.port.line()
```"""
    )


@pytest.mark.parametrize(
    ("name", "code", "said", "shown"),
    [
        ("a.c", "/* Opens the valve.\n   Returns -1 when it sticks. */\nint valve(int n)\n{\n}\n",
         "Opens the valve.\nReturns -1 when it sticks.", "int valve(int n)\n{"),
        ("a.go", "// Wait blocks until the pump runs.\nfunc Wait() error {\n\treturn nil\n}\n",
         "Wait blocks until the pump runs.", "func Wait() error {"),
        ("a.rs", "/// The difference to an earlier one.\npub fn since(a: f64) -> f64 { a }\n",
         "The difference to an earlier one.", "pub fn since(a: f64)"),
        ("a.java", "/** Adds litres.\n *  Never fewer than none. */\nvoid add(int n) { }\n",
         "Adds litres.\nNever fewer than none.", "void add(int n)"),
        ("a.sql", "-- one row a member\nCREATE TABLE fees (year INTEGER);\n",
         "one row a member", "CREATE TABLE fees"),
        ("a.sh", "#!/bin/sh\n# copy the folder\nrsync -a x y\n", "copy the folder", "rsync -a x y"),
        ("a.toml", "# in seconds\ntimeout = 45\n", "in seconds", "timeout = 45"),
    ],
)  # fmt: skip
def test_comments_of_many_languages_are_text(
    reader: Reader, tmp_path: Path, name: str, code: str, said: str, shown: str
) -> None:
    text = read(reader, tmp_path, name, code)
    fence = f"\n\n```{name[2:]}\n"
    assert f"{said}{fence}" in text
    assert shown in text.partition(fence)[2]


def test_a_definition_is_told_with_its_signature(reader: Reader, tmp_path: Path) -> None:
    path = tmp_path / "tide.py"
    path.write_text(PROGRAM, encoding="utf-8")
    told = [s for p in cut(reader.read_file(path)) for s in statements(p.text, sentences)]
    assert ("code", "@cached\ndef height(t, top=3.0):") in [(s.form, s.words) for s in told]
    assert "Height of the water in metres." in [s.words for s in told if s.alone]


def test_a_chat_is_a_list_of_its_messages(reader: Reader, tmp_path: Path) -> None:
    chat = "[9:01] <lou> who has the ladder?\n[9:04] <max> I have\nuntil Friday\n[9:05] <lou> fine then\n"
    assert read(reader, tmp_path, "chat.txt", chat) == (
        "- [9:01] lou: who has the ladder?\n- [9:04] max: I have\n  until Friday\n- [9:05] lou: fine then"
    )
    prose = "12:30 was too late.\nSo we met at noon, and nobody came.\nAt one they all did.\nThat was that."
    assert read(reader, tmp_path, "prose.txt", prose) == prose


def test_only_who_speaks_is_taken_out_of_a_line(reader: Reader, tmp_path: Path) -> None:
    lines = ["10:01 vector<int> grew", "10:02 see <https://a.example/x> for more", "10:03 if a < b and c > d"]
    assert read(reader, tmp_path, "run.log", "\n".join(lines)) == "\n".join(f"- {line}" for line in lines)


def test_a_line_of_blanks_is_looked_at_once(reader: Reader, tmp_path: Path) -> None:
    """A search for who speaks that began at each blank would take the square of them: hours for this."""
    blanks = " " * 1_000_000
    told = read(reader, tmp_path, "chat.txt", f"10:01 one\n10:02 two\n10:03{blanks}x")
    assert " ".join(told.split()) == "- 10:01 one - 10:02 two - 10:03 x"


def test_signs_within_a_docstring_are_of_its_words(reader: Reader, tmp_path: Path) -> None:
    said = ["--offline  Ask nobody.", "%d stands for the day.", "#12 was mended.", "; ends", "* an item"]
    words = "".join(f"    {line}\n" for line in said)
    program = f'def main():\n    """Run it.\n\n{words}    """\n    run()\n'
    assert "Run it.\n\n" + "\n".join(said) in read(reader, tmp_path, "main.py", program)
    block = "/**\n * Waits for the tide.\n * - and for the wind\n **/\nint waits(void) { return 1; }\n"
    assert "Waits for the tide.\n- and for the wind\n" in read(reader, tmp_path, "tide.c", block)


def test_subtitles_are_sentences_under_their_times(reader: Reader, tmp_path: Path) -> None:
    told = (
        "WEBVTT\n\nNOTE nobody sees this\n\n00:01.000 --> 00:04.000\n<v Ann>Wool felts\n\n"
        "00:04.000 --> 00:06.000\nwhen it is moved.\n\n01:10.000 --> 01:12.000\nSilk does not.\n"
    )
    assert read(reader, tmp_path, "a.vtt", told) == (
        "## 0:00:01\n\nWool felts when it is moved.\n\n## 0:01:10\n\nSilk does not."
    )
    rolling = (
        "1\n00:00:01,000 --> 00:00:03,000\nthe dough\n\n2\n00:00:03,000 --> 00:00:05,000\nthe dough\nrests\n"
    )
    assert read(reader, tmp_path, "b.srt", rolling) == "the dough rests"


@pytest.mark.parametrize("text", ["no times in it", "1\n00:00:01,000 --> 00:00:02,000\n\n"])
def test_what_holds_no_subtitles_says_so(reader: Reader, tmp_path: Path, text: str) -> None:
    with pytest.raises(ReadError, match="subtitles"):
        read(reader, tmp_path, "a.srt", text)


def test_names_in_front_matter_stand_for_no_more_than_a_person_would_write() -> None:
    lines = ["a: &a [Ann]", *(f"{c}: &{c} [{', '.join([f'*{b}'] * 20)}]" for b, c in pairwise("abcdef"))]
    said = front_matter("\n".join(["---", *lines, "title: *f", "tags: *f", "---", "", "# Bins"]))
    assert len(said.title or "") + sum(map(len, said.tags)) < 2 * LARGEST
    said = front_matter("---\nauthor: [Ann Lee, null, [[Bo]]]\ntags: [a, [b, c]]\n---\n\n# Bins")
    assert (said.author, said.tags) == ("Ann Lee, Bo", ("a", "b, c"))
