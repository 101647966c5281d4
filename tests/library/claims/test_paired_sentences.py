"""Which sentences of two sources are worth reading beside each other, where no rule finds a contradiction."""

import hashlib
from collections import Counter

from library.claims import Contradiction, contradictions, paired_sentences
from library.evidence import Passage, Source
from library.passages.chunking import cut
from library.text.similarity.tfidf import TextFrequencies, TextStatistics

HOUSE = (
    "The town hall of Brevik has a tower of 41 metres. Its bell was cast in Lund by Jon Falk. The cellar is "
    "dry all year round. The hall was heated with coal until 1970. Weddings are held there on Fridays."
)
WALK = (
    "Whoever climbs the tower of the town hall in Brevik stands 58 metres above the market. The bell in it "
    "was cast by Mads Holm. After rain the cellar of the hall is not dry. A man sold "
    "waffles at the door. Weddings are held there on Fridays."
)


def document(title: str, text: str) -> list[Passage]:
    return cut(Source(hashlib.sha256(text.encode()).hexdigest(), f"file:{title}", title, text))


def paired(*texts: str, known: str = "", most: int = 9) -> list[Contradiction]:
    fresh = [passage for n, text in enumerate(texts) for passage in document(f"Page {n}", text)]
    before = document("Before", known) if known else []
    statistics = TextStatistics(TextFrequencies([p.text for p in (*fresh, *before)]))
    return paired_sentences(fresh, before, statistics, most)


def test_what_is_told_otherwise_in_other_words_is_paired_where_rules_find_nothing() -> None:
    both = [*document("The hall", HOUSE), *document("A walk", WALK)]
    assert not contradictions(both, [], TextStatistics(TextFrequencies([p.text for p in both])))
    pairs = paired(HOUSE, WALK)
    said = [" / ".join(pair.sentences) for pair in pairs]
    for mine, theirs in (("41 metres", "58 metres"), ("Jon Falk", "Mads Holm"), ("is dry", "is not dry")):
        assert any(mine in line and theirs in line for line in said), said
    assert not any("waffles" in line or "coal" in line for line in said)
    assert not any("Weddings" in line for line in said), "they say the same"
    assert {pair.kind for pair in pairs} == {"possible"}
    assert all(pair.about for pair in pairs)


def test_the_nearest_come_first_and_no_more_than_are_wanted() -> None:
    all_of_them = paired(HOUSE, WALK)
    assert [pair.sentences for pair in paired(HOUSE, WALK, most=2)] == [p.sentences for p in all_of_them[:2]]
    assert not paired(HOUSE, WALK, most=0)


def test_a_sentence_stands_in_one_pair() -> None:
    years = range(1950, 1960)
    towers = [f"In {year} the tower of the hall in Brevik had {year - 1900} steps." for year in years]
    used = Counter(sentence for pair in paired(*towers, most=99) for sentence in pair.sentences)
    assert used
    assert max(used.values()) == 1


def test_what_was_compared_before_is_compared_with_what_is_new_alone() -> None:
    assert not paired(known=f"{HOUSE} {WALK}")
    assert not paired(HOUSE, known="")
    assert any("58 metres" in pair.sentences[1] for pair in paired(WALK, known=HOUSE))
