"""A scripted model that is asked through a real server on this machine, in one of its modes."""

from collections import Counter
from typing import Any

from pydantic import BaseModel

from models import LanguageModel, ModelSettings, OutputT, Prompt, Reply, ScriptedModel, Task, render
from models.model_registry import endpoint
from models.prompting.batching import JointTask
from tests.model_server import Asked, Mode, ModelServer


class SpokenModel(ScriptedModel):
    """Says what the script says, as a language model that calls tools, has JSON mode only, or neither.

    What there is no line for is done by its `extract`, or (without statistics) made up by the server.
    """

    def __init__(self, mode: Mode, *arguments: Any, longest: int | None = None, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self.prompts: list[Asked] = []
        """What the server was sent, of all sessions."""
        self._mode = mode
        self._longest = longest
        self._server: ModelServer | None = None
        self._model: LanguageModel | None = None
        self._waiting: dict[int, tuple[Prompt, Any]] = {}

    async def ask(self, task: Task[OutputT]) -> Reply[OutputT]:
        """Have the next line of the script said by the server."""
        self._waiting[id(task)] = (render(task), self._said_to(task))
        try:
            return await self._started().ask(task)
        finally:
            del self._waiting[id(task)]

    def _said_to(self, task: Task[Any]) -> Any:
        """Return the fields of an output, or the text of a reply; of joined tasks the fields of each."""
        if isinstance(task, JointTask):
            self.asked += task.parts
            return None if self._statistics is None else self._output(task).model_dump(mode="json")
        self.asked.append(task)
        line = self._line(task)
        if isinstance(line, Exception):
            raise line
        return line.model_dump(mode="json") if isinstance(line, BaseModel) else line

    def _line(self, task: Task[Any]) -> Any:
        line = super()._line(task)
        return task.extract(self._statistics) if line is None and self._statistics is not None else line

    async def close(self) -> None:
        """Stop the server."""
        if self._model is not None and self._server is not None:
            await self._model.close()
            self.prompts += self._server.asked
            self._server.__exit__()
            self._model = self._server = None

    def _started(self) -> LanguageModel:
        if self._model is None:
            self._server = ModelServer(mode=self._mode, reply=self._reply).__enter__()
            settings = ModelSettings(
                model="openai:scripted",
                base_url=self._server.url,
                tools="always" if self._mode == "tools" else "never",
                longest_prompt=self._longest,
            )
            self._model = LanguageModel(endpoint("openai:scripted", settings, {}), settings)
        return self._model

    def _reply(self, asked: Asked) -> Any:
        """Return what is said to a request: the line of the task that was sent with it, shortened or not."""
        lines = Counter(asked.material.splitlines())

        def same(prompt: Prompt) -> tuple[bool, int]:
            return prompt.system in asked.prompt, sum((lines & Counter(prompt.user.splitlines())).values())

        return max(self._waiting.copy().values(), key=lambda waiting: same(waiting[0]))[1]
