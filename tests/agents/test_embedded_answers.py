"""What an expert answers without a language model."""

from agents.research.moves.respond import Respond
from library import Passage, TextStatistics

GLUE = "Epoxy is the glue that holds a cracked porcelain cup. It bears to be washed hot every day."
OVEN = "The oven for glazing is heated for nine hours. Its door stays shut until the next morning."
SAID = "Epoxy is the glue that holds a cracked porcelain cup."
ASKED = "Which glue holds a cracked porcelain cup?"


def _passage(n: int, text: str) -> Passage:
    return Passage(f"{n:064d}", 0, len(text), text, f"file:///{n}.md", f"Page {n}", id=f"p{n}")


def _answer(topic: str, question: str, *said: str, closing: bool = False) -> str:
    held = (_passage(1, GLUE), _passage(2, OVEN))
    task = Respond(
        topic=topic, language="en", expert="The practitioner. Focus: the oven for glazing", places=(),
        discussion="", branch="", question=question, passages=held, said=said, closing=closing,
    )  # fmt: skip
    return task.extract(TextStatistics()).answer


def test_the_topic_asked_at_the_end_is_answered_though_all_was_said_before() -> None:
    for topic in (ASKED, "Glue for porcelain cups"):
        assert SAID in _answer(topic, topic, *GLUE.split(". "), SAID, closing=True)


def _quoted_of(topic: str, question: str, *texts: str, closing: bool = False) -> str:
    task = Respond(
        topic=topic, language="en", expert="The practitioner", places=(), discussion="", branch="",
        question=question, passages=tuple(_passage(n, t) for n, t in enumerate(texts, 1)), closing=closing,
    )  # fmt: skip
    return task.extract(TextStatistics()).answer


def test_an_expert_s_answer_is_from_pages_that_answer_the_topic_or_the_question_itself() -> None:
    glues = (f"Glue number {n} holds a cracked porcelain cup for {n} years." for n in range(1, 8))
    asked = "How long is the oven for glazing heated?"
    other = "The workshop is open on Monday and on every other day of the week but one."
    answer = _quoted_of(ASKED, asked, *glues, OVEN, other)
    assert "[p8]" in answer
    assert "[p1]" in answer
    assert "[p9]" not in answer


def test_each_part_of_a_topic_is_answered_at_the_end() -> None:
    asked = "How do I make a backup, how do I restore it, how do I delete old ones, and how do I mount one?"
    pages = (
        "Borg create makes a backup of a folder into a repository. The backup is encrypted.",
        "Borg extract restores a backup into the current folder. A single file can be restored too.",
        "Old backups are deleted by borg prune. It keeps seven daily backups when asked to.",
        "A backup may be mounted as a file system with borg mount.",
    )
    answer = _quoted_of(asked, asked, *pages, closing=True)
    assert [f"[p{n}]" in answer for n in range(1, 5)] == [True] * 4


def test_a_closing_answer_may_be_as_long_as_what_was_found_needs() -> None:
    def length(found: int, *, closing: bool) -> str:
        held = tuple(_passage(n, f"{GLUE} {n}") for n in range(1, found + 1))
        task = Respond(
            topic=ASKED, language="en", expert="The practitioner", places=(), discussion="", branch="",
            question=ASKED, passages=held, closing=closing,
        )  # fmt: skip
        return task.fields()["length"]

    assert [length(n, closing=True) for n in (4, 24, 60)] == ["up to 12", "up to 16", "up to 20"]
    assert length(60, closing=False) == "3 to 8"
