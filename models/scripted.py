"""A model that follows a script: for tests, demonstrations, and programs built on this one.

Example:
    model = ScriptedModel({
        "answer": [Answer(text="Bees dance [p1]."), '{"text": "They do [p2]."}'],  # one after the other
        "question": lambda task: Question(text=f"What of {task.topic}?"),           # a function of the task
        "perspectives": {"perspectives": [...]},                                    # the same every time
    }, otherwise=statistics)                                                        # all else: extract
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pydantic import BaseModel

from models.errors import ReplyUnusable
from models.prompting.batching import JointTask
from models.prompting.output_parsing import read_reply, read_value
from models.prompting.prompts import inputs_hash
from models.task import OutputT, Reply, Task, Usage
from models.text_statistics import Statistics

Line = BaseModel | Mapping[str, Any] | str | Exception
"""An output, its fields, the text of a reply (read as a language model's would be), or an error to raise."""
Script = Line | Sequence[Line] | Callable[[Any], Line]


class ScriptedModel:
    """Does tasks as it is told to, and remembers what it was asked."""

    def __init__(
        self,
        scripts: Mapping[str, Script] | None = None,
        *,
        otherwise: Statistics | None = None,
        name: str = "scripted",
        usage: Usage | None = None,
    ) -> None:
        """Take the scripts.

        Args:
            scripts: What to say, by task name.
            otherwise: With it, a task without a script (or whose lines are spent) is done by its `extract`.
            name: The model's name in usage.
            usage: What each task costs; by default one request and no tokens.
        """
        self.name = name
        self.asked: list[Task[Any]] = []
        """Every task it was asked, in order; of joined ones each."""
        self._scripts = dict(scripts or {})
        self._said: dict[str, int] = {}
        self._statistics = otherwise
        self._usage = usage or Usage(model=name, requests=1)

    async def ask(self, task: Task[OutputT]) -> Reply[OutputT]:
        """Say the next line for the task.

        Raises:
            LookupError: there is no line for it, and no statistics to do it by.
        """
        self.asked += task.parts if isinstance(task, JointTask) else [task]
        return Reply(self._output(task), self._usage, inputs_hash(task))

    async def close(self) -> None:
        """Hold nothing, release nothing."""

    def tasks(self, name: str) -> list[Task[Any]]:
        """Return the tasks of one name that it was asked, in order."""
        return [task for task in self.asked if task.name == name]

    def _output(self, task: Task[OutputT]) -> OutputT:
        if isinstance(task, JointTask):
            return task.gathered(map(self._output, task.parts))  # type: ignore[return-value]
        line = self._line(task)
        if line is None:
            if self._statistics is None:
                said = self._said.get(task.name, 0)
                raise LookupError(f"no line for the task {task.name!r} (said so far: {said})")
            return task.extract(self._statistics)
        if isinstance(line, Exception):
            raise line
        if isinstance(line, str):
            output: Any = read_reply(line, task.output)
        elif isinstance(line, BaseModel):
            output = line
        else:
            output = read_value(dict(line), task.output)
        if not isinstance(output, task.output):
            wanted = task.output.__name__
            raise ReplyUnusable(f"a line for {task.name!r} is a {type(output).__name__}, not a {wanted}")
        return output  # type: ignore[return-value]

    def _line(self, task: Task[Any]) -> Line | None:
        script = self._scripts.get(task.name)
        if script is None or isinstance(script, BaseModel | Mapping | str | Exception):
            return script
        if not isinstance(script, Sequence):
            return script(task)
        said = self._said.get(task.name, 0)
        if said >= len(script):
            return None
        self._said[task.name] = said + 1
        return script[said]
