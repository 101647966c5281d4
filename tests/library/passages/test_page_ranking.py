from collections.abc import Sequence
from hashlib import sha256

from library.evidence import Passage
from library.passages import holds_answer, rank_pages
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


class Counting(TextStatistics):
    """Counts the texts that are looked at for what they mean."""

    looked_at = 0

    def meaning(self, query: str, texts: Sequence[str]) -> list[float] | None:
        self.looked_at += len(texts)
        return super().meaning(query, texts)


def notes(number: int, last: str = "") -> Passage:
    things = (
        "gate",
        "stone",
        "river",
        "shelf",
        "lamp",
        "rope",
        "barrel",
        "ladder",
        "bucket",
        "wheel",
        "nail",
    )
    lines = [f"- {thing} in store {number}, {n} left to paint" for n, thing in enumerate(things)]
    return passage(f"List {number}", "\n".join([*lines, *([last] if last else [])]))


def test_of_many_notes_those_that_share_words_are_looked_at_and_not_all():
    asked = "How long is the ferry closed in winter?"
    lists = [notes(n) for n in range(12)]
    counting = Counting()
    assert not holds_answer(asked, lists, counting)
    assert len(lists) < counting.looked_at <= len(lists) + 100
    told = notes(12, "- ferry closed in winter, for ten weeks from december")
    assert holds_answer(asked, [*lists, told], Counting()), "the last note of all answers"


def test_each_section_of_short_notes_may_answer():
    text = (
        "# The house\n\n## Heating\n\nThe boiler stands in the cellar. Turn it on with the red switch and "
        "wait ten minutes. If it does not start, reset it.\n\n## Rubbish\n\nThe bins are emptied "
        "on Tuesdays. Put them at the road the evening before. Paper every second week.\n\n"
        "## Insurance\n\nThe house is insured with the Harbour Mutual. The policy's number stands on the "
        "folder in the desk."
    )
    assert holds_answer("When are the bins emptied?", [passage("The house", text)], TextStatistics())
    assert not holds_answer("How are bees kept over winter?", [passage("The house", text)], TextStatistics())
