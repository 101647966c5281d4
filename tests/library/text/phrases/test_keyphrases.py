from library.text.phrases.keyphrases import phrases
from library.text.similarity.tfidf import TextStatistics


def test_no_phrase_begins_with_a_figure_that_ends_the_row_before():
    rows = "Apiary: Upper Mill | Honey in kg: 210.5 Apiary: Oak Farm | Honey in kg: 702.25 Apiary: Road"
    found = phrases([rows], 20, [], TextStatistics())
    assert any("Oak Farm" in phrase for phrase in found)
    assert not any("Apiary" in phrase and len(phrase.split()) > 1 for phrase in found), found


def test_whose_a_text_is_is_no_phrase_of_it():
    lines = "Copyright © 1996-2019 Ada Merrow\nBlocks are sorted. © Orrin Harbour Trust\n(c) 2020 Ben Holt\n"
    found = phrases([lines + "The Orrin lighthouse sorts blocks."], 20, [], TextStatistics())
    assert not [phrase for phrase in found if {*phrase.split()} & {"Merrow", "Harbour", "Trust", "Holt"}]
    assert any("lighthouse" in phrase for phrase in found)
