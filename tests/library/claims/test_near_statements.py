"""Which statements of sources a language model is shown to find what contradicts, where no rule does."""

import hashlib

from library.claims import StatedSentence, contradictions, near_statements
from library.evidence import Passage, Source
from library.passages.chunking import cut
from library.text.similarity.tfidf import TextFrequencies, TextStatistics

HOUSE = (
    "The town hall of Brevik has a tower of 41 metres. Its bell was cast in Lund by Jon Falk. The cellar is "
    "dry all year round. The repairs of 2021 cost 4.1 million crowns. Weddings are held there on Fridays."
)
WALK = (
    "Whoever climbs the tower in Brevik stands 58 metres above the market. The bell in it "
    "was cast by Mads Holm. After rain the cellar of the hall is not dry. A man sold "
    "waffles at the door. All in all the builders took 5.3 million from the town. "
    "Weddings are held there on Fridays."
)


def document(title: str, text: str) -> list[Passage]:
    return cut(Source(hashlib.sha256(text.encode()).hexdigest(), f"file:{title}", title, text))


def stated(
    *texts: str, known: str = "", room: int = 4_000, told: tuple[frozenset[str], ...] = ()
) -> list[StatedSentence]:
    fresh = [passage for n, text in enumerate(texts) for passage in document(f"Page {n}", text)]
    before = document("Before", known) if known else []
    statistics = TextStatistics(TextFrequencies([p.text for p in (*fresh, *before)]))
    return near_statements(fresh, before, statistics, room, told)


def _shown(found: list[StatedSentence]) -> str:
    return "\n".join(statement.shown for statement in found)


def test_both_sides_of_what_is_told_otherwise_are_shown_where_rules_find_nothing() -> None:
    both = [*document("The hall", HOUSE), *document("A walk", WALK)]
    assert not contradictions(both, [], TextStatistics(TextFrequencies([p.text for p in both])))
    lines = _shown(stated(HOUSE, WALK))
    for side in ("41 metres", "58 metres", "Jon Falk", "Mads Holm", "is dry", "is not dry"):
        assert side in lines
    assert "waffles" not in _shown(stated(HOUSE, WALK, room=900))


def test_figures_of_one_unit_near_each_other_are_shown_where_no_word_is_shared() -> None:
    one, other = "The repairs cost 4.1 million crowns.", "Builders took 5.3 million crowns from Brevik."
    lines = _shown(stated(f"{one} The cellar smells of apples.", f"{other} A man sold waffles.", room=150))
    assert "4.1 million" in lines
    assert "5.3 million" in lines


def test_a_sentence_is_shown_once_source_by_source_within_the_room() -> None:
    years = range(1950, 1960)
    towers = [f"In {year} the tower of the hall in Brevik had {year - 1900} steps." for year in years]
    found = stated(*towers)
    assert len(found) == len({statement.sentence for statement in found}) == len(towers)
    few = stated(*towers, room=300)
    assert 2 <= len(few) < len(found)
    assert sum(len(s.shown) + len(s.passage.title) for s in few) <= 300
    sources = [statement.passage.sha256 for statement in stated(HOUSE, WALK)]
    assert sum(a != b for a, b in zip(sources, sources[1:], strict=False)) == 1
    assert not stated(HOUSE, WALK, room=0)


def test_a_sentence_whose_subject_stands_before_it_is_shown_with_that() -> None:
    lines = _shown(stated("The new hall stands in Brevik. It cost 4.1 million crowns.",
                          "The hall in Brevik cost 5.3 million crowns."))  # fmt: skip
    assert "[The new hall stands in Brevik.] It cost 4.1 million crowns." in lines


def test_of_a_long_sentence_what_stands_around_its_value_is_shown() -> None:
    talk = "when the wind from the sea had gone down and the children of the village were home again, "
    lines = _shown(stated(f"One evening, {talk * 2}the tower of Brevik was measured, and it had 41 metres.",
                          "The tower of Brevik has 58 metres."))  # fmt: skip
    assert "41 metres" in lines
    assert "…" in lines
    assert max(map(len, lines.split("\n"))) <= 160


def test_what_is_known_to_disagree_is_no_reason_to_show_it() -> None:
    one, other = "The tower of Brevik has 41 metres.", "The tower of Brevik has 58 metres."
    assert len(stated(one, other)) == 2
    assert not stated(one, other, told=(frozenset((one, other)),))


def test_what_was_compared_before_is_compared_with_what_is_new_alone() -> None:
    assert not stated(known=f"{HOUSE} {WALK}")
    assert not stated(HOUSE, known="")
    assert "58 metres" in _shown(stated(WALK, known=HOUSE))


def test_chinese_is_compared_by_its_words_and_takes_more_room() -> None:
    one, other = "海丰大桥全长1200米，桥面很宽。", "这座海丰大桥全长1350米，由工人建成。"
    assert len(stated(one, other)) == 2
    assert not stated(one, other, room=80)
