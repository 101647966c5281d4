"""Tools: a task's output given as calls, by models that call tools instead of writing JSON.

Each tool is one part of the output; a reply is any number of calls in one message, so that a task costs one
request in this manner as in any other.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Protocol

from pydantic import BaseModel

from models.prompting.output_schemas import closed_schema


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool as a model is told of it."""

    name: str
    description: str
    parameters: type[BaseModel]


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call as a model made it."""

    name: str
    arguments: str
    """JSON, as far as the model kept to it."""

    def values(self) -> Mapping[str, Any]:
        """Return the arguments by name; none where they cannot be read."""
        try:
            found = json.loads(self.arguments or "{}", strict=False)
        except (ValueError, RecursionError):
            return {}
        return found if isinstance(found, dict) else {}


class Toolbox(Protocol):
    """The tools of one task, and how calls of them become its output."""

    @property
    def tools(self) -> Sequence[Tool]:
        """What can be called."""

    @property
    def instruction(self) -> str:
        """What a model is told beside the prompt, in the place of the output's schema."""

    def output(self, text: str, calls: Sequence[ToolCall]) -> Mapping[str, Any] | None:
        """Return the output's fields from what was said and called; None when it is no output."""


@lru_cache(maxsize=64)
def parameters(tool: Tool) -> Mapping[str, Any]:
    """Return the JSON schema of a tool's arguments."""
    return closed_schema(tool.parameters)
