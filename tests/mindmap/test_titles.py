import os
import subprocess
import sys

import pytest

from library.text.similarity.tfidf import TextStatistics
from mindmap.titles.extracted_titles import Unnamed, key, titles
from mindmap.titles.title_quality import TitleQuality, best, prose

STATISTICS = TextStatistics()
LOOPS = [
    "An event loop runs callbacks. To prevent stalls, the event loop hands slow calls to threads.",
    "Every thread has an event loop of its own; `ThreadLocalBox` keeps it.",
    "Closing the event loop drops what is pending. To prevent losses, wait for it.",
    "A stopped event loop can be started again by `getsets`.",
]


def unnamed(number, texts, **more):
    return Unnamed(id=f"n{number}", texts=texts, parent="Things", **more)


def test_a_node_is_called_what_people_called_its_pages():
    copies = ["A copy is made each night. Note: it takes a while.", "To get a copy back, open the copy."]
    pages = ["2.5. Copies of the ledger", "2.5. Copies of the ledger"]
    loans = ["A loan is an asset. ledger.conf says how it is booked.", "A loan is paid back each month."]
    nodes = [
        unnamed(1, copies, pages=pages, beside=["n2"]),
        unnamed(2, loans, pages=["Loans to friends | Manual", "config/ledger.conf"], beside=["n1"]),
    ]
    assert titles("Things", "en", nodes, STATISTICS) == ["Copies of the ledger", "Loans to friends"]


def test_a_headline_names_what_shares_no_phrase():
    texts = ["Six people were killed on a street.", "The bridge was closed in the evening."]
    pages = ["Blast kills six on a busy street in the old town | example.com", ""]
    [title] = titles("Things", "en", [unnamed(1, texts, pages=pages)], STATISTICS)
    assert title == "Blast kills six on a busy street in the old town"


@pytest.mark.parametrize(
    ("texts", "verb"),
    [
        (["Nobody saw what happened then.", "It happened on the stairs.", "What happened?"], "Happened"),
        (["To use both, wait.", "Then you use neither.", "Nobody can use them."], "Use"),
    ],
)
def test_a_verb_alone_is_no_title(texts, verb):
    [title] = titles("Things", "en", [unnamed(1, texts, pages=["FAQ"] * 3)], STATISTICS)
    assert title != verb


def test_a_word_that_names_something_is_no_verb_alone():
    wording = TitleQuality(["The seed of the United team. A speed of ten.", "Red sheds."], [], [], STATISTICS)
    for word in ("Seed", "United", "Speed", "Red", "Hundred", "Backup", "United team"):
        assert not wording.is_lone_verb(word), word


def test_a_phrase_that_the_texts_share_comes_before_a_word_and_code():
    assert titles("Things", "en", [unnamed(1, LOOPS)], STATISTICS) == ["Event loop"]


@pytest.mark.parametrize(
    ("worse", "better"),
    [
        ("prevent", "thread"),
        ("ThreadLocalBox", "slow calls"),
        ("getsets", "losses"),
        ("event", "event loop"),
        ("unlike the event loop", "event loop"),
        ("loop event loop", "event loop"),
        ("two thread", "event loop"),
    ],
)
def test_what_reads_worse_as_a_title(worse, better):
    wording = TitleQuality(LOOPS, [], [], STATISTICS)
    assert wording.fitting(worse) < wording.fitting(better)


def test_words_whose_head_was_cut_off_come_after_whole_phrases():
    texts = ["For certain fragile stone bridges one pays.", "Certain fragile stone bridges were closed."]
    order = best(TitleQuality(texts, [], [], STATISTICS), ["certain fragile", "stone bridges"])
    assert order.index("stone bridges") < order.index("certain fragile")
    assert not TitleQuality(texts, [], [], STATISTICS).is_cut_off("fragile stone bridges")


def test_no_title_ends_before_what_its_last_word_leads_to():
    texts = [
        "Return an iterable of all Distribution instances capable of\nloading the metadata for packages.",
        "Find them. Return all Distribution instances capable of loading the metadata along the paths.",
    ]
    [title] = titles("Things", "en", [unnamed(1, texts)], STATISTICS)
    assert not title.endswith("capable"), title


def test_a_heading_in_the_texts_can_be_a_title():
    texts = [
        "Invoking Descriptors\n====================\n\nA lookup begins at the class; descriptors follow it.",
        "When invoking descriptors, the order of bases matters.",
    ]
    assert best(TitleQuality(texts, [], [], STATISTICS), [])[0] == "Invoking Descriptors"
    assert TitleQuality(["## queue.Queue.join(self)\n\nWaits."], [], [], STATISTICS).headings() == []


def test_lines_of_code_are_no_prose():
    assert prose("It adds.\n>>> from decimal import Decimal\n    total = add(1)\nThen it stops.").split() == [
        "It", "adds.", "Then", "it", "stops.",
    ]  # fmt: skip
    assert prose(">>> x") == ">>> x"


def test_a_title_is_given_once_in_the_map_also_among_cousins():
    nodes = [unnamed(1, LOOPS), Unnamed(id="n2", texts=LOOPS, parent="Other", elsewhere=["Loops, thread"])]
    found = titles("Things", "en", [*nodes, Unnamed(id="n3", texts=LOOPS, parent="n2")], STATISTICS)
    keys = {key(title, STATISTICS) for title in [*found, "Loops, thread"]}
    assert len(keys) == 4


def test_titles_are_the_same_in_every_process():
    code = (
        "from tests.mindmap.test_titles import LOOPS, STATISTICS\n"
        "from mindmap.titles.title_quality import TitleQuality, best\n"
        "print(best(TitleQuality(LOOPS, LOOPS[:2], [], STATISTICS), STATISTICS.phrases(LOOPS, 40)))"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", code],
            env=os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            capture_output=True, text=True, check=True,
        ).stdout
        for seed in ("1", "2", "3")
    }  # fmt: skip
    assert len(said) == 1
