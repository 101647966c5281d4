"""An answer that is written again keeps what was good in it, or is not taken."""

from typing import Any

import pytest

from library.evidence import Evidence
from mindmap.tree import MindMap
from reports import GivenAnswer
from reports.document import Sentence
from reports.write.parts.kept_draft import tells_as_much, with_kept
from tests.reports.conftest import make_evidence
from tests.reports.extract.test_answer import BRIEF, QUESTION, SCRIPT, written

LONG = "The lamp of the tower burned colza oil and was trimmed by the keepers every four hours of the night. "
MANY = make_evidence(
    {
        "https://long.example/lamps": ("Lamps", None, [f"Note {n}. {LONG * 7}" for n in range(40)]),
    }
)


def said(text: str, *ids: str, support: Any = "supported") -> Sentence:
    return Sentence(text=text, citations=list(ids), support=support)


def test_a_sentence_that_is_kept_keeps_its_citations() -> None:
    draft = [said("It was built in 1871.", "p1", "p4"), said("It burned.", "p2", support="unsupported")]
    kept = with_kept([said("It was built in 1871."), said("It burned."), said("New.", "p3")], draft)
    assert [s.citations for s in kept] == [["p1", "p4"], [], ["p3"]]


@pytest.mark.parametrize(
    ("rewritten", "lacks", "shorter", "taken"),
    [
        ([said("A and B.", "p1", "p2"), said("C.", "p3")], [], False, True),
        ([said("A.", "p1"), said("C.", "p3")], ["It lacks: C [p3]"], False, True),
        ([said("C.", "p3")], ["It lacks: C [p3]"], False, False),
        ([said("A.", "p1"), said("B.", "p2", support="partial")], [], False, False),
        ([said("A.", "p1")], ["Beside the question: B. [p2]"], False, True),
        ([said("A.", "p1")], ["It has 900 words; 200 is the most."], True, True),
        ([said("Nobody knows.")], ["It has 900 words; 200 is the most."], True, False),
    ],
)
def test_what_tells_fewer_facts_that_stand_does_not_take_the_place_of_its_draft(
    rewritten: list[Sentence], lacks: list[str], shorter: bool, taken: bool
) -> None:
    draft = [said("A.", "p1"), said("B.", "p2"), said("D.", "p4", support="unsupported")]
    assert tells_as_much(rewritten, draft, lacks, shorter=shorter) is taken


def test_a_passage_is_not_missed_where_what_it_says_is_told_with_another() -> None:
    draft = [said("Crowds stood at the gates of the harbour at nine.", "p1", "p2"), said("It rained.", "p3")]
    same = [said("At nine crowds stood at the harbour gates.", "p1", "p3"), said("It rained.", "p3")]
    less = [said("Crowds stood there.", "p1", "p3"), said("It rained.", "p3")]
    assert tells_as_much(same, draft, [], shorter=False)
    assert not tells_as_much(less, draft, [], shorter=False)


async def test_a_rewriting_that_loses_facts_leaves_the_draft(
    tree: MindMap, evidence: Evidence, scripted: Any
) -> None:
    both = "Ada Merrow kept a diary [p4]. The reef wrecked thirty ships [p2]."
    other = {"paragraph": "Masons had four hours a day [p3]."}
    lacking = {"lacks": [{"what": "who built it", "passages": ["p3"]}]}
    asker = scripted({**SCRIPT, "write_answer": [{"paragraph": both}, other], "review_answer": lacking})
    report = await written(tree, evidence, asker)
    assert [s.citations for s in report.sections[0].sentences] == [["p4"], ["p2"]]

    # What the judge wanted gone is no part of the draft that stays.
    answers = [{"paragraph": both}, {"paragraph": "Nobody knows."}]
    beside = {**lacking, "beside": [1]}
    asker = scripted({**SCRIPT, "write_answer": answers, "review_answer": beside})
    report = await written(tree, evidence, asker)
    assert [s.citations for s in report.sections[0].sentences] == [["p2"]]


async def test_whoever_writes_the_answer_sees_all_that_the_last_one_and_the_draft_rest_on(
    tree: MindMap, scripted: Any
) -> None:
    closing = [f"p{n}" for n in range(11, 31)]
    answer = GivenAnswer(question=QUESTION, answer=" ".join(f"The keepers noted it [{i}]." for i in closing))
    cited = [f"p{n}" for n in range(1, 6)]
    draft = {"paragraph": " ".join(f"The keepers trimmed the lamp [{i}]." for i in [*cited, *closing[:1]])}
    lacking = {"lacks": [{"what": "the last night", "passages": ["p40"]}]}
    brief = BRIEF.model_copy(update={"answers": [answer], "facts": [f"Lamp note [{i}]." for i in cited]})
    script = {**SCRIPT, "plan_sections": {"outline": []}, "write_answer": draft, "review_answer": lacking}
    asker = scripted(script)
    await written(tree, MANY, asker, brief)
    first, second = asker.model.tasks("write_answer")
    assert set(closing) <= {p.id for p in first.evidence}
    told = {i for i in cited if i in {p.id for p in first.evidence}}
    assert {"p40", *told, *closing} <= {p.id for p in second.evidence}
    assert (first.words[1], second.words[1]) == (200, 220), "what comes in has some room"
    assert all(p.text.strip() in second.fields()["passages"] for p in second.evidence), "whole"


async def test_who_rewrites_an_answer_learns_what_does_not_stand_and_what_corrected_its_end(
    tree: MindMap, evidence: Evidence, scripted: Any
) -> None:
    def judge(task: Any) -> Any:
        refused = {"support": "partial", "reason": "no owner of the reef is named"}
        found = [
            {"n": c.n, "words": "", **(refused if "reef" in c.text else {"support": "supported"})}
            for c in task.claims
        ]
        return {"verdicts": found}

    lacking = {"lacks": [{"what": "who built it", "passages": ["p3"]}], "beside": [], "unsaid": []}
    asker = scripted({**SCRIPT, "review_answer": lacking, "judge_section": judge})
    later = GivenAnswer(question="Was it the reef alone?", answer="The money came later [p1].")
    earlier = GivenAnswer(question="Who kept a diary?", answer="Ada Merrow kept one of all blocks [p4].")
    brief = BRIEF.model_copy(update={"answers": [earlier, *BRIEF.answers, later]})
    await written(tree, evidence, asker, brief)
    _first, second = asker.model.tasks("write_answer")
    [point] = [lack for lack in second.lacks if lack.startswith("What it cites does not bear this out")]
    assert "wrecked at least thirty ships" in point
    assert [question for question, _ in second.answers] == [QUESTION, later.question]


async def test_who_judges_the_answer_sees_what_its_writer_saw_and_others_stand_beside_the_last_one(
    tree: MindMap, scripted: Any
) -> None:
    closing = [f"p{n}" for n in range(11, 31)]
    answer = GivenAnswer(question=QUESTION, answer=" ".join(f"The keepers noted it [{i}]." for i in closing))
    brief = BRIEF.model_copy(update={"answers": [answer], "facts": []})
    asker = scripted({**SCRIPT, "plan_sections": {"outline": []}})
    await written(tree, MANY, asker, brief)
    writing, *_again = asker.model.tasks("write_answer")
    judging, *_again = asker.model.tasks("review_answer")
    shown = [p.id for p in writing.evidence]
    assert shown == [i for i, _text in judging.evidence]
    assert len(set(shown) - set(closing)) > 1, "the last answer may have passed over what a reader needs"
