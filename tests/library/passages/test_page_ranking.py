from hashlib import sha256

from library.evidence import Passage
from library.passages import rank_pages
from library.text.similarity.tfidf import TextStatistics


def passage(title: str, text: str) -> Passage:
    page = sha256(title.encode()).hexdigest()
    return Passage(page, 0, len(text), text, f"file:///{title}", title)


HOLD = passage("Keeping a version", "A package that is put on hold stays at the version that is installed.")
CUSTOMS = passage("Post", "One package was stopped by the customs, and from there it went back by ship.")


def test_the_page_that_means_what_is_asked_comes_before_the_one_that_shares_its_words():
    asked = "How do I stop one package from being upgraded?"
    ranked = rank_pages(asked, [CUSTOMS, HOLD], TextStatistics())
    assert next(iter(ranked)) == HOLD.sha256


def test_of_a_language_that_is_not_known_words_decide():
    asked = "Wie werden die Daten der Firma gesichert?"
    right = passage("Sicherung", "Die Daten der Firma werden in der Nacht gesichert, und zwar auf ein Band.")
    wrong = passage("Band", "Das Band der Firma spielt in der Nacht, und die Leute tanzen dazu mit Freude.")
    ranked = rank_pages(asked, [wrong, right], TextStatistics())
    assert list(ranked)[0] == right.sha256


def test_a_page_without_a_word_of_the_question_and_far_from_its_meaning_has_no_fit():
    [fit] = rank_pages("How are bees kept over winter?", [CUSTOMS], TextStatistics()).values()
    assert fit == 0
