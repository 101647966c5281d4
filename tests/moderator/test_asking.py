"""What the moderator asks from."""

from types import SimpleNamespace
from typing import Any

import pytest

from library import Evidence, Passage, TextStatistics
from moderator.agenda import Agenda
from moderator.moderator import Moderator
from moderator.tasks import AskQuestion, QuestionDraft

TEXTS = (
    "The dam of Asterby broke because its spillway was blocked with driftwood.",
    "The inquiry said that the dam of Asterby broke after nobody had cleared the spillway.",
    "A cycling club rode through another valley and sang.",
)


@pytest.mark.parametrize(
    ("topic", "last"), [("Why did the dam of Asterby break?", "p2"), ("The dam of Asterby", "p3")]
)
async def test_of_what_was_found_for_a_question_the_model_is_shown_what_is_near_the_topic(
    topic: str, last: str
) -> None:
    passages = {
        f"p{n}": Passage(
            id=f"p{n}", sha256=f"{n:064d}", url=f"file:///{n}.md", title="", text=text, start=0, end=len(text)
        )
        for n, text in enumerate(TEXTS, 1)
    }  # fmt: skip
    asked: list[Any] = []

    async def ask(task: Any) -> QuestionDraft:
        asked.append(task)
        return QuestionDraft(question="", search="", why="")

    view: Any = SimpleNamespace(
        topic=topic, language="en", turns=(), directions=(), evidence=Evidence(passages)
    )
    context: Any = SimpleNamespace(chooses=True, statistics=TextStatistics(), ask=ask, memory=tuple)
    await Moderator(view, Agenda(), context).speak(SimpleNamespace())  # type: ignore[arg-type]
    assert asked[0].unused[-1].id == last, "the last ones are shown"
    view.evidence = Evidence({})
    said = await Moderator(view, Agenda(), context).speak(SimpleNamespace())  # type: ignore[arg-type]
    assert (said.text, len(asked)) == ("", 1), "nothing is asked of a model that would be shown nothing"


DOCK = "Night sailings need a pilot. The pilot boards at the outer dock before midnight."
HOW = "How does a pilot board a ship at the outer dock?"


def _unused(*pages: tuple[str, str]) -> tuple[Passage, ...]:
    return tuple(
        Passage(f"{n:064d}", 0, len(text), text, f"file:///{n}.md", title, id=f"p{n}")
        for n, (title, text) in enumerate(pages, 1)
    )


def _asks(topic: str, *pages: tuple[str, str]) -> str:
    task = AskQuestion(topic=topic, language="en", asked=(), discussion="", unused=_unused(*pages))
    return task.extract(TextStatistics()).question


def test_without_a_model_nothing_is_asked_beside_a_question() -> None:
    money = ("Donations and bounties", "We take money by card, by cheque and in coins of any country.")
    assert "Donations" not in _asks(HOW, ("Boarding by night", DOCK), money)
    assert _asks(HOW, money) == ""


@pytest.mark.parametrize(
    ("topic", "pages"),
    [
        (
            "科尔杜昂灯塔",
            (
                ("科尔杜昂灯塔", "科尔杜昂灯塔。"),
                ("守塔人", "守塔人每两周轮换一次，守塔人用铁炉做饭，并保持油灯燃烧。"),
                ("守塔人", "守塔人写日志，1950年以后有了无线电。"),
                ("采石场", "石料来自石灰岩采石场，用驳船运来。"),
            ),
        ),
        (
            "Leuchtturm von Cordouan",
            (
                ("Leuchtturm von Cordouan", "Der Leuchtturm von Cordouan."),
                ("Wärter", "Die Wärter wohnten im Turm und die Wärter kochten auf einem Eisenofen."),
                ("Wärter", "Die Wärter hatten ab 1950 ein Funkgerät und schrieben ein Logbuch."),
                ("Steinbruch", "Der Kalkstein kam aus dem Steinbruch bei Taillebourg auf Kähnen."),
            ),
        ),
    ],
)
def test_without_a_model_a_subject_is_asked_about_beyond_the_page_that_bears_its_name(
    topic: str, pages: tuple[tuple[str, str], ...]
) -> None:
    assert _asks(topic, *pages)


def test_without_a_model_a_page_that_says_a_question_again_does_not_hide_the_others() -> None:
    stone = (
        "The stone of the lighthouse came from limestone quarries at Taillebourg and was brought by barge."
    )
    pages = (
        ("How was the lighthouse of Cordouan built", "How the lighthouse of Cordouan was built."),
        ("Keepers", "The keepers of the lighthouse lived in shifts of two weeks and cooked on a stove."),
        ("Keepers", "Each keeper of the lighthouse wrote a logbook."),
        ("Limestone quarries", stone),
        ("Limestone quarries", "The limestone quarries also delivered the blocks for the sea wall."),
        ("Fresnel lens", "A Fresnel lens was first tried here in 1823."),
        ("Fresnel lens", "The Fresnel lens gave a beam seen from afar."),
    )
    assert _asks("How was the lighthouse of Cordouan built?", *pages)


def test_without_a_model_one_word_of_another_language_names_something() -> None:
    pages = (
        ("Seite 1", "Der Turm steht auf einem Felsen im Meer, und der Felsen ist nass."),
        ("Seite 2", "Der Turm wurde auf dem Felsen gebaut, und der Felsen hielt."),
    )
    assert "Felsen" in _asks("Wie wurde der Turm gebaut?", *pages)


def test_without_a_model_it_is_asked_by_a_heading_that_names_one_page() -> None:
    assert _asks(HOW, ("Boarding by night", DOCK)) == "What else should one know about Boarding by night?"
    assert "Example" not in _asks(HOW, ("Example", DOCK), ("Example", f"{DOCK} Or he climbs."))
    notes = ("Boarding by night", f"# Boarding by night\n\n## Additional Notes\n\n{DOCK}\n\n## Other Matters")
    assert _asks(HOW, notes) == "What else should one know about Boarding by night?"
    notes = ("boarding.html", notes[1].replace("# Boarding by night", ""))
    assert "Additional" not in _asks(HOW, notes)
    assert "Other" not in _asks(HOW, notes)
