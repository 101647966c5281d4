"""An expert's move as calls of tools."""

import json
from typing import Any

import pytest

from agents.research.moves.respond import Move
from agents.research.moves.tool_schemas import MoveToolbox
from models import ToolCall
from models.prompting.output_parsing import read_value

TOOLBOX = MoveToolbox(computes=True, acts=True)


def move(*calls: tuple[str, Any], text: str = "") -> Move | None:
    made = [
        ToolCall(name, arguments if isinstance(arguments, str) else json.dumps(arguments))
        for name, arguments in calls
    ]
    told = TOOLBOX.output(text, made)
    return None if told is None else read_value(told, Move)


def test_calls_of_one_reply_are_one_move_with_its_thought() -> None:
    made = move(
        ("search", {"query": "dikes", "where": ["harbour"]}),
        ("read", {"url": "p3", "query": "the year"}),
        ("compute", {"code": "1 + 1", "passages": ["p1"], "query": "sum"}),
        ("note", {"kind": "lead", "text": "the pilots", "passages": []}),
        ("drop_note", {"id": "m1"}),
        ("ask", {"question": "Who paid?"}),
        ("more_rounds", {"rounds": 3}),
        text="The dike is missing.",
    )
    assert made is not None
    assert [(a.kind, a.query, a.url, a.code) for a in made.actions] == [
        ("search", "dikes", "", ""), ("read", "the year", "p3", ""), ("compute", "sum", "", "1 + 1"),
    ]  # fmt: skip
    assert (made.thought, made.answer, made.more) == ("The dike is missing.", "", 3)
    assert (made.notes[0].text, made.drop, made.ask) == ("the pilots", ["m1"], ["Who paid?"])


def test_an_answer_goes_before_actions_of_the_same_reply() -> None:
    made = move(("search", {"query": "more", "where": []}), ("answer", {"text": "It was so [p1]."}))
    assert made is not None
    assert (made.actions, made.answer) == ([], "It was so [p1].")


@pytest.mark.parametrize(
    "arguments",
    [
        "",
        "{",
        "[]",
        "null",
        '{"query": 5}',
        '{"query": "x", "where": "web"}',
        '{"query": null, "where": [1]}',
    ],
)
def test_arguments_that_do_not_fit_do_not_cost_the_reply(arguments: str) -> None:
    made = move(("search", arguments), ("note", {"kind": "lead", "text": "kept"}))
    assert made is not None
    assert [a.kind for a in made.actions] == ["search"]
    assert made.notes[0].text == "kept"


def test_a_tool_that_there_is_not_is_an_action_to_be_refused_by_name() -> None:
    made = move(("fly", {"to": "the moon"}))
    assert made is not None
    assert [a.kind for a in made.actions] == ["fly"]


def test_text_without_a_call_is_an_answer_only_with_citations() -> None:
    made = move(text="It was so [p1].")
    assert made is not None
    assert made.answer == "It was so [p1]."
    assert move(text="I shall search now.") is None


def test_without_a_round_left_no_action_is_offered() -> None:
    due = MoveToolbox(computes=True, acts=False)
    assert {tool.name for tool in due.tools} == {"note", "drop_note", "ask", "answer"}
    assert "call `answer`" in due.instruction
    assert "compute" not in {tool.name for tool in MoveToolbox(computes=False, acts=True).tools}
