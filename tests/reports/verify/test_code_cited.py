"""A command that a cited passage only tells about is cited from the passage that has it."""

import pytest

from reports.document import Section, Sentence
from reports.verify.check import Checker
from reports.verify.code_cited import cite_code
from tests.reports.conftest import make_evidence

PAGES = {
    "https://manual.example/vault-mount.html": (
        "Looking into a store",
        None,
        [
            "What was mounted is given back when nobody looks at it any more.",
            "vault giveback MOUNTPOINT",
            "$ vault look STORE /mnt\n$ ls /mnt",
        ],
    ),
    "https://other.example/tips": ("Tips", None, ["Some type vault giveback MOUNTPOINT twice in 1999."]),
}


def cited(text: str, ids: list[str], form: str = "prose") -> Sentence:
    evidence = make_evidence(PAGES)
    checker = Checker(evidence, "How do I look into a store?")
    sentence = Sentence.model_validate({"text": text, "citations": ids, "form": form})
    section = Section(heading="Way", level=1, node=None, sentences=[sentence])
    return checker.section(cite_code(section, checker, evidence)).sentences[0]


@pytest.mark.parametrize(
    ("text", "ids", "now", "support"),
    [
        ("Give it back with `vault giveback MOUNTPOINT`.", ["p1"], ["p1", "p2"], "unchecked"),
        # The page that is cited comes before another one that has it, too.
        ("Give it back with `vault giveback MOUNTPOINT`.", ["p4"], ["p4"], "unchecked"),
        # What nobody types is cited from nowhere.
        ("Give it back with `vault giveback --force`.", ["p1"], ["p1"], "unsupported"),
        # A word alone is no command, and a figure that is lost, too, is not helped by a citation more.
        ("Give it back with `MOUNTPOINT`.", ["p1"], ["p1"], "unsupported"),
        ("In 2004 it was `vault giveback MOUNTPOINT`.", ["p1"], ["p1"], "unsupported"),
        ("It is given back.", [], [], "unchecked"),
    ],
)
def test_a_command_is_cited_from_the_passage_that_has_it(
    text: str, ids: list[str], now: list[str], support: str
) -> None:
    sentence = cited(text, ids)
    assert sentence.citations == now
    assert sentence.support == support


@pytest.mark.parametrize(
    ("code", "ids", "now", "support"),
    [
        ("vault look STORE /mnt\nls /mnt", ["p1"], ["p1", "p3"], "quoted"),
        ("vault look STORE /mnt\nls /mnt", ["p3"], ["p3"], "quoted"),
        ("vault look STORE /srv", ["p1"], ["p1"], "unsupported"),
    ],
)
def test_so_is_a_block_of_code(code: str, ids: list[str], now: list[str], support: str) -> None:
    sentence = cited(code, ids, "code")
    assert sentence.citations == now
    assert sentence.support == support
