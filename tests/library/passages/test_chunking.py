from hashlib import sha256
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from library.evidence import Source
from library.passages.chunking import LONGEST, cut, size, spans

SENTENCE = "The old bridge over the river was closed for repairs in the spring of that year. "


def source(text, **more):
    return Source(sha256(text.encode()).hexdigest(), "file:///a.md", "A", text, **more)


def test_short_paragraphs_are_joined_and_long_ones_split_at_sentences():
    text = "\n\n".join([SENTENCE.strip()] * 3 + [(SENTENCE * 40).strip()])
    pieces = [text[a:b] for a, b in spans(text)]
    assert all(size(piece) <= LONGEST * 1.3 for piece in pieces)
    assert all(piece.endswith(".") for piece in pieces)
    assert all(size(piece) >= 30 for piece in pieces)


def test_a_passage_does_not_end_with_a_colon_before_what_it_leads_to():
    for words in (120, 130, 140, 146):
        told = " ".join(["stone"] * words) + ". The ferryman added that:"
        said = "Nobody had ever paid him for the night crossings. " * 6
        text = f"{told}\n\n> {said}\n\n{SENTENCE * 6}"
        assert not any(text[a:b].endswith(":") for a, b in spans(text)), words


def test_an_example_that_is_announced_with_a_comma_comes_with_it():
    for words in (110, 120, 130, 140):
        told = " ".join(["stone"] * words) + ". It is set by hand. For example,"
        text = f"{told}\n\nSELECT setval('ferry', 42);\n\n{SENTENCE * 6}"
        held = [text[a:b] for a, b in spans(text)]
        assert any("For example,\n\nSELECT setval" in piece for piece in held), words


def test_a_heading_opens_a_passage_and_never_stands_alone():
    text = f"# One\n\n{SENTENCE * 6}\n\n## Two\n\n{SENTENCE * 6}\n\n## Nothing follows"
    pieces = [text[a:b] for a, b in spans(text)]
    assert [piece.partition("\n")[0] for piece in pieces] == ["# One", "## Two"]
    assert pieces[1].endswith("## Nothing follows")


def test_chinese_is_measured_by_its_characters():
    text = "这座老桥在那一年的春天因为维修而关闭。" * 60
    pieces = spans(text)
    assert len(pieces) >= 4
    assert all(text[b - 1] == "。" for _, b in pieces)


def test_a_text_without_stops_or_spaces_is_cut_all_the_same():
    text = "x" * 20_000
    assert max(b - a for a, b in spans(text)) < 2_500
    assert "".join(text[a:b] for a, b in spans(text)) == text


def test_passages_know_their_page():
    first = SENTENCE * 20
    pages = cut(source(first + SENTENCE * 20, pages=(0, len(first))))
    assert (pages[0].page, pages[-1].page) == (1, 2)


@given(st.text(alphabet="aB .!?\n#。中-`|:1") | st.text(max_size=400))
def test_passages_are_exact_ordered_and_lose_nothing(text):
    found = spans(text)
    assert all(a < b and text[a:b] == text[a:b].strip() for a, b in found)
    assert all(x[1] <= y[0] for x, y in zip(found, found[1:], strict=False))
    assert "".join("".join(text[a:b] for a, b in found).split()) == "".join(text.split())


def test_cutting_takes_time_in_proportion_to_the_text():
    assert spans("word " * 30 + "\n\n" + "a" * 79 + "\n\n" + "b b b.") != []


COMMAND = "Where a package is left half unpacked, configure it so.\n\n```\n# dpkg --configure -a\n```"


def test_code_stays_with_the_sentence_that_says_what_it_is_for():
    for lead in range(4, 16):
        text = f"## Repair\n\n{SENTENCE * lead}\n\n{COMMAND}\n\n{SENTENCE * 6}\n\n{COMMAND}"
        pieces = [text[a:b] for a, b in spans(text)]
        assert sum(COMMAND in piece for piece in pieces) == 2 or pieces[-1].endswith(COMMAND)
        assert all(piece.count("```") % 2 == 0 for piece in pieces)
        assert sum(piece.startswith("#") for piece in pieces) == 1, "a shell's prompt is no heading"


def test_a_list_and_a_table_begin_with_what_introduces_them():
    steps = "Do it so, then.\n\n1. Open the sluice.\n2. Wait for the water. It takes an hour.\n3. Close it."
    table = "Table 2. Log files\n\nFile | Holds\ndpkg.log | what was installed\nterm.log | what was shown"
    for lead in range(4, 16):
        for block, least in ((steps, "Do it so, then.\n\n1. Open"), (table, "installed")):
            text = f"{SENTENCE * lead}\n\n{block}\n\n{SENTENCE * 6}"
            pieces = [text[a:b] for a, b in spans(text)]
            head = block[: block.index(least) + len(least)]
            assert any(head in piece for piece in pieces), (lead, pieces)


def test_a_listing_longer_than_a_passage_is_cut_at_the_ends_of_its_lines():
    lines = "\n".join(f"Unit {n} = /usr/lib/systemd/system/unit{n}.service" for n in range(60))
    text = f"The units are these.\n\n```\n{lines}\n```\n\n{SENTENCE}"
    pieces = [text[a:b] for a, b in spans(text)]
    assert all(size(piece) <= LONGEST * 1.3 for piece in pieces)
    assert all(piece.endswith((".service", ".")) for piece in pieces)


def test_a_command_stays_with_what_it_prints_where_a_listing_is_cut():
    for prompt, lines in product(("$ ", "ada@mill:~$ ", "> "), range(6, 18)):
        printed = "\n".join(f"Mill {n}: brook {n} + 7" for n in range(lines))
        shown = "\n\n".join(f"{prompt}mill list --store /srv/store-{n}\n{printed}" for n in range(6))
        text = f"## Examples\n\n```\n{shown}\n```\n\n{SENTENCE}"
        pieces = [text[a:b] for a, b in spans(text)]
        assert not [piece for piece in pieces if piece.split("\n")[-1].startswith(prompt)], prompt
        assert all(size(piece) <= LONGEST * 1.3 for piece in pieces)


def test_a_large_table_is_cut_between_its_rows_and_its_first_ones_stay_with_the_caption():
    rows = [f"tool-{n} | I:{n} | finds parts of broken files of kind {n} and joins them" for n in range(20)]
    table = "\n".join(["Package | Popularity | What it does", *rows, "cd .. | | goes up"])
    text = f"## Recovery\n\nThere are tools.\n\nTable 9.24. Tools that recover\n\n{table}\n\n{SENTENCE * 6}"
    pieces = [text[a:b] for a, b in spans(text)]
    assert "Table 9.24. Tools that recover\n\nPackage | Popularity" in pieces[0]
    assert "tool-1 |" in pieces[0]
    lines = {line for piece in pieces for line in piece.split("\n")}
    assert {*rows, "cd .. | | goes up"} <= lines, "no row is cut"
    assert all(size(piece) <= LONGEST * 1.3 for piece in pieces)
