"""Passages that disagree: what was planted is found, and what only looks like it is not."""

import hashlib

import pytest

from library.contradictions import Contradiction, contradictions
from library.evidence import Passage, Source
from library.passages import cut
from library.statistics import TextStatistics
from tests.library.disagreeing import DOCUMENTS, PLANTED


def passages(*texts: str, title: str = "The town of Tolvik") -> list[Passage]:
    return [passage for n, text in enumerate(texts) for passage in document(f"{title} {n}", text)]


def document(title: str, text: str) -> list[Passage]:
    sha256 = hashlib.sha256(f"{title}{text}".encode()).hexdigest()
    return cut(Source(sha256, f"file:{title}", title, text))


def found(*texts: str) -> list[Contradiction]:
    return contradictions(passages(*texts), [], TextStatistics())


def test_of_what_is_planted_in_fifteen_documents_four_fifths_are_found_and_hardly_anything_else() -> None:
    everything = [p for title, text in DOCUMENTS.items() for p in document(title, text)]
    flagged = contradictions(everything, [], TextStatistics(), "Tolvik")
    told = [next((p for p in PLANTED if planted(c, p)), None) for c in flagged]
    assert len(set(told) - {None}) >= 0.8 * len(PLANTED), set(PLANTED) - set(told)
    assert told.count(None) <= 0.1 * len(told), [c.values for c in flagged]


def planted(found: Contradiction, pair: tuple[str, str]) -> bool:
    return any(pair[0] in a and pair[1] in b for a, b in (found.values, found.values[::-1]))


@pytest.mark.parametrize(
    ("one", "other", "kind"),
    [
        ("The Maren Bridge cost 84 million euros.", "The Maren Bridge cost 97 million euros.", "number"),
        ("The Maren Bridge was opened in 1887.", "The Maren Bridge was opened in 1893.", "date"),
        ("The mayor of Tolvik is Anna Berg.", "The mayor of Tolvik is Karl Lund.", "name"),
        (
            "The flood warning was sent to the northern districts.",
            "The flood warning was not sent to the northern districts.",
            "negation",
        ),
        (
            "In 2015 the Tolvik museum had 81,000 visitors.",
            "The Tolvik museum has 118,000 visitors.",
            "values",
        ),
    ],
)
def test_each_kind_of_disagreement_is_told(one: str, other: str, kind: str) -> None:
    assert [c.kind for c in found(one, other)] == [kind]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("In 2015 the Tolvik museum had 81,000 visitors.", "In 2019 the Tolvik museum had 118,000 visitors."),
        ("The Maren Bridge cost 84 million euros.", "The Harg Bridge cost 97 million euros."),
        ("The Maren Bridge is 640 metres long.", "The Maren Bridge is 22 metres wide."),
        ("The Maren Bridge is 640 metres long.", "The Maren Bridge is about 650 metres long."),
        ("The flood in Tolvik killed 23 people.", "The flood in Tolvik killed at least 19 people."),
        ("The Maren Bridge is 5 kilometres long.", "The Maren Bridge is 5,000 metres long."),
        ("Section 3.2 describes the bridge in Tolvik.", "Section 4.1 describes the bridge in Tolvik."),
        ("The Maren Bridge was opened in May 1998.", "The Maren Bridge was opened on 12 May 1998."),
        (
            "The price of a ticket in Tolvik rose from 3 to 5 euros in 2015.",
            "The price of a ticket in Tolvik rose to 5 euros in 2015.",
        ),
    ],
    ids=["time", "subject", "measure", "rounded", "bound", "unit", "section", "finer", "change"],
)
def test_what_only_looks_like_it_is_no_contradiction(one: str, other: str) -> None:
    assert found(one, other) == []


def test_a_source_does_not_contradict_itself_or_its_own_copy() -> None:
    text = "The Maren Bridge cost 84 million euros. The Maren Bridge cost 97 million euros."
    assert found(text) == []


def test_chinese_losses_that_differ_are_found() -> None:
    first = document("洪灾损失统计报告", "统计显示，洪水淹没了耕地。直接经济损失合计三亿四千万元。")
    second = document("洪灾损失统计的教训", "县里公布的直接损失是三亿一千万元。学校已经重建。")
    assert [c.values for c in contradictions([*first, *second], [], TextStatistics())] == [
        ("三亿四千万", "三亿一千万")
    ]


def test_fresh_passages_are_set_against_those_known_before_and_these_not_again() -> None:
    known = passages("The Maren Bridge cost 84 million euros.", "The Maren Bridge cost 97 million euros.")
    fresh = document("Another", "The Maren Bridge of Tolvik cost 91 million euros.")
    flagged = contradictions(fresh, known, TextStatistics())
    assert [c.b.title for c in flagged] == ["Another", "Another"]
