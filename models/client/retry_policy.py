"""What to do after a fault: how often, how late and how else to ask again. The caller waits and sends."""

from dataclasses import dataclass, replace
from typing import Literal

from models.client.error_classes import Culprit, Fault
from models.errors import ModelError, ModelUnavailable, ReplyUnusable

Format = Literal["schema", "object", "text"]


@dataclass(frozen=True, slots=True)
class RetryOptions:
    """How one model is asked: what its server takes. Learnt from refusals, kept while the client lives."""

    format: Format = "schema"
    """A JSON schema, JSON of any shape (schema in the prompt), or plain text (the same)."""
    limit: Literal["max_tokens", "max_completion_tokens", "none"] = "max_tokens"
    """The name under which the server takes the longest reply."""
    temperature: bool = True
    """Whether a temperature is sent, when one is set."""
    tools: bool = False
    """Whether outputs that can be given as calls of tools are asked for so; in the place of the format."""

    def plainer(self, culprit: Culprit) -> "RetryOptions | None":
        """Return the next plainer manner, None when there is none."""
        if culprit == "temperature":
            return replace(self, temperature=False) if self.temperature else None
        if culprit == "limit":
            if self.limit == "none":
                return None
            return replace(self, limit="max_completion_tokens" if self.limit == "max_tokens" else "none")
        if self.tools:
            return replace(self, tools=False)
        if self.format == "text":
            return None
        return replace(self, format="object" if self.format == "schema" else "text")


@dataclass(frozen=True, slots=True)
class Step:
    """What to do next."""

    wait: float = 0.0
    """Seconds before the next request."""
    manner: RetryOptions | None = None
    """To be used from now on; None: as before."""
    window: int | None = None
    """The prompt is to fit this many tokens; 0: half of what it was; None: as before."""


class RetryPolicy:
    """The patience with one task: how many faults of each kind are borne."""

    def __init__(self, retries: int, longest_wait: float) -> None:
        self._retries = retries
        self._longest_wait = longest_wait
        self._retried = 0
        self._shortened = 0

    def step(self, fault: Fault, manner: RetryOptions, *, answered: bool, chance: float) -> Step:
        """Say what to do after a fault.

        Args:
            fault: What happened.
            manner: How was asked.
            answered: Whether this model has ever given a usable answer: then the request is at fault, not it.
            chance: From 0 to 1, spreads requests that were refused together.

        Raises:
            ModelUnavailable: nothing helps but a person.
            ReplyUnusable: nothing helps for this task.
        """
        if fault.way == "final":
            raise ModelUnavailable(fault.message)
        if fault.way == "refused":
            raise ReplyUnusable(fault.message)
        if fault.way == "shorten":
            return self._shorter(fault)
        if fault.way == "retry":
            return self._again(fault, manner, answered=answered, chance=chance)
        plainer = manner.plainer(fault.culprit or "format")
        if plainer is None:
            raise _verdict(fault, in_request=answered)
        return Step(manner=plainer)

    def _again(self, fault: Fault, manner: RetryOptions, *, answered: bool, chance: float) -> Step:
        if fault.wait is not None and fault.wait > self._longest_wait:
            raise ModelUnavailable(f"{fault.message}; it asks to wait {fault.wait:.0f} s: resume after that")
        # A server that was never there is more likely misspelt than overloaded.
        doubtful = not answered and fault.about == "server"
        if self._retried >= (min(self._retries, 2) if doubtful else self._retries):
            # Some servers break on what they do not know, instead of refusing it.
            plainer = None if answered else manner.plainer("format")
            if plainer is None or not fault.broken:
                raise _verdict(fault, in_request=answered and fault.broken)
            return Step(manner=plainer)
        self._retried += 1
        if fault.wait is not None:
            return Step(wait=min(fault.wait * (1 + chance / 10), self._longest_wait))
        return Step(wait=min(0.5 * 2 ** (self._retried - 1) * (0.75 + chance / 2), self._longest_wait))

    def _shorter(self, fault: Fault) -> Step:
        self._shortened += 1
        if self._shortened > 3:
            raise ReplyUnusable(fault.message)
        # The server's figure is believed once; if that is still too long, its tokens are not ours.
        return Step(window=fault.window if fault.window and self._shortened == 1 else 0)


def _verdict(fault: Fault, *, in_request: bool) -> ModelError:
    return ReplyUnusable(fault.message) if in_request else ModelUnavailable(fault.message)
