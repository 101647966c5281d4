"""What happens when a model is asked."""

from typing import Any, Literal

from models.event import Event
from models.task import Usage


class ModelReplied(Event):
    """A model did a task. The output is kept, so that a resumed session need not ask again."""

    kind: Literal["model_replied"] = "model_replied"
    task: str
    speaker: str
    key: str
    """Role, task and hash of the task's inputs: the same task is not asked twice in a session."""
    prompt_hash: str
    """Of the prompt as sent; see Reply."""
    output: dict[str, Any]
    """The task's output as JSON."""
    usage: Usage
    fallback: str | None = None
    """Why the output is the task's own extract and not a model's: None when the model did it."""
