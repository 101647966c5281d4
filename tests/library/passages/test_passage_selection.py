from hashlib import sha256

from library.evidence import Source
from library.passages.passage_selection import copied_passages, select
from library.text.similarity.tfidf import TextStatistics

STATISTICS = TextStatistics()


def passage(text, url="file:///a"):
    read = Source(sha256((url).encode()).hexdigest(), url, "", text)
    return read.passage(0, len(text))


ABOUT = passage("The harbour bridge was built by Ada Storm of Lund in 1931.", "file:///1")
COPY = passage("The harbour bridge was built by Ada Storm of Lund in 1931!", "file:///2")
OTHER = passage("Roses need water and sun.", "file:///3")


def choose(*candidates, **more):
    return [
        item.passage
        for item in select(
            "harbour bridge", candidates, STATISTICS, **({"limit": 5, "threshold": 0.1} | more)
        )
    ]


def test_only_what_is_relevant_and_no_copies():
    assert choose(OTHER, ABOUT, COPY) == [ABOUT]


def test_one_that_says_more_stands_for_both_and_is_shown_after_the_one_it_holds():
    more = "It was the first of its kind, and closed for good when the tunnel was opened in 1972 beside it."
    longer = passage(f"{ABOUT.text} {more}", "file:///4")
    assert choose(ABOUT, longer) == choose(longer, ABOUT) == [longer]
    assert choose(longer, seen=[ABOUT]) == [longer]
    assert choose(ABOUT, seen=[longer]) == []
    short = passage(f"{ABOUT.text} It fell in 1972.", "file:///5")
    assert choose(short, seen=[ABOUT]) == [short], "a sentence of its own is enough"


def test_what_was_seen_is_not_chosen_again():
    assert choose(ABOUT, COPY, seen=[ABOUT]) == []


def test_a_threshold_that_nothing_reaches_chooses_nothing():
    assert choose(ABOUT, threshold=0.99) == []


def test_no_source_floods_the_others():
    text = "The harbour bridge {} stood."
    words = ["north", "south", "east", "west", "green"]
    whole = "\n".join(text.format(word) for word in words)
    read = Source("a" * 64, "file:///long", "", whole)
    spans, at = [], 0
    for line in whole.split("\n"):
        spans.append(read.passage(at, at + len(line)))
        at += len(line) + 1
    alone = passage("Beside the harbour bridge stood a small old lighthouse.", "file:///other")
    assert alone in choose(*spans, alone, limit=3)


def test_the_same_page_as_html_and_as_text_is_heard_once():
    told = (
        "Put the line copy: no under the import heading in your configuration to disable any copying or "
        "renaming. Make sure to point directory at the place where your music is currently stored."
    )
    page = passage(told, "file:///guide.html")
    text = passage(f"{told.replace('import heading', ':ref:`import heading`')} Done.", "file:///guide.rst")
    assert copied_passages([text, OTHER, page]) == {text.key}
    assert copied_passages([text, OTHER, ABOUT, COPY]) == set(), "too little to tell"
    beside = passage(told, "file:///another.html")
    assert copied_passages([beside, page]) == set(), "pages of one manual have steps alike"
