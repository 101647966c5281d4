"""How models are chosen and asked. Keys are never settings: they come from the environment alone."""

from pathlib import Path
from typing import Literal

from pydantic import Field

from models.event import Given
from models.task import Role

ToolUse = Literal["auto", "always", "never"]


class Price(Given):
    """What a model's tokens cost."""

    prompt: float = Field(ge=0)
    """US dollars for a million tokens of prompt."""
    completion: float = Field(ge=0)
    """US dollars for a million tokens of reply."""


class ModelSettings(Given):
    """Which models are asked, and with how much patience."""

    model: str | None = None
    """`embedded`, `openai:NAME`, `anthropic:NAME` or `ollama:NAME`; None: a key's model, else `embedded`."""
    base_url: str | None = None
    """Address of an OpenAI-compatible (often ending in `/v1`) or Ollama server; None: the provider's."""
    roles: dict[Role, str] = Field(default_factory=dict)
    """Other models for some roles (`planner`, `expert`, `moderator`, `writer`, `judge`), like `model`."""
    vision: str | None = None
    """A model that sees, like `model`: scanned pages and pictures are read by it; None: they are not read."""
    fallback: str | None = None
    """A model to go on with when the first cannot be had; None: the session stops and can be resumed."""
    temperature: float | None = Field(default=None, ge=0, le=2)
    """0 to 2; None: the model's own default. Left out for models that refuse it."""
    timeout: float = Field(default=120, gt=0)
    """Seconds for one request, from sending it to having all of its reply."""
    total_timeout: float = Field(default=300, gt=0)
    """Seconds for one task, with all its requests and the waiting between them."""
    retries: int = Field(default=4, ge=0, le=20)
    """Times that a task is sent again after a fault that may pass (429, 5xx, timeouts, broken replies)."""
    longest_wait: float = Field(default=60, ge=0)
    """Seconds: a server that asks to wait longer (Retry-After) counts as not to be had."""
    max_output_tokens: int = Field(default=4096, ge=16)
    """Tokens of one reply, thinking included; doubled once when a reply is cut off."""
    context_window: int | None = Field(default=None, ge=512)
    """Tokens that the model takes, prompt and reply together; None: as known, else learnt from the server."""
    longest_prompt: int | None = Field(default=None, ge=512)
    """Tokens of any prompt, estimated high; longer ones are cut evenly. None: as `agents.context`,
    or `agents.closing_context` where that is more."""
    concurrency: int = Field(default=8, ge=1, le=256)
    """Requests in flight at one time to one server, from all sessions of a process together; on a
    shared database, of all processes."""
    tools: ToolUse = "auto"
    """Whether experts act, note and answer by calling tools: `always`, `never`, or (`auto`) where a model is
    known to call tools and takes no JSON schema. A server that refuses tools is asked for JSON."""
    cache: Literal["auto", "on", "off"] = "auto"
    """Whether replies are kept on disk for the same question in a later session: `on`, `off`, or (`auto`)
    only at a temperature of 0, where a model gives the same reply each time."""
    cache_days: float = Field(default=30, gt=0)
    """For how long a reply is good. Days."""
    cache_megabytes: float = Field(default=100, gt=0)
    """The most that is kept; what was not used for longest goes first."""
    prices: dict[str, Price] = Field(default_factory=dict)
    """Prices by model as named above (`openai:gpt-5-mini`); they win over the ones known."""
    prompts: Path | None = None
    """A folder whose `PACKAGE/NAME.md` files are used instead of the prompts that come with the program."""
