"""Lists with their lead-in, and terms with their entries, are told by how a text is laid out."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from library.passages.chunking import LONGEST_LIST, size, spans
from library.passages.text_structure import list_at, lists, section_name, terms_above
from library.readers.html.html_reader import read_html

NESTED = """The key can be located:

- in the repository
  - as a file
- at home

The passphrase has been either:

- entered
- read

1. Open it

2. Turn it

   ```
   turn
   ```

3. Close it

After that:

1. Again
"""
MANUAL = """NAME
       turn - turns a gate

OPTIONS
       -a, --all
              Turn all gates. It takes long.

              Ask before each.

       gate   Names the gate. It must be closed, and nobody may stand near it while it
              is turned. Ask the keeper.

       Other words are names of gates.
"""
REFERENCE = """object.__enter__(self)

   Enter the runtime context. It is bound to the target.

   The suite is executed then.

object.__lt__(self, other)
object.__le__(self, other)

   These are called for comparisons.

After all, these are rare.
"""


def told(text: str) -> list[tuple[str, list[tuple[int, int, str]]]]:
    return [
        (
            text[slice(*each.lead)] if each.lead else "",
            [(p.level, p.number, " ".join(text[p.start : p.end].split())) for p in each.parts],
        )
        for each in lists(text)
    ]


def test_lists_are_told_apart_with_their_levels_numbers_and_lead_ins() -> None:
    assert told(NESTED) == [
        ("The key can be located:", [(0, 0, "in the repository"), (1, 0, "as a file"), (0, 0, "at home")]),
        ("The passphrase has been either:", [(0, 0, "entered"), (0, 0, "read")]),
        ("", [(0, 1, "Open it"), (0, 2, "Turn it"), (0, 0, "turn"), (0, 3, "Close it")]),
        ("After that:", [(0, 1, "Again")]),
    ]
    found = list_at(NESTED, NESTED.index("as a file"), NESTED.index("as a file") + 9)
    assert found is not None
    assert found[0].parts[found[1]].parent == 0


@pytest.mark.parametrize(
    ("text", "words", "terms"),
    [
        (MANUAL, "It takes long", ["OPTIONS", "-a, --all"]),
        (MANUAL, "Ask before each", ["OPTIONS", "-a, --all"]),
        (MANUAL, "It must be closed", ["OPTIONS", "gate"]),
        (MANUAL, "Ask the keeper", ["OPTIONS", "gate"]),
        (MANUAL, "Other words", ["OPTIONS"]),
        (REFERENCE, "The suite is executed", ["object.__enter__(self)"]),
        (REFERENCE, "These are called", ["object.__lt__(self, other), object.__le__(self, other)"]),
        (REFERENCE, "After all", []),
        (NESTED, "as a file", []),
        ("A long sentence leads to what is quoted below it:\n\n   Quoted.\n", "Quoted", []),
    ],
)
def test_a_place_knows_the_terms_of_the_entries_that_it_stands_in(
    text: str, words: str, terms: list[str]
) -> None:
    assert terms_above(text, text.index(words)) == terms


NOTED = """1. The gate is opened by the keeper of the gate.

   Note:

     The keeper has the key to it. It is never lent to anybody.

2. The lamp is lit.
"""


def test_a_label_in_a_list_s_item_is_no_entry() -> None:
    assert terms_above(NOTED, NOTED.index("It is never lent")) == []
    assert [part.number for part in lists(NOTED)[0].parts] == [1, 0, 0, 2]


PAGE = """<html><body><h1>Gates</h1><p>Here is told what each setting of the gates means, one by one.</p>
<dl><dt><a name="t">turn_time</a> (default: 5d)</dt><dd><p>How long it turns. It is counted from the bell
that the keeper rings.</p><p>Specify 0 for none.</p><ul><li>a</li><li>b</li></ul></dd>
<dt>Name</dt><dd><p>What it is called.</p></dd></dl><p>The keeper reads both of them.</p>
<div class="k"><b><a name="gate_x"></a><a href="#gate_x">gate x</a></b></div><pre>
The gate is turned by hand, and it takes an hour to do so.
It is never left open at night by those who keep it here.

  - it is closed by the keeper before the lamp is lit there
  - it is opened by the keeper when the sun is up again there
</pre></body></html>"""


def test_a_page_keeps_its_terms_with_their_entries() -> None:
    text = read_html(PAGE.encode(), None, 10**6, "2030-01-01")["text"]
    for words in ("How long it turns", "Specify 0", "b"):
        at = text.index("- b") if words == "b" else text.index(words)
        assert terms_above(text, at) == ["turn_time (default: 5d)"]
    assert "Name: What it is called." in text
    assert terms_above(text, text.index("The keeper reads")) == []
    assert "###### gate x\n\nThe gate is turned" in text
    assert [len(each.parts) for each in lists(text)] == [2, 2]


def test_comments_of_a_configuration_are_no_headings() -> None:
    lines = "\n".join(f"# The server number {n} is one that is near to you here." for n in range(4))
    said = "<h1>Servers</h1><p>Write the servers into the file like this.</p>"
    page = f"<html><body>{said}<pre>{lines}</pre></body></html>"
    assert f"```\n{lines}" in read_html(page.encode(), None, 10**6, "2030-01-01")["text"]


@given(st.lists(st.integers(1, 40), min_size=2, max_size=12), st.integers(0, 20))
def test_a_list_of_usual_length_is_never_parted(items: list[int], before: int) -> None:
    told = "\n".join(f"- {'word ' * n}{k}" for k, n in enumerate(items))
    text = f"{'It was closed for the day. ' * before}\n\nIt is made of these parts:\n\n{told}\n\nAfter it."
    whole = text[text.index("It is made") : text.index("After") - 2]
    if size(whole) <= LONGEST_LIST:
        assert any(whole in text[a:b] for a, b in spans(text))


def test_a_place_stands_under_its_term_and_of_a_short_section_with_labels_under_the_heading() -> None:
    labels = "## Sending all\n\nDescription\n\n  You want all of it sent.\n\nSolution\n\n  Send it whole.\n"
    assert section_name(labels, labels.index("Send it")) == "Sending all"
    terms = labels.replace("Solution", "send_all (default: no)")
    assert section_name(terms, terms.index("Send it")) == "send_all (default: no)"
    long = labels + "\nDiscussion\n\n" + "  It is a long story that is told here at length.\n" * 60
    assert section_name(long, long.index("Send it")) == "Solution"
    assert section_name("Nothing stands above it.", 4) == ""
