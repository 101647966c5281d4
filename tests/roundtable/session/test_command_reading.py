"""What a person can do in a session, on real sessions with the embedded model."""

from typing import Any

import pytest

from agents import Perspective
from roundtable.commands.resolve import definite
from roundtable.journal.commands.command import CommandError
from roundtable.journal.commands.command_reading import COMMANDS, described, read_json, read_line
from roundtable.journal.commands.table_commands import Say
from roundtable.journal.fold.state import State


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("What of costs?", {"do": "say", "text": "What of costs?"}),
        ("@ada What of costs?", {"do": "ask", "to": "@ada", "text": "What of costs?"}),
        ("/ask @ada What of costs?", {"do": "ask", "to": "@ada", "text": "What of costs?"}),
        ("/break Stop, please", {"do": "break_in", "text": "Stop, please"}),
        ("/steer stay on costs", {"do": "steer", "text": "stay on costs"}),
        ("/drop 3", {"do": "drop_source", "source": "3"}),
        ("/go 3", {"do": "go_on", "turns": 3}),
        ("/go", {"do": "go_on"}),
        ("/mode wait", {"do": "mode", "mode": "wait"}),
        ("/invite Engineer: bridges", {"do": "add_expert", "expert": "Engineer", "focus": "bridges"}),
        ("/rename n3 A new title", {"do": "map_rename", "node": "n3", "title": "A new title"}),
        ("/pin n3 off", {"do": "map_pin", "node": "n3", "on": False}),
        (
            "/split n3 Costs: p1 p2; Time: p3",
            {"do": "map_split", "node": "n3", "parts": [
                {"title": "Costs", "passages": ["p1", "p2"]}, {"title": "Time", "passages": ["p3"]},
            ]},
        ),
        ("/undo", {"do": "map_undo"}),
    ],
)  # fmt: skip
def test_a_line_and_json_give_the_same_command(line: str, value: dict[str, Any]) -> None:
    assert read_line(line) == read_json(value)


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("/steeer costs", "did you mean /steer"),
        ("/steer", "is missing"),
        ("/go many", "integer"),
        ("/mode loud", "'passive' or 'wait'"),
        ("/pause now", "takes nothing more"),
    ],
)
def test_a_wrong_line_is_explained(line: str, problem: str) -> None:
    with pytest.raises(CommandError, match=problem) as raised:
        read_line(line)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("name", COMMANDS)
def test_no_text_of_a_command_is_without_bounds_or_of_several_lines(name: str) -> None:
    """An expert's focus of 45 kB, brought as JSON, stood in each prompt of the session."""
    kind = COMMANDS[name]
    do = {"do": kind.model_fields["do"].default}
    texts = [
        field for field, info in kind.model_fields.items()
        if field not in {"do", "parts"} and "str" in (of := str(info.annotation)) and "Literal" not in of
    ]  # fmt: skip
    parts = {"parts": [{"title": "t", "passages": ["p1"]}]} if name == "split" else {}
    others = dict.fromkeys(texts, "x") | parts
    for field in texts:
        with pytest.raises(CommandError, match="at most 4000"):
            read_json({**do, **others, field: "x" * 4001})
        told = read_json({**do, **others, field: "http://a.example/x\n\x0b y"})
        assert getattr(told, field) == "http://a.example/x y"


def test_every_command_is_described() -> None:
    typed = [name for name in COMMANDS if name != "look"]  # that is another way to type a reading
    assert [command["name"] for command in described()] == typed
    for command in described():
        assert command["usage"].startswith(f"/{command['name']}")
        assert command["help"].endswith((".", ")."))


def test_a_name_of_several_words_is_taken_whole() -> None:
    critic = Perspective(slug="safety-critic", name="Safety Rules Critic", role="r", focus="f", terms=[])
    keeper = Perspective(slug="keeper", name="The keeper", role="r", focus="f", terms=[])
    state = State(find_source=lambda sha256: pytest.fail(sha256), topic="t", panel=[critic, keeper])
    for line, to, text in [
        ("@Safety Rules Critic What did it cost?", "safety-critic", "What did it cost?"),
        ("@safety rules critic: What did it cost?", "safety-critic", "What did it cost?"),
        ("@keeper What did it cost?", "keeper", "What did it cost?"),
        ("@Safety What did it cost?", "safety-critic", "What did it cost?"),
    ]:
        said = definite(read_line(line), state, offline=True)
        assert isinstance(said, Say)
        assert (said.to, said.text) == (to, text)
