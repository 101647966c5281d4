"""The opening keeps to its length, and what has no room in it is told in the sections."""

from typing import Any

import pytest

from library.evidence import Evidence
from library.text.similarity.tfidf import TextStatistics
from mindmap.tree import MindMap
from reports import GivenAnswer
from reports.document import Section, Sentence
from reports.extract.sentence_context import takes_up
from reports.settings import ReportSettings
from reports.write.parts.answer_length import fitted, length_of, nearly_full, too_long
from tests.reports.extract.test_answer import BRIEF, QUESTION, SCRIPT, written
from tests.reports.write.test_rewritten_answer import MANY

ASKED = "Should a village keep bees, and what must it watch out for?"
PARTS = ["Should a village keep bees?", "What must it watch out for?"]
FILLER = "and the wardens of the old mill wrote of it in the book of the parish every spring and every autumn"


def section(heading: str, *told: Sentence) -> Section:
    return Section(heading=heading, level=1, node=None, sentences=list(told))


def said(text: str, passage: str, form: Any = "prose") -> Sentence:
    return Sentence(text=text, citations=[passage], support="supported", form=form)


def opening(*texts: str, form: Any = "prose") -> Section:
    first = said(f"A village should keep bees where lindens stand, {FILLER}.", "p1")
    return section(
        "In brief", first, *(said(f"{t}, {FILLER}.", f"p{n}", form) for n, t in enumerate(texts, 2))
    )


CAUTIONS = [
    "What a village must watch out for is foul brood", "Hives stand far from the school",
    "Swarms are caught in May", "Honey is taken twice", "Mites are counted in June",
    "Old combs are melted", "Smoke calms the bees", "Wasps are kept away", "Winter stores are weighed",
    "Mice gnaw at the wax",
]  # fmt: skip


@pytest.mark.parametrize("form", ["prose", "point"])
def test_what_is_too_long_loses_what_weighs_least_and_the_sections_tell_it(form: Any) -> None:
    answer = opening(*CAUTIONS, form=form)
    sections = [
        section("Hives", said("Hives are of straw.", "p3")),
        section("Care", said("Care is daily.", "p9")),
    ]
    settings, statistics = ReportSettings(), TextStatistics()
    assert too_long(answer, ASKED, "en", settings)[0].startswith("It has ")
    shorter, grown = fitted(answer, sections, ASKED, PARTS, settings, statistics)
    assert 120 <= length_of(shorter.sentences) <= 220
    assert shorter.sentences == answer.sentences[: len(shorter.sentences)], "in the order of weight"
    told = [s.text for s in [*shorter.sentences, *(s for each in grown for s in each.sentences)]]
    assert {s.text for s in answer.sentences} <= set(told), "no fact is lost"
    assert any("stores are weighed" in s.text for s in grown[1].sentences), (
        "beside what the same passage says"
    )
    for each in grown:
        added = [s.text for s in each.sentences[1:]]
        assert added == [s.text for s in answer.sentences if s.text in added], "in the order told"
    assert not too_long(shorter, ASKED, "en", settings)


@pytest.mark.parametrize("many", [7, 8, 9])
def test_what_is_not_far_too_long_loses_nothing(many: int) -> None:
    answer = opening(*CAUTIONS[:many])
    sections = [section("Hives", said("Hives are of straw.", "p3"))]
    assert 200 < length_of(answer.sentences) <= 266
    assert fitted(answer, sections, ASKED, PARTS, ReportSettings(), TextStatistics()) == (answer, sections)


def test_a_length_is_told_in_what_its_writer_counts() -> None:
    [said_of] = too_long(opening(*CAUTIONS), ASKED, "zh", ReportSettings())
    assert "400 characters are the most" in said_of


def test_the_sentence_that_answers_a_part_best_stays_wherever_it_stands() -> None:
    answer = opening(*CAUTIONS[1:], CAUTIONS[0])
    sections = [section("Hives", said("Hives are of straw.", "p30"))]
    shorter, _grown = fitted(answer, sections, ASKED, PARTS, ReportSettings(), TextStatistics())
    assert "foul brood" in shorter.sentences[-1].text
    assert length_of(shorter.sentences) <= 220


def test_what_follows_from_the_others_leaves_after_them() -> None:
    blame = "So the wardens share in the loss (inference)"
    answer = opening(*CAUTIONS[:-1], blame)
    sections = [section("Hives", said("Hives are of straw.", "p30"))]
    shorter, grown = fitted(answer, sections, ASKED, PARTS, ReportSettings(), TextStatistics())
    assert shorter.sentences[-1].text.startswith(blame)
    assert length_of(shorter.sentences) <= 220
    moved = [s.text for s in grown[0].sentences[1:]]
    assert moved == [s.text for s in answer.sentences if s.text in moved], "in the order told"


@pytest.mark.parametrize(("many", "told"), [(5, False), (6, True), (7, True), (8, False)])
def test_who_adds_to_a_full_opening_is_told_how_long_it_is(many: int, told: bool) -> None:
    answer = opening(*(CAUTIONS * 2)[:many])
    said_of = nearly_full(answer, ASKED, "en", ReportSettings())
    assert bool(said_of) is told
    assert all("; 220 words are the most: what comes in takes the place" in line for line in said_of)
    for adds, most in (False, 200), (True, 220):
        long = too_long(opening(*CAUTIONS), ASKED, "en", ReportSettings(), adds=adds)
        assert f"; {most} words are the most." in long[0]


def test_the_steps_of_what_is_to_be_done_count_and_stay_whole() -> None:
    answer = opening(*CAUTIONS, *(f"Then again: {text}" for text in CAUTIONS[:5]), form="step")
    sections = [section("Hives", said("Hives are of straw.", "p3"))]
    settings, statistics = ReportSettings(), TextStatistics()
    for how in (
        "How do I set up a hive?",
        "What must I do to set up a hive?",
        "What are the steps to set up a hive?",
        "Which steps set up a hive?",
        "Which way should we take with a hive, and what do we have to prepare?",
    ):
        [told] = too_long(answer, how, "en", settings)
        assert "steps included; 260 words are the most" in told
        assert told.endswith("Steps are kept, each as short as it can be.")
        assert fitted(answer, sections, how, [], settings, statistics) == (answer, sections)
        # What is no step makes room.
        last = said(f"Bees are kept by many, {FILLER}.", "p3").model_copy(update={"paragraph": True})
        more = answer.model_copy(update={"sentences": [*answer.sentences, last]})
        shorter, grown = fitted(more, sections, how, [], settings, statistics)
        assert shorter == answer
        assert grown[0].sentences[-1].text == last.text


def test_steps_leave_the_opening_all_together_and_stay_steps() -> None:
    answer = opening(*CAUTIONS)
    way = [
        said(text, f"p{n}").model_copy(update={"form": "step", "step": n, "paragraph": True})
        for n, text in enumerate(["Lift the lid.", "Smoke the combs.", "Take the honey."], 1)
    ]
    lead = said("To take the honey:", "p1").model_copy(update={"paragraph": True})
    long = answer.model_copy(update={"sentences": [*answer.sentences, lead, *way]})
    sections = [section("Hives", said("Hives are of straw.", "p30"))]
    shorter, grown = fitted(long, sections, ASKED, PARTS, ReportSettings(), TextStatistics())
    assert length_of(shorter.sentences) <= 220
    assert not [s for s in shorter.sentences if s.form == "step"]
    assert grown[0].sentences[-4:] == [lead, *way]


def test_a_list_of_steps_is_never_cut() -> None:
    answer = opening(*CAUTIONS, form="step")
    sections = [section("Hives", said("Hives are of straw.", "p3"))]
    assert fitted(answer, sections, ASKED, PARTS, ReportSettings(), TextStatistics()) == (answer, sections)


def test_what_the_sections_say_already_is_not_told_twice() -> None:
    answer = opening(*CAUTIONS)
    sections = [section("Care", *answer.sentences[-3:])]
    shorter, grown = fitted(answer, sections, ASKED, PARTS, ReportSettings(), TextStatistics())
    moved = len(answer.sentences) - len(shorter.sentences)
    assert len(grown[0].sentences) == max(3, moved)


def test_what_the_sections_say_in_several_sentences_is_not_hung_on_their_end() -> None:
    answer = opening(*CAUTIONS)
    *_, last = answer.sentences
    [passage] = last.citations
    told = section("Care", said("Mice gnaw.", passage), said(f"At the wax they gnaw, {FILLER}.", passage))
    _shorter, [grown] = fitted(answer, [told], ASKED, PARTS, ReportSettings(), TextStatistics())
    assert last.text not in [s.text for s in grown.sentences]
    other = section("Care", said("Mice gnaw.", passage), said(f"At the wax they gnaw, {FILLER}.", "p99"))
    _shorter, [grown] = fitted(answer, [other], ASKED, PARTS, ReportSettings(), TextStatistics())
    assert last.text in [s.text for s in grown.sentences]


async def test_an_opening_that_is_too_long_is_shortened_once_and_then_cut(
    tree: MindMap, evidence: Evidence, scripted: Any
) -> None:
    told = [f"It was built because the reef wrecked at least thirty ships {'and ships ' * 20}[p2]."]
    told += [f"Ada Merrow kept a diary of the blocks {'and of blocks ' * n}[p4]." for n in range(8, 16)]
    asker = scripted({**SCRIPT, "write_answer": {"paragraph": " ".join(told)}})
    report = await written(tree, evidence, asker)
    _first, second = asker.model.tasks("write_answer")
    assert any(lack.endswith("the sections tell it.") for lack in second.lacks)
    assert length_of(report.sections[0].sentences) <= 220


@pytest.mark.parametrize(
    ("text", "does"),
    [
        ("This year the yield fell.", False),
        ("The yield fell this year, and the hives with it.", False),
        ("This year it fell.", True),
        ("This point was denied.", True),
        ("That point was denied.", True),
        ("That the head of the mill sat on the board raises a question.", False),
    ],
)
def test_the_time_of_telling_takes_up_nothing(text: str, does: bool) -> None:
    assert takes_up(text) is does


def test_a_sentence_goes_with_the_one_that_takes_it_up() -> None:
    answer = opening(*CAUTIONS[:8], "Mice gnaw at the wax", "They come with the frost")
    sections = [section("Hives", said("Hives are of straw.", "p3"))]
    shorter, grown = fitted(answer, sections, ASKED, PARTS, ReportSettings(), TextStatistics())
    moved = [s.text.partition(",")[0] for s in grown[0].sentences[1:]]
    assert moved[-2:] == ["Mice gnaw at the wax", "They come with the frost"]
    assert [s.paragraph for s in grown[0].sentences[-2:]] == [True, False]
    assert length_of(shorter.sentences) <= 220


async def test_what_the_discussion_rests_on_is_cited_in_the_opening_also_where_it_has_no_room(
    tree: MindMap, scripted: Any
) -> None:
    rests = [f"The keepers noted it [p{n}]." for n in range(1, 41)]
    answers = [
        GivenAnswer(question=QUESTION, answer=" ".join(rests[10:30])),
        GivenAnswer(question="Who watched it?", answer=" ".join([*rests[:10], *rests[30:]])),
    ]
    told = " ".join(f"Colza oil burned in the lamp of note {n - 1} [p{n}]." for n in (11, 10, 40))
    script = {**SCRIPT, "plan_sections": {"outline": []}, "write_answer": {"paragraph": told}}
    asker = scripted(script)
    brief = BRIEF.model_copy(update={"answers": answers, "facts": []})
    report = await written(tree, MANY, asker, brief)
    task = asker.model.tasks("write_answer")[0]
    missing = {"p10", "p40"} - {p.id for p in task.evidence}
    assert missing, "not all has room"
    assert all(f"[{i}]" in task.fields()["answers"] for i in missing)
    assert {"p10", "p40"} <= {i for s in report.sections[0].sentences for i in s.citations}


def test_what_must_not_be_done_and_the_way_back_leave_an_opening_last() -> None:
    answer = opening(*CAUTIONS[:-1], "Never open a hive in rain")
    sections = [section("Hives", said("Hives are of straw.", "p30"))]
    shorter, grown = fitted(answer, sections, ASKED, PARTS, ReportSettings(), TextStatistics())
    assert shorter.sentences[-1] == answer.sentences[-1]
    left = [s.text.split(",")[0] for s in grown[0].sentences[1:]]
    assert left == ["Smoke calms the bees", "Wasps are kept away", "Winter stores are weighed"]


def test_what_leaves_an_opening_stands_beside_its_like_and_before_what_leads_to_a_table() -> None:
    answer = opening(*CAUTIONS)
    gone = answer.sentences[-1]
    new = {"paragraph": True}
    told = section(
        "Care",
        said("Care is daily.", "p30"),
        said("Wax is dear.", gone.citations[0]),
        said("Straw is cheap.", "p31").model_copy(update=new),
        said("The table tells what it costs:", "p32").model_copy(update=new),
    )
    _shorter, [grown] = fitted(answer, [told], ASKED, PARTS, ReportSettings(), TextStatistics())
    texts = [s.text for s in grown.sentences]
    assert texts.index(gone.text) == 2
    assert texts[-1] == "The table tells what it costs:"
