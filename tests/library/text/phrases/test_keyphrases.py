from library.text.phrases.keyphrases import phrases
from library.text.similarity.tfidf import TextStatistics


def test_the_end_of_a_row_and_the_head_of_the_next_are_no_phrase():
    rows = ["Apiary: Upper Mill | Honey in kg: 210.5", "Apiary: Oak Farm | Honey in kg: 702.25", "Apiary: X"]
    found = phrases(["\n".join(rows)], 20, [], TextStatistics())
    assert any("Oak Farm" in phrase for phrase in found)
    assert not any("Apiary" in phrase and len(phrase.split()) > 1 for phrase in found), found
