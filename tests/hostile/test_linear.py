"""What sees text from outside takes time in proportion to it, however the text was made.

Nothing is held to a number of seconds: a text five times as long may take about five times as long.
"""

import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from library.claims.naming.proper_names import names
from library.claims.roles import exchanged
from library.evidence import citations, strip_citations, unmarked
from library.passages.blocks import blocks
from library.passages.chunking import spans
from library.readers.reader import Reader
from library.readers.text_files.front_matter import front_matter
from library.readers.text_files.plain_text import seen, tidy
from library.safety.prompt_injection import spoken_to_machines, without_orders
from library.store.store import Store
from library.store.sync import sync
from library.text.multilingual.language import detect
from library.text.quantities.date_parsing import dates
from library.text.sentences import sentences
from library.text.tokenize import terms, title_terms, words
from models.prompting.output_parsing import without_thoughts
from roundtable.output.clean import clean, clean_line
from tests.hostile.patterns import (
    ROOMS,
    Used,
    every_pattern,
    nearly_matched,
    repeats_groups_possessively,
    worst_texts,
)

SHORT, LONG = 1_000, 5_000
STEEP = 11
"""Times as long, for five times the text: 5 would be in proportion, 25 is square."""
HARDLY_STEEP = 5.5
"""What is steep later takes so many times as long for five times a short text."""
NOTICED = 0.003
"""Seconds; what takes less is lost in the noise."""
MILLION = 1_000_000
WORST = (
    ".", "!?", "…", " ", "\n", "\n ", " \n", "\t", "a", "A", "1", "a.", "A. ", "1. ", "a ", "-", "- ", "#",
    "# ", "|", "| ", "*", "_a", "[", "]", "[p1]", "[1", "(", ")", "()", "<", "<a ", "<!--",
    "<think>", "</think>", "&", "“", "”", "“a", '"', "'",
    "中", "。", "一", "中。", "١", "۔", "अ", "ا", "é", "\u0301", "\u200b",
    "\u200d", "\x1b[", "\x1b]", "\x90", "\r", "{", "}", "{a", "---\n", "a: ", "`", "```\n", "http://", "a@b.",
    "\\", "$", "\u0131", "Foo ", "1, ", "it began. then it went ", "“a. B” c ",
)  # fmt: skip


def repeated(piece: str, length: int) -> str:
    """Return a piece again and again, so many characters long."""
    return (piece * (length // len(piece) + 1))[:length]


def steep(seconds: Callable[[str], float], text: Callable[[int], str], short: int = SHORT) -> bool:
    """Whether the time grows faster than the text; what looks so is measured again before it is said.

    The long text is tried only where the short one takes so long that a square of it would be noticed, and
    more than in proportion to one five times shorter: of the texts here that is one in fifty.
    """
    briefest, brief, long = (text(length) for length in (short // 5, short, 5 * short))

    def grows() -> bool:
        taken = seconds(brief)
        # So little text: nothing in proportion takes as long as that.
        return taken > 0.1 or (
            taken > NOTICED / 30
            and taken > HARDLY_STEEP * seconds(briefest)
            and seconds(long) > max(STEEP * taken, NOTICED)
        )

    return all(grows() for _ in range(3))


def explodes(seconds: Callable[[str], float], text: Callable[[int], str], piece: str) -> bool:
    """Whether twenty pieces take a noticeable time already: what doubles with each would never end."""
    few = text(20 * len(piece))
    return all(seconds(few) > NOTICED for _ in range(3))


def between(before: str, piece: str, behind: str) -> Callable[[int], str]:
    """Return what makes a text of so many characters, a piece again and again, and what stands around it."""
    return lambda length: before + repeated(piece, length) + behind


def slow_texts(used: Used) -> Iterator[tuple[str, str]]:
    """Yield what is repeated, and what stands before it, where a pattern takes longer than in proportion.

    Single signs come first: where one is found, the longer ones may not end.
    """
    for piece in worst_texts(used.pattern):
        for before, behind in (("", "\0"), ("x", "")):
            text = between(before, piece, behind)
            if explodes(used.seconds, text, piece) or steep(used.seconds, text):
                yield before, piece
    for before, piece in nearly_matched(used.pattern):
        for behind in ("\0", "\n\0"):
            text = between(before, piece, behind)
            if explodes(used.seconds, text, piece) or (
                steep(used.seconds, text) and steep(used.seconds, text, LONG)
            ):
                yield before, piece


@pytest.mark.parametrize("room", ROOMS)
def test_every_pattern_takes_time_in_proportion_to_the_text(room: str):
    """What it takes, or nearly, again and again; and a comment, a date, a rule behind what begins it."""
    slow = {used: next(slow_texts(used), None) for used in every_pattern(room)}
    found = [f"{used.where} {used.use}: {text}" for used, text in slow.items() if text]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    "pattern",
    [
        r"\s+$", r"(?m)[ \t]+$", r"a*b", r"[A-Za-z]+(?: [A-Za-z]+)*:", r"(?<=x)\w+ \w+ \d",
        r"\[[^\[\]]*(?:\[[^\[\]]*\])*[^\[\]]*\](?=\()", r"(?:a|a)*b", r"(\w+\s?)*;", r"(?:-+ ?)+\|",
        r"(?:\s*\n)+x", r"<b>(?:\w+ ?)*</b>", r"“[^”]*”",
    ],
)  # fmt: skip
def test_a_pattern_that_takes_longer_is_seen(pattern: str):
    """Squares, and what doubles with each piece."""
    assert next(slow_texts(Used("here", re.compile(pattern), "search")), None)


READING: dict[str, Callable[[str], object]] = {
    "sentences": sentences, "passages": spans, "terms": terms, "title_terms": title_terms, "words": words,
    "language": detect, "front_matter": front_matter, "front": lambda text: front_matter(f"---\n{text}"),
    "seen": seen, "tidy": tidy, "clean": clean, "line": clean_line, "citations": citations,
    "strip_citations": strip_citations, "unmarked": unmarked, "orders": spoken_to_machines,
    "without_orders": lambda text: without_orders(text, sentences), "thoughts": without_thoughts,
    "dates": dates, "names": names, "roles": lambda text: exchanged(text, []),
    "fence_never_closed": lambda text: blocks("```\n" + "\n\n".join(text)),
}  # fmt: skip


@pytest.mark.parametrize("name", READING)
def test_what_reads_a_text_takes_time_in_proportion_to_it(name: str):
    def seconds(text: str) -> float:
        begun = time.thread_time()
        READING[name](text)
        return time.thread_time() - begun

    found = [
        piece
        for piece in WORST
        for before, behind in (("", "x"), ("x ", "\0"))
        if steep(seconds, between(before, piece, behind), 4 * SHORT)
    ]
    assert not found


@pytest.mark.parametrize("piece", [".", " ", "\n", "a", "A.", "<", "#", "[", "|", "“", "- ", "中", "\u200d"])
def test_a_file_of_a_million_of_the_same_is_indexed(piece: str, tmp_path: Path):
    """What froze the program for good at 150 kB: the file among others, which are found."""
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "worst.txt").write_text("Words. " + repeated(piece, MILLION) + "end")
    (folder / "whale.md").write_text("Whales sing in the deep.")
    begun = time.process_time()
    with Store(tmp_path / "library.sqlite") as store, Reader() as reader:
        held, report = sync(store, "c", [folder], reader)
        assert store.document_frequency([held], ["whale"]) == {"whale": 1}
        assert len(store.files(held)) + len(report.warnings) == 2
    # A square of it would take hours: this is a limit for what hangs, not a measure.
    assert time.process_time() - begun < 60


@pytest.mark.parametrize("room", ROOMS)
def test_every_pattern_matches_the_same_in_every_python(room: str):
    found = {used.where for used in every_pattern(room) if repeats_groups_possessively(used.pattern)}
    assert not found


def test_what_pythons_match_differently_is_seen():
    assert repeats_groups_possessively(re.compile(r"(?:\[p\d+\])++"))
    assert repeats_groups_possessively(re.compile(r"(?:x(?:a|bc))?+"))
    assert not repeats_groups_possessively(re.compile(r"\s*+(?:a|b)[^x]{0,3}+"))


def test_a_line_without_end_is_parted_in_time_in_proportion_to_it():
    def seconds(text: str) -> float:
        begun = time.thread_time()
        spans(text)
        return time.thread_time() - begun

    text = between("", "他说：“滚！”然后走了。", "")
    # What takes a square shows late: five times as much took sixteen times as long.
    assert any(seconds(text(MILLION)) < 9 * seconds(text(MILLION // 5)) for _ in range(3))
