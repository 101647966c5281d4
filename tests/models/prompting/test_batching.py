"""Several tasks in one request: rules once, inputs each, a reply for each."""

from collections.abc import Mapping
from typing import ClassVar

import pytest
from pydantic import BaseModel

from library import TextStatistics
from models import DATA_RULE, Role, ScriptedModel, Statistics, Task
from models.prompting.batching import joined_prompt, joint
from models.prompting.prompts import inputs_hash


class Count(BaseModel):
    count: int


class Letters(Task[Count]):
    name: ClassVar[str] = "letters"
    package: ClassVar[str] = "tests"
    role: ClassVar[Role] = "judge"
    output: ClassVar[type[BaseModel]] = Count

    word: str

    def fields(self) -> Mapping[str, str]:
        return {"word": self.word}

    def extract(self, statistics: Statistics) -> Count:  # noqa: ARG002
        return Count(count=len(self.word))


class Spoken(Letters):
    name: ClassVar[str] = "spoken"
    role: ClassVar[Role] = "expert"


def test_each_part_is_done_by_its_own_extract_and_told_apart() -> None:
    task = joint([Letters(word="bee"), Letters(word="ant hill")])
    assert task.name == "letters"
    reply = task.extract(TextStatistics())
    assert [output.count for output in task.outputs(reply)] == [3, 8]  # type: ignore[attr-defined]


def test_the_same_parts_are_the_same_task_and_others_are_another() -> None:
    one, other = (joint([Letters(word="bee"), Letters(word=word)]) for word in ("ant", "fly"))
    assert inputs_hash(one) == inputs_hash(joint([Letters(word="bee"), Letters(word="ant")]))
    assert inputs_hash(one) != inputs_hash(other)


def test_tasks_for_different_models_are_not_joined() -> None:
    with pytest.raises(ValueError, match="roles"):
        joint([Letters(word="bee"), Spoken(word="ant")])


def test_rules_of_one_kind_are_said_once_and_the_rule_on_data_last() -> None:
    parts = [("letters", f"Count.\n\n{DATA_RULE}", "bee"), ("letters", f"Count.\n\n{DATA_RULE}", "ant")]
    system, user = joined_prompt(parts, DATA_RULE)
    assert system.count("Count.") == 1
    assert system.endswith(DATA_RULE)
    assert system.count(DATA_RULE) == 1
    assert user.index("# piece1: letters\n\nbee") < user.index("# piece2: letters\n\nant")


async def test_a_scripted_model_does_each_part() -> None:
    model = ScriptedModel({"letters": [Count(count=1), Count(count=2)]})
    task = joint([Letters(word="bee"), Letters(word="ant")])
    reply = await model.ask(task)
    assert [output.count for output in task.outputs(reply.output)] == [1, 2]  # type: ignore[attr-defined]
    assert [part.word for part in model.asked] == ["bee", "ant"]
