"""Several tasks in one request: each keeps its own rules, inputs and reply; the waiting is paid for once.

Tasks of one role that are asked at the same moment may be joined. Rules of tasks of one kind are said once.
Who asks gets each task's own output, so that nobody needs to know with what a task was joined.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, create_model

from models.task import Task
from models.text_statistics import Statistics

PIECE = "piece"
"""A piece of work is called by this and its number: `piece1`."""


class JointTask(Task[BaseModel]):
    """Several tasks as one; made by `joint`, which sets what depends on the kinds of its parts."""

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)

    package: ClassVar[str] = "models"

    parts: tuple[Any, ...]
    """The tasks, in order."""

    def fields(self) -> Mapping[str, str]:
        """Return nothing: the prompt is put together from the parts' own prompts."""
        return {}

    def extract(self, statistics: Statistics) -> BaseModel:
        """Do each part by its own `extract`."""
        return self.gathered(part.extract(statistics) for part in self.parts)

    def gathered(self, outputs: Iterable[BaseModel]) -> BaseModel:
        """Return one reply from each part's output, in the order of the parts."""
        return self.output(**{_name(n): output for n, output in enumerate(outputs)})

    def outputs(self, reply: BaseModel) -> list[BaseModel]:
        """Return each part's output, in the order of the parts."""
        return [getattr(reply, _name(n)) for n in range(len(self.parts))]


def joint(tasks: Sequence[Task[Any]]) -> JointTask:
    """Return one task for several of the same role.

    Raises:
        ValueError: their roles differ, so that one model cannot do them all.
    """
    if len({task.role for task in tasks}) != 1:
        raise ValueError("tasks of different roles cannot be joined")
    return _kind(tuple(type(task) for task in tasks))(parts=tuple(tasks))


def joined_prompt(parts: Sequence[tuple[str, str, str]], rule: str) -> tuple[str, str]:
    """Return the system and the user part of a joint request.

    Args:
        parts: The name, the system part and the user part of each task.
        rule: What stands at the end of every system part; said once here.
    """
    rules = {name: system.removesuffix(rule).strip() for name, system, _ in parts}
    told = [f"# Rules for {name}\n\n{text}" for name, text in rules.items()]
    system = "\n\n".join([_HEAD, *told, rule])
    user = "\n\n".join(f"# {_name(n)}: {name}\n\n{text}" for n, (name, _, text) in enumerate(parts))
    return system, user


_HEAD = (
    "You are given pieces of work that have nothing to do with each other; each has rules of its own. Reply "
    f'with one JSON object, {{"{PIECE}1": …, "{PIECE}2": …}}: under each name what its rules ask for.'
)


def _name(place: int) -> str:
    return f"{PIECE}{place + 1}"


@lru_cache(maxsize=256)
def _kind(kinds: tuple[type[Task[Any]], ...]) -> type[JointTask]:
    fields: Any = {_name(n): (kind.output, ...) for n, kind in enumerate(kinds)}
    output = create_model("Pieces", **fields)
    name = "+".join(dict.fromkeys(kind.name for kind in kinds))
    body = {
        "__module__": __name__, "name": name, "role": kinds[0].role, "output": output,
        "__annotations__": {
            "name": ClassVar[str], "role": ClassVar[str], "output": ClassVar[type[BaseModel]],
        },
    }  # fmt: skip
    return type("Pieces", (JointTask,), body)
