"""A report that a language model writes: the answer first, an outline for the question, nothing lost."""

import json
from typing import Any

import pytest

from library.evidence import Evidence
from library.text.similarity.tfidf import TextStatistics
from mindmap.tree import MindMap
from models.prompting.prompts import render
from reports import (
    Brief,
    Counts,
    GivenAnswer,
    OutlineUnreadable,
    Report,
    ReportedContradiction,
    Side,
    read_outline,
    report_json,
    report_markdown,
    write_report,
)

QUESTION = "Why was the Orrin lighthouse built, and who built it?"
BRIEF = Brief(
    topic=QUESTION,
    open_questions=["Who pays for the helicopter?", "How many emigrants drowned in the wreck of 1848?"],
    gaps=["No passage says who pays for the helicopter [p8]."],
    answers=[
        GivenAnswer(question=QUESTION, answer="The reef wrecked thirty ships [p2]. It is of 1871 [p1].")
    ],
    facts=["Ada Merrow kept a diary of all blocks. [p4]", "Masons had four hours a day. [p3]"],
    counts=Counts(models=["openai:a-model"]),
)


def sections(task: Any) -> Any:
    """Write of each section what its needed passages say, one sentence each."""
    told = {
        "p1": "The tower cost 62,000 pounds [p1].",
        "p2": "The reef wrecked at least thirty ships in a century [p2].",
        "p3": "The masons could work only while the tide was out [p3].",
        "p4": "",
    }
    return {
        "sections": [
            {"n": n, "paragraphs": [" ".join(told.get(i, "") for i in part.needed)]}
            for n, part in enumerate(task.parts, 1)
        ]
    }


OUTLINE = {
    "outline": [
        {"heading": "The dangers of the reef", "purpose": "Why.", "words": 100, "passages": ["p2"]},
        {"heading": "the builders", "purpose": "Who.", "words": 100, "passages": ["p3", "p99", "p2"]},
        {"heading": "Empty", "purpose": "", "words": 100, "passages": []},
    ],
    "aside": [{"passages": ["p1"], "reason": "tells of money"}, {"passages": ["p5"], "reason": ""}],
}
ANSWER = {
    "found": True,
    "paragraph": "It was built because the reef wrecked at least thirty ships [p2]. Ada Merrow did [p99].",
    "unsaid": ["who paid for it."],
}
SCRIPT: dict[str, Any] = {
    "plan_sections": OUTLINE,
    "check_gaps": {
        "gaps": ["who pays for the helicopter", "who it is that pays for the helicopter", "what m7 noted"],
        "answered": [{"n": 2, "passages": ["p2", "p99"]}],
    },
    "write_answer": ANSWER,
    "write_sections": sections,
    "judge_section": lambda task: {
        "verdicts": [{"n": claim.n, "support": "supported", "words": ""} for claim in task.claims]
    },
    "title_report": {"title": "Why the lighthouse was built"},
}


async def written(tree: MindMap, evidence: Evidence, asker: Any, brief: Brief = BRIEF) -> Report:
    return await write_report(brief, tree, evidence, asker, TextStatistics())


async def test_the_answer_comes_first_cited_and_says_what_the_sources_do_not(
    tree: MindMap, evidence: Evidence, scripted: Any
) -> None:
    report = await written(tree, evidence, scripted(SCRIPT))
    first = report.sections[0]
    assert [(s.text, s.citations, s.support) for s in first.sentences] == [
        ("It was built because the reef wrecked at least thirty ships.", ["p2"], "supported")
    ], "what cites nothing that was shown does not stand"
    assert first.closing == "The sources do not say who paid for it."
    assert (report.answer.found, report.answer.sentences) == (True, 1)
    assert '"answer": {\n    "found": true,\n    "sentences": 1\n  }' in report_json(report)
    printed = report_markdown(report, evidence)
    assert printed.index("thirty ships") < printed.index("The sources do not say who paid for it.")
    assert printed.index("who paid for it.") < printed.index("## The dangers of the reef")


async def test_the_answer_is_written_from_what_the_discussion_rests_on_and_then_from_the_rest(
    tree: MindMap, evidence: Evidence, scripted: Any
) -> None:
    asker = scripted(SCRIPT)
    await written(tree, evidence, asker)
    (task,) = asker.model.tasks("write_answer")
    ids = [passage.id for passage in task.evidence]
    assert ids[:3] == ["p2", "p4", "p3"], "what answers and facts rest on"
    assert len(ids) == 8, "and the nearest of the rest"
    assert "p1" not in ids, "what the outline set aside has no place here"
    assert task.silent == ["who pays for the helicopter"]


async def test_the_outline_is_planned_for_the_question_and_forgets_nothing(
    tree: MindMap, evidence: Evidence, scripted: Any
) -> None:
    asker = scripted(SCRIPT)
    report = await written(tree, evidence, asker)
    (planned,) = asker.model.tasks("plan_sections")
    assert planned.resting == ["p2", "p1", "p4", "p3"]
    parts = [part for task in asker.model.tasks("write_sections") for part in task.parts]
    assert [part.heading for part in parts] == ["The dangers of the reef", "The builders"]
    assert [part.purpose for part in parts] == ["Why.", "Who."]
    had = {part.heading: [p.id for m in part.materials for p in m.passages] for part in parts}
    assert sorted(i for part in parts for i in part.needed) == ["p2", "p3", "p4"]
    beside = [i for ids in had.values() for i in ids if i not in planned.resting]
    assert "p1" not in had["The dangers of the reef"] + had["The builders"], "it is set aside"
    assert len(beside) == len(set(beside)), "what nobody cited is offered to one section"
    assert had["The dangers of the reef"][0] == "p2", "a passage stands in one section, and p4 was forgotten"
    assert [s.heading for s in report.sections[1:]] == ["The dangers of the reef", "The builders"]


async def test_the_planned_outline_is_kept_to_be_edited_and_followed(
    tree: MindMap, evidence: Evidence, scripted: Any
) -> None:
    report = await written(tree, evidence, scripted(SCRIPT))
    lines = report.outline.splitlines()
    assert lines[0].startswith("# The dangers of the reef <!-- p2")
    assert lines[0].endswith(", 100 words -->")
    assert lines[1] == "Why."
    assert "outline" not in json.loads(report_json(report))

    edited = report.outline.replace("The builders", "Masons").replace("Who.", "Who laid the stones.")
    asker = scripted(SCRIPT)
    again = await write_report(
        BRIEF, tree, evidence, asker, TextStatistics(), plans=read_outline(edited, tree, evidence)
    )
    assert asker.model.tasks("plan_sections") == []
    parts = [part for task in asker.model.tasks("write_sections") for part in task.parts]
    assert [(p.heading, p.purpose) for p in parts] == [
        ("The dangers of the reef", "Why."), ("Masons", "Who laid the stones.")
    ]  # fmt: skip
    assert again.outline == edited
    with pytest.raises(OutlineUnreadable, match="line 1 of the outline: the session has no passage p999"):
        read_outline("# A <!-- p999 -->", tree, evidence)
    with pytest.raises(OutlineUnreadable, match="nodes or passages after a heading, not both"):
        read_outline("# A <!-- n1 p2 -->", tree, evidence)


async def test_what_answers_rest_on_is_told_or_left_out_with_the_reason(
    tree: MindMap, evidence: Evidence, scripted: Any
) -> None:
    report = await written(tree, evidence, scripted(SCRIPT))
    assert [(one.passage, one.reason) for one in report.left_out] == [
        ("p1", "tells of money"), ("p4", "the writer left it out")
    ]  # fmt: skip
    assert (report.summary.resting, report.summary.resting_told) == (4, 2)
    assert any("rest on: 4, of which the report tells: 2." in line for line in report.back.made)

    asker = scripted({
        **SCRIPT,
        "tell_left_out": {
            "add": [{"after": 2, "text": "The engineer Ada Merrow kept a diary of 2,300 blocks [p4][p99]."}],
        },
    })  # fmt: skip
    report = await written(tree, evidence, asker)
    assert [p.id for p in asker.model.tasks("tell_left_out")[0].passages] == ["p4"]
    assert [one.passage for one in report.left_out] == ["p1"]
    assert [s.text for s in report.sections[2].sentences][-1].startswith("The engineer Ada Merrow")
    assert report.sections[2].sentences[-1].citations == ["p4"]


@pytest.mark.parametrize("support", ["supported", "partial", "unsupported"])
async def test_a_source_is_cited_along_only_where_it_says_the_whole_sentence(
    tree: MindMap, evidence: Evidence, scripted: Any, support: str
) -> None:
    def judge(task: Any) -> Any:
        verdicts = [
            {"n": c.n, "support": support if c.citations == ["p4"] else "supported"} for c in task.claims
        ]
        return {"verdicts": verdicts}

    also = {"also": [{"n": 2, "passages": ["p4", "p2"]}]}
    report = await written(
        tree, evidence, scripted({**SCRIPT, "tell_left_out": also, "judge_section": judge})
    )
    (sentence,) = report.sections[2].sentences
    assert sentence.citations == (["p3", "p4"] if support == "supported" else ["p3"])


async def test_an_answer_that_lacks_something_is_written_once_more(
    tree: MindMap, evidence: Evidence, scripted: Any
) -> None:
    better = {
        "found": True,
        "paragraph": "The reef wrecked at least thirty ships [p2]. Masons built it in four hours a day [p3].",
        "unsaid": [],
    }
    lacking = {"lacks": [{"what": "who built it", "passages": ["p3", "p99"]}], "beside": [1, 7], "unsaid": []}
    asker = scripted({**SCRIPT, "write_answer": [ANSWER, better], "review_answer": lacking})
    report = await written(tree, evidence, asker)
    assert [s.citations for s in report.sections[0].sentences] == [["p2"], ["p3"]]
    assert report.sections[0].closing == ""
    _first, second = asker.model.tasks("write_answer")
    assert second.lacks == [
        "It lacks: who built it [p3]",
        "Beside the question: It was built because the reef wrecked at least thirty ships. [p2]",
    ]
    assert second.evidence[0].id == "p3"

    empty = {"paragraph": "Nobody knows."}
    asker = scripted({**SCRIPT, "write_answer": [ANSWER, empty], "review_answer": lacking})
    report = await written(tree, evidence, asker)
    assert report.sections[0].sentences[0].citations == ["p2"], "no better: the first one stands"


@pytest.mark.parametrize(
    ("told", "left"),
    [
        ([{"n": 1}], []),
        ([{"n": 1, "rest": "who paid for it in 1990 [p3]"}], ["Who paid for it in 1990"]),
        ([{"n": 7}], ["Who pays for the helicopter"]),
    ],
)
async def test_what_the_judge_of_the_opening_finds_told_is_no_gap(
    tree: MindMap, evidence: Evidence, scripted: Any, told: list[dict[str, Any]], left: list[str]
) -> None:
    asker = scripted({**SCRIPT, "review_answer": {"told": told}})
    report = await written(tree, evidence, asker)
    assert report.back.open_questions == left
    (task,) = asker.model.tasks("review_answer")
    assert "1. who pays for the helicopter" in render(task).user


async def test_each_part_of_what_was_asked_is_answered_or_said_to_be_open(
    tree: MindMap, evidence: Evidence, scripted: Any
) -> None:
    parts = ["Why was the Orrin lighthouse built?", "Who built it?"]
    asker = scripted({**SCRIPT, "review_answer": {"parts": [2, 9]}})
    report = await written(tree, evidence, asker, BRIEF.model_copy(update={"parts": parts}))
    for name in ("plan_sections", "write_answer", "review_answer"):
        shown = render(asker.model.tasks(name)[0]).user
        assert f"{QUESTION}\n  1. {parts[0]}\n  2. {parts[1]}\n" in shown, name
    _first, second = asker.model.tasks("write_answer")
    assert [lack.rpartition(": ")[2] for lack in second.lacks] == ["Who built it?"]
    sections = [part for task in asker.model.tasks("write_sections") for part in task.parts]
    had = {part.heading: [p.id for m in part.materials for p in m.passages] for part in sections}
    assert "p2" in had["The dangers of the reef"]
    assert "p2" in had["The builders"], "one passage may serve two parts"
    assert report.sections[0].sentences


async def test_what_the_sources_do_not_say_is_named_once_in_clean_words(
    tree: MindMap, evidence: Evidence, scripted: Any
) -> None:
    asker = scripted(SCRIPT)
    report = await written(tree, evidence, asker)
    assert report.back.open_questions == ["Who pays for the helicopter"]
    (task,) = asker.model.tasks("check_gaps")
    assert task.points == BRIEF.open_questions, "a note that says a question again is no second point"
    assert {"p2", "p8"} <= {passage.id for passage in task.passages}, "the nearest of all that was admitted"


async def test_a_subject_is_laid_out_as_its_map_is(tree: MindMap, evidence: Evidence, scripted: Any) -> None:
    asker = scripted(SCRIPT)
    brief = BRIEF.model_copy(update={"topic": "The Orrin lighthouse"})
    report = await written(tree, evidence, asker, brief)
    assert asker.model.tasks("plan_sections") == []
    assert report.sections[0].heading == "In brief"
    assert {s.node for s in report.sections[1:]} <= {"n1", "n2", "n3", "n4"}


async def test_an_empty_outline_leaves_the_map(tree: MindMap, evidence: Evidence, scripted: Any) -> None:
    report = await written(tree, evidence, scripted({**SCRIPT, "plan_sections": {"outline": []}}))
    assert {s.node for s in report.sections[1:]} <= {"n1", "n2", "n3", "n4"}


async def test_facts_on_one_matter_become_one_sentence_with_all_their_sources(
    tree: MindMap, evidence: Evidence, scripted: Any
) -> None:
    def smooth(task: Any) -> Any:
        told = [s for section in task.sections for s in section.sentences]
        n = next(i for i, s in enumerate(told, 1) if "[p3]" in s)
        merged = "The masons worked at low tide where the reef wrecked at least thirty ships. [p2][p3]"
        return {"edits": [{"n": 1, "text": ""}, {"n": n, "text": merged}]}

    async def last_cited(script: dict[str, Any]) -> list[str]:
        report = await written(tree, evidence, scripted({**script, "smooth_report": smooth}))
        return [s.citations for section in report.sections[1:] for s in section.sentences][-1]

    planned = json.loads(json.dumps(SCRIPT["plan_sections"]).replace("The dangers of the reef", "Losses"))
    elsewhere = {**SCRIPT, "plan_sections": planned}
    assert await last_cited(elsewhere) == ["p2", "p3"]
    assert await last_cited(SCRIPT) == ["p3"], (
        "the first one stays, for its heading speaks of it: what it tells is not told twice"
    )

    lost = {"edits": [{"n": 2, "text": ""}]}
    report = await written(tree, evidence, scripted({**SCRIPT, "smooth_report": lost}))
    assert "p3" in {i for x in report.sections for s in x.sentences for i in s.citations}, (
        "no edit leaves out what nothing else tells"
    )


async def test_chinese_phrases_stand_in_a_chinese_report(
    tree: MindMap, evidence: Evidence, scripted: Any
) -> None:
    brief = BRIEF.model_copy(update={"language": "zh"})
    report = await written(tree, evidence, scripted(SCRIPT), brief)
    assert report.sections[0].closing == "来源没有说明who paid for it。"
    assert [one.reason for one in report.left_out][-1] == "撰写者未采用"
    assert "## 来源没有说明的问题" in report_markdown(report, evidence)


async def test_a_paragraph_still_opens_where_its_first_sentence_had_to_go(
    tree: MindMap, evidence: Evidence, scripted: Any
) -> None:
    def two(task: Any) -> Any:
        told = ["The reef wrecked ships [p2].", "That was bad. Thirty ships were lost in a century [p2]."]
        return {
            "sections": [
                {"n": n, "paragraphs": told if part.heading == "The dangers of the reef" else []}
                for n, part in enumerate(task.parts, 1)
            ]
        }

    report = await written(tree, evidence, scripted({**SCRIPT, "write_sections": two}))
    section = next(s for s in report.sections if s.heading == "The dangers of the reef")
    assert [(s.text, s.paragraph) for s in section.sentences] == [
        ("The reef wrecked ships.", True), ("Thirty ships were lost in a century.", True)
    ]  # fmt: skip


async def test_a_later_answer_spares_the_prompt_what_earlier_ones_said(
    tree: MindMap, evidence: Evidence, scripted: Any
) -> None:
    asker = scripted(SCRIPT)
    answers = [
        GivenAnswer(question=QUESTION, answer="Early words [p2]."),
        GivenAnswer(question="How much did it cost?", answer="A diary tells of it [p4]."),
        GivenAnswer(question=QUESTION, answer="Late words [p2]."),
    ]
    await written(tree, evidence, asker, BRIEF.model_copy(update={"answers": answers}))
    (task,) = asker.model.tasks("write_answer")
    said = [answer for _question, answer in task.answers]
    assert said == ["A diary tells of it. [p4]", "Late words. [p2]"]


async def test_a_sentence_that_rests_on_a_passage_set_aside_too_is_not_said_of_the_others(
    tree: MindMap, evidence: Evidence, scripted: Any
) -> None:
    asker = scripted(SCRIPT)
    told = "It cost 62,000 pounds and wrecked ships [p1][p2]. So it was worth it (inference) [p1][p2]."
    brief = BRIEF.model_copy(update={"answers": [GivenAnswer(question=QUESTION, answer=told)]})
    await written(tree, evidence, asker, brief)
    (task,) = asker.model.tasks("write_answer")
    assert "p1" not in {passage.id for passage in task.evidence}
    assert task.answers == [(QUESTION, "So it was worth it (inference). [p2]")]


async def test_where_nothing_answers_the_report_says_so_and_tells_what_is_nearest(
    tree: MindMap, evidence: Evidence, scripted: Any
) -> None:
    said = "The masons had to wait for the tide [p3]."
    kinds = ["the accounts of the harbour board."]
    nearest = {"found": False, "paragraph": said, "unsaid": ["who paid", "what they ate"]}
    nearest["look_for"] = kinds
    report = await written(tree, evidence, scripted({**SCRIPT, "write_answer": nearest}))
    assert (report.answer.found, report.answer.sentences) == (False, 1)
    opening = report.sections[0]
    assert opening.heading == "In brief"
    # It counts nothing: the counts are told at the end, where they are those of all that was read.
    assert opening.opening == "None of the sources found says who paid, or what they ate."
    assert opening.closing == "What would answer it: the accounts of the harbour board."
    # It is said once: neither above the report nor below it.
    assert not report.front.note
    assert not [gap for gap in report.back.open_questions if "paid" in gap]
    assert "None of the sources" in report_markdown(report, evidence)


async def test_what_is_supported_in_part_is_repaired_or_marked(
    tree: MindMap, evidence: Evidence, scripted: Any
) -> None:
    """One comes back within what its passage says, one does not come back at all."""
    said = {"p2": "The reef wrecked thirty ships in a hurry [p2].", "p3": "The masons waited gladly [p3]."}

    def write(task: Any) -> Any:
        parts = enumerate(task.parts, 1)
        told = [(n, [said[i] for i in part.needed if i in said]) for n, part in parts]
        return {"sections": [{"n": n, "paragraphs": paragraphs} for n, paragraphs in told]}

    def judge(task: Any) -> Any:
        added = ("hurry", "gladly")
        found = [(claim.n, [w for w in added if w in claim.text]) for claim in task.claims]
        return {"verdicts": [
            {"n": n, "support": "partial" if words else "supported", "words": " ".join(words)}
            for n, words in found
        ]}  # fmt: skip

    def repair(task: Any) -> Any:
        assert [p.reason for p in task.refused if "gladly" in p.sentence] in ([], ["the judge: gladly"])
        better = "The reef wrecked thirty ships [p2]."
        texts = [better if "hurry" in part.sentence else "" for part in task.refused]
        return {"sentences": [{"n": n, "text": text} for n, text in enumerate(texts, 1)]}

    script = {**SCRIPT, "write_sections": write, "judge_section": judge, "repair_sentences": repair}
    asker = scripted(script)
    report = await written(tree, evidence, asker)
    told = {s.text: s.support for section in report.sections for s in section.sentences}
    assert told["The reef wrecked thirty ships."] == "supported"
    assert told["The masons waited gladly."] == "partial"
    assert "The reef wrecked thirty ships in a hurry." not in told
    assert report.summary.partial == 1
    text = report_markdown(report, evidence)
    assert "*(only partly supported by the passages cited)*" in text


@pytest.mark.parametrize("differ", [[], [1]])
async def test_of_points_on_which_sources_seem_to_disagree_the_planner_keeps_the_real_ones(
    contradicting: MindMap, evidence: Evidence, scripted: Any, differ: list[int]
) -> None:
    sides = [
        Side(claim="“It is 44 m high.”", citations=["p1"], value="44 m"),
        Side(claim="“It is 41 m high.”", citations=["p9"], value="41 m"),
    ]
    point = ReportedContradiction(about="The tower's height", sides=sides)
    brief = BRIEF.model_copy(update={"contradictions": [point]})
    asker = scripted({**SCRIPT, "plan_sections": {**OUTLINE, "differ": differ}})
    report = await written(contradicting, evidence, asker, brief)
    assert "1. The tower's height" in render(asker.model.tasks("plan_sections")[0]).user
    told = [section for section in report.sections if section.heading == "Where sources disagree"]
    assert [len(section.tables[0].rows) for section in told] == ([2] if differ else [])


def in_sections(*told: str) -> Any:
    """Write one section of some paragraphs, and nothing of the others."""

    def write(task: Any) -> Any:
        return {
            "sections": [
                {"n": n, "paragraphs": list(told) if part.heading == "The dangers of the reef" else []}
                for n, part in enumerate(task.parts, 1)
            ]
        }

    return write


WRECKS = [
    "The reef wrecked ships, at least thirty [p2].",
    "The worst wreck on the reef drowned 112 emigrants [p2].",
    "At least thirty ships were wrecked in 1848 and before [p2].",
    "They drowned within sight of the shore [p2].",
]


async def test_a_section_tells_in_full_what_the_opening_sums_up_from_the_same_passages(
    tree: MindMap, evidence: Evidence, scripted: Any
) -> None:
    report = await written(tree, evidence, scripted({**SCRIPT, "write_sections": in_sections(*WRECKS)}))
    section = next(s for s in report.sections if s.heading == "The dangers of the reef")
    assert [s.text for s in section.sentences] == [text.replace(" [p2]", "") for text in WRECKS]
    assert report.summary.repeated_dropped == 0


async def test_steps_and_code_stay_whole_in_a_section_also_where_the_opening_says_them(
    tree: MindMap, evidence: Evidence, scripted: Any
) -> None:
    code = "the reef wrecked at least thirty ships"
    steps = ["The worst wreck drowned 112 emigrants.", "The reef wrecked at least thirty ships."]
    told = [f"1. {steps[0]} [p2]", f"2. {steps[1]} [p2]\n```\n{code}\n``` [p2]", *WRECKS[2:], WRECKS[0]]
    first = "It was built because the reef wrecked at least thirty ships [p2]."
    opening = {"found": True, "paragraph": f"{first}\n1. {steps[0]} [p2]\n```\n{code}\n``` [p2]"}
    report = await written(
        tree, evidence, scripted({**SCRIPT, "write_answer": opening, "write_sections": in_sections(*told)})
    )
    assert [s.form for s in report.sections[0].sentences] == ["prose", "step", "code"]
    section = next(s for s in report.sections if s.heading == "The dangers of the reef")
    assert [s.text for s in section.sentences if s.form != "prose"] == [*steps, code]


async def test_the_editor_sees_the_opening_and_may_leave_out_what_restates_it(
    tree: MindMap, evidence: Evidence, scripted: Any
) -> None:
    told = ["Many a ship ended on those rocks, thirty or more [p2].", *WRECKS[1:]]

    def edits(task: Any) -> Any:
        assert task.opening == ["It was built because the reef wrecked at least thirty ships. [p2]"]
        return {"edits": [{"n": 1, "text": ""}]}

    asker = scripted({**SCRIPT, "write_sections": in_sections(*told), "smooth_report": edits})
    report = await written(tree, evidence, asker)
    section = next(s for s in report.sections if s.heading == "The dangers of the reef")
    assert section.sentences[0].text == "The worst wreck on the reef drowned 112 emigrants."


async def test_a_sentence_that_only_joins_others_goes_without_a_repair(
    tree: MindMap, evidence: Evidence, scripted: Any
) -> None:
    told = ["So much for the sea. The worst wreck drowned 112 emigrants [p2]. Ada Merrow saw it too."]
    asker = scripted({**SCRIPT, "write_sections": in_sections(*told)})
    report = await written(tree, evidence, asker)
    refused = [part.sentence for task in asker.model.tasks("repair_sentences") for part in task.refused]
    assert "Ada Merrow saw it too." in refused, "what names somebody may have a passage"
    assert "So much for the sea." not in refused
    assert "So much for the sea." not in report_markdown(report, evidence)


async def test_what_the_topic_itself_was_answered_stands_first_and_whole(
    tree: MindMap, evidence: Evidence, scripted: Any
) -> None:
    """It is what the discussion came to: of others the beginning and the conclusions stay."""
    long = " ".join(f"Block {n} was cut ashore and numbered by hand. [p4]" for n in range(90))
    ends = "The masons bear the larger share (inference). [p3]"
    given = [
        *(GivenAnswer(question=f"What of {n}?", answer=f"{long} {ends} {long}") for n in range(5)),
        GivenAnswer(question=QUESTION, answer=f"Three answer for it. [p2] {long} {ends}"),
    ]
    asker = scripted(SCRIPT)
    await written(tree, evidence, asker, BRIEF.model_copy(update={"answers": given}))
    for name in ("write_answer", "plan_sections"):
        told = asker.model.tasks(name)[0].fields()["answers"]
        assert told.startswith(f"<answer>\nQuestion: {QUESTION}\nThree answer for it.")
        assert told.count("Block 57 was cut") == 1
        assert told.count("The masons bear the larger share") == len(given)
