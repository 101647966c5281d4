"""A request for a chat completion, as OpenAI's clients send it, and what of it a session takes."""

import re
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from roundtable.config.errors import InputError

MODEL = "roundtable"
"""The model's name; `roundtable/NAME` searches the collection of that name."""
_SESSION = re.compile(r"^Session `([0-9a-z]{4,40})`", re.MULTILINE)
"""How an answer names its session: in its last line, so that a client needs to keep nothing but the talk."""


class ChatPart(BaseModel):
    """A piece of a message; pictures and sounds are refused."""

    type: str
    text: str = ""


class ChatMessage(BaseModel):
    """One message of the talk so far."""

    role: Literal["system", "developer", "user", "assistant", "tool", "function"]
    content: str | list[ChatPart] | None = None

    @property
    def text(self) -> str:
        """What it says. Raises InputError for what is no text."""
        if isinstance(self.content, list):
            if other := next((part.type for part in self.content if part.type != "text"), None):
                raise InputError(f"messages are read as text; {other} is not")
            return "\n".join(part.text for part in self.content)
        return self.content or ""


class StreamOptions(BaseModel):
    """What a stream ends with."""

    include_usage: bool = False


class ChatRequest(BaseModel):
    """What is asked; how a model samples means nothing to a session, and is let go."""

    model_config = ConfigDict(extra="ignore")

    model: str = MODEL
    messages: list[ChatMessage] = Field(min_length=1, max_length=2000)
    stream: bool = False
    stream_options: StreamOptions | None = None
    n: Literal[1] | None = None
    response_format: dict[str, Any] | None = None
    roundtable: dict[str, Any] = Field(default_factory=dict)
    """Ours: `session` to go on with, else what a new one is to be, as `POST /api/sessions` takes it."""

    def said(self) -> str:
        """Return the last message, which is the topic or a follow-up. Raises InputError."""
        if (self.response_format or {}).get("type", "text") != "text":
            raise InputError("response_format: answers are text; read report.json for sentences as data")
        last = self.messages[-1]
        if last.role != "user" or not last.text.strip():
            raise InputError("the last message is the topic or a question: one of the role user, with text")
        return last.text.strip()[:4000]

    def session(self) -> str | None:
        """Return the session that the talk is about, as the last answer named it; None for a new one."""
        if named := self.roundtable.get("session"):
            return str(named)
        for message in reversed(self.messages):
            if message.role == "assistant" and (found := _SESSION.findall(message.text)):
                return str(found[-1])
        return None

    def collection(self) -> str | None:
        """Return the collection that the model's name asks for. Raises InputError for another model."""
        name, _, collection = self.model.partition("/")
        if name != MODEL:
            raise InputError(f"there is no model {self.model!r}; there is {MODEL}, and {MODEL}/COLLECTION")
        return collection or None
