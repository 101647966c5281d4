"""What a text is made of is told by its form alone."""

from library import TextStatistics
from library.passages import blocks, headings_above, statements

GUIDE = """# Restoring

You need the copy that you made before. This is the procedure:

1. Open the last saved file
2. Choose File → Import and pick the log of the same day.

```
$ cp copy.db live.db

$ chmod 600 live.db
```

## What is left out

- Pictures are not in the copy; keep them elsewhere.
- fonts

| Warning | Nothing asks you first. |

See the list of files:

- Index
- Preface
- Glossary
- Colophon
"""
CONTENTS = "Contents of the guide\n\n- Preface\n- Restoring files\n- Glossary\n- Index of names\n"


def test_blocks_are_told_by_their_marks() -> None:
    found = [(block.form, GUIDE[block.start : block.end]) for block in blocks(GUIDE)]
    assert ("heading", "Restoring") in found
    assert ("step", "Open the last saved file") in found
    assert ("code", "$ cp copy.db live.db\n\n$ chmod 600 live.db") in found
    assert ("point", "fonts") in found
    assert [form for form, words in found if "Warning" in words] == ["row"]


def test_code_without_a_fence_is_told_by_its_signs() -> None:
    code = "    def weigh(stone):\n        return stone.weight"
    text = f"It is run so:\n\n{code}\n\nThen it prints the weight of the stone."
    assert [block.form for block in blocks(text)] == ["prose", "code", "prose"]


def test_prose_that_quotes_parts_of_a_program_is_prose() -> None:
    told = (
        '   A weighing such as "weigh(S, s).load" first looks for\n   "s.__load__" in the scale'
        ' "B" behind "S" and then\n   returns "B.__dict__[\'load\'].__get__(s, S)".'
        '  If it is no\n   scale, "load" is returned.'
    )
    assert [block.form for block in blocks(f"Lifting\n{told}")] == ["prose", "prose"]
    assert [block.form for block in blocks(told)] == ["prose"]


def test_a_shells_prompt_in_a_listing_opens_no_section() -> None:
    listing = "```\n# nft insert rule filter output position 8 ip daddr 127.0.0.8 drop\n```"
    text = f"## Rules\n\nInsert it:\n\n{listing}\n\nIt is lost."
    assert [block.form for block in blocks(text)] == ["heading", "prose", "code", "prose"]
    assert headings_above(text, len(text) - 2) == ["Rules"]


def test_a_place_knows_the_headings_above_it() -> None:
    assert headings_above(GUIDE, GUIDE.index("copy that")) == ["Restoring"]
    assert headings_above(GUIDE, GUIDE.index("Pictures")) == ["Restoring", "What is left out"]
    assert headings_above("No heading stands here.", 5) == []


def test_statements_are_sentences_steps_and_code() -> None:
    told = statements(GUIDE, TextStatistics().sentences)
    by_words = {each.words: each for each in told}
    assert by_words["This is the procedure:"].introduces
    assert by_words["Open the last saved file"].form == "step"
    assert by_words["$ cp copy.db live.db\n\n$ chmod 600 live.db"].form == "code"
    assert not any("Warning" in each.words for each in told), "a row of a table is no statement"
    for each in told:
        assert " ".join(GUIDE[each.start : each.end].split()) == " ".join(each.words.split())


def test_a_list_of_contents_says_nothing_unless_it_is_introduced() -> None:
    split = TextStatistics().sentences
    assert not statements(CONTENTS, split)
    assert "Glossary" in {each.words for each in statements(GUIDE, split)}
