"""What sees text from outside takes time in proportion to it, however the text was made.

Nothing is held to a number of seconds: a text five times as long may take about five times as long.
"""

import re
import time
from collections.abc import Callable
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
from library.safety.prompt_injection import addresses_a_machine, without_orders
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
    every_pattern,
    nearly_matched,
    repeats_groups_possessively,
    worst_texts,
)

SHORT, LONG, LONGER = 1_000, 5_000, 25_000
STEEP = 11
"""Times as long, for five times the text: 5 would be in proportion, 25 is square."""
NOTICED = 0.003
"""Seconds; what takes less is lost in the noise."""
MILLION = 1_000_000
WORST = (
    ".", "!?", "…", " ", "\n", "\n ", " \n", "\t", "a", "A", "1", "a.", "A. ", "1. ", "a ", "-", "- ", "#",
    "# ", "|", "| ", "*", "_a", "[", "]", "[p1]", "[1", "(", ")", "()", "<", "<a ", "<!--",
    "<think>", "</think>", "&", "“", "”", "“a", '"', "'",
    "中", "。", "一", "中。", "١", "۔", "अ", "ا", "é", "\u0301", "\u200b",
    "\u200d", "\x1b[", "\x1b]", "\x90", "\r", "{", "}", "{a", "---\n", "a: ", "`", "```\n", "http://", "a@b.",
    "\\", "$", "\u0131", "Foo ", "1, ",
)  # fmt: skip


def repeated(piece: str, length: int) -> str:
    """Return a piece again and again, so many characters long."""
    return (piece * (length // len(piece) + 1))[:length]


def steep(seconds: Callable[[str], float], texts: tuple[str, str]) -> bool:
    """Whether the time grows faster than the text; what looks so is measured again before it is said."""

    def grows() -> bool:
        short = max(seconds(texts[0]), NOTICED / STEEP)
        # So little text: nothing in proportion takes as long as that.
        return short > 0.1 or seconds(texts[1]) > STEEP * short

    return all(grows() for _ in range(3))


@pytest.mark.parametrize("room", ROOMS)
def test_every_pattern_takes_time_in_proportion_to_the_text(room: str):
    found = [
        f"{used.where} {used.use}: {piece!r}"
        for used in every_pattern(room)
        for piece in worst_texts(used.pattern)
        for before, behind in (("", "\0"), ("x", ""))
        if steep(
            used.seconds,
            (before + repeated(piece, SHORT) + behind, before + repeated(piece, LONG) + behind),
        )
    ]
    assert not found, "\n".join(found)


READING: dict[str, Callable[[str], object]] = {
    "sentences": sentences, "passages": spans, "terms": terms, "title_terms": title_terms, "words": words,
    "language": detect, "front_matter": front_matter, "front": lambda text: front_matter(f"---\n{text}"),
    "seen": seen, "tidy": tidy, "clean": clean, "line": clean_line, "citations": citations,
    "strip_citations": strip_citations, "unmarked": unmarked, "orders": addresses_a_machine,
    "without_orders": lambda text: without_orders(text, sentences), "thoughts": without_thoughts,
    "dates": dates, "names": names, "roles": lambda text: exchanged(text, []),
    "fence_never_closed": lambda text: blocks("```\n" + "\n\n".join(text)),
}  # fmt: skip


@pytest.mark.parametrize("room", ROOMS)
def test_no_pattern_takes_its_own_parts_in_several_ways(room: str):
    """A comment, a date, a rule, met again and again behind what begins the pattern, and then no match."""
    found = []
    for used in every_pattern(room):
        for before, piece in nearly_matched(used.pattern):
            for behind in ("\0", "\n\0"):
                few, short, long, longer = (
                    before + repeated(piece, length) + behind
                    for length in (20 * len(piece), SHORT, LONG, LONGER)
                )
                # What doubles with each piece would never end: few of them tell.
                if used.seconds(few) > 0.1 or (
                    used.seconds(long) > NOTICED
                    and steep(used.seconds, (short, long))
                    and steep(used.seconds, (long, longer))
                ):
                    found.append(f"{used.where} {used.use}: {before!r} {piece!r}")
    assert not found, "\n".join(found)


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
        if steep(
            seconds,
            (before + repeated(piece, 4 * SHORT) + behind, before + repeated(piece, 4 * LONG) + behind),
        )
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
