"""A task: one typed request to a model, and what comes back."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Literal, Protocol, TypeVar

from pydantic import BaseModel, ConfigDict

from models.event import Frozen
from models.prompting.tools import Toolbox
from models.text_statistics import Statistics

Role = Literal["planner", "expert", "moderator", "writer", "judge"]

OutputT = TypeVar("OutputT", bound=BaseModel)


class Task(Frozen, Generic[OutputT]):
    """One typed request: the inputs are its fields, and it knows how it is done without a language model.

    A subclass stands next to the code that needs it (`mindmap/tasks.py`, …), and its prompt in the same
    package at `prompts/NAME.md`. Frozen, so that the same inputs give the same prompt and the same hash.
    """

    name: ClassVar[str]
    """The task's name, also the stem of its prompt file and the name under which its cost is counted."""
    package: ClassVar[str]
    """The package whose `prompts/` folder holds the prompt."""
    role: ClassVar[Role]
    """Which of the configured models does it."""
    output: ClassVar[type[BaseModel]]
    """The model that a reply is read into; the same as the type argument."""

    @abstractmethod
    def fields(self) -> Mapping[str, str]:
        """Return the text for each name in the prompt: exactly those names, none missing, none unused."""

    @abstractmethod
    def extract(self, statistics: Statistics) -> OutputT:
        """Do the task from its inputs by text statistics alone. Deterministic; quotes, never makes up."""

    @property
    def pictures(self) -> tuple[str, ...]:
        """What is shown beside the prompt: PNG files in base64."""
        return ()

    @property
    def toolbox(self) -> Toolbox | None:
        """The output as tools, for models that are asked to call them; None: it is asked for as JSON."""
        return None


class TaskOutput(BaseModel):
    """What a task gives: a model's reply is read into it, so names that it does not know are passed over."""

    model_config = ConfigDict(frozen=True)


class Usage(Frozen):
    """What one task cost."""

    model: str
    """The model as the user named it: `embedded`, `openai:gpt-5-mini`, …"""
    requests: int = 0
    """Requests sent, with repairs and retries; 0 for the embedded model."""
    cached: int = 0
    """1 for a reply that was kept from an earlier session and cost nothing."""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    seconds: float = 0.0
    cost: float | None = None
    """In US dollars; None when no price is known."""


@dataclass(frozen=True, slots=True)
class Reply(Generic[OutputT]):
    """A task's output with what it cost and the hash of the prompt that led to it."""

    output: OutputT
    usage: Usage
    prompt_hash: str
    """SHA-256 (first 16 hex digits) of the prompt as sent; for the embedded model, of the task's inputs."""


class Model(Protocol):
    """Something that does tasks: a language model, the extractive one, or a script."""

    @property
    def name(self) -> str:
        """The model as the user named it: `embedded`, `openai:gpt-5-mini`."""

    async def ask(self, task: Task[OutputT]) -> Reply[OutputT]:
        """Do the task.

        Raises:
            ModelUnavailable: it cannot be had (wrong key, unknown model, no server): final until mended.
            ReplyUnusable: it answered, but nothing that fits the task, also after one repair.
        """

    async def close(self) -> None:
        """Release connections."""


class Asks(Protocol):
    """What rooms ask with: the session's context, which chooses the model by role and journals the reply."""

    async def ask(self, task: Task[OutputT]) -> OutputT:
        """Do one task; an unusable reply was replaced by the task's own extract. Raises ModelUnavailable."""

    async def ask_all(self, tasks: Sequence[Task[OutputT]]) -> list[OutputT]:
        """Do several tasks at the same time; the outputs come in the order of the tasks."""

    async def ask_jointly(self, tasks: Sequence[Task[Any]]) -> list[Any]:
        """Do several small tasks in one request for each role; the outputs come in the order of the tasks."""
