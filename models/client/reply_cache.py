"""Replies of language models kept from session to session: the same question need not be paid for twice.

What is kept is a task's reply as it was read, under the hash of all that it depends on: model, server,
the prompt as it is written, the shape of the reply, and the settings that change what is said. Prompts
themselves are not kept. A reply that a model would draw anew each time is kept only when asked for.
"""

import json
from typing import Any

from pydantic import BaseModel, ValidationError

from models.client.providers import Endpoint
from models.client.text_cache import TextCache, key_of
from models.prompting.prompts import Prompt
from models.settings import ModelSettings

_SETTINGS = ("temperature", "max_output_tokens", "context_window", "longest_prompt", "tools")
"""Those that a reply depends on beside the prompt."""


def is_kept(settings: ModelSettings) -> bool:
    """Whether replies are kept: asked for, or (`auto`) the same every time, at a temperature of 0."""
    return settings.cache == "on" or (settings.cache == "auto" and settings.temperature == 0)


class KeptReplies:
    """The replies of one model on one server."""

    def __init__(self, cache: TextCache, endpoint: Endpoint, settings: ModelSettings) -> None:
        self._cache = cache
        chosen = settings.model_dump(mode="json")
        depending = {name: chosen.get(name) for name in _SETTINGS}
        self._whose = [endpoint.address.model, endpoint.server, depending]

    def _key(self, prompt: Prompt, output: type[BaseModel]) -> str:
        shown = [prompt.shown] if prompt.shown else []
        return key_of(
            "reply", *self._whose, prompt.system, prompt.user, output.model_json_schema(), *shown
        )

    def find(self, prompt: Prompt, output: type[BaseModel]) -> Any:
        """Return the reply to a prompt, None when none is kept that can be read."""
        text = self._cache.find(self._key(prompt, output))
        try:
            return None if text is None else output.model_validate_json(text)
        except ValidationError:
            return None  # of an earlier version of the program

    def keep(self, prompt: Prompt, output: type[BaseModel], reply: BaseModel) -> None:
        """Keep a reply to a prompt."""
        self._cache.keep(self._key(prompt, output), json.dumps(reply.model_dump(mode="json")))
