"""What a browser or a script may ask for, as it arrives: checked before anything is done."""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from library.search import SourceKind
from models import Given

Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=4000)]
Short = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=400)]
_Limit = Annotated[float, Field(strict=True, gt=0, allow_inf_nan=False)]


class NewSession(Given):
    """A new session."""

    topic: Text
    docs: list[Short] = Field(default_factory=list, max_length=50)
    """Folders and files of the machine that the server runs on, and names of collections."""
    search: list[Short] = Field(default_factory=list, max_length=20)
    """Places outside; empty: the web where no `docs` are given, unless `offline`."""
    offline: bool = False
    site: list[Short] = Field(default_factory=list, max_length=50)
    """Hosts (or `host/path`) whose pages alone may be used; empty: all."""
    not_site: list[Short] = Field(default_factory=list, max_length=50)
    """Hosts whose pages are not used."""
    since: Short | None = None
    """Earliest date of publication: `2024`, `2024-05`, `2024-05-17`."""
    until: Short | None = None
    """Latest date of publication."""
    kind: list[SourceKind] = Field(default_factory=list, max_length=5)
    """Kinds of sources that may be used; empty: all."""
    model: Short | None = None
    """As after `--model`; None: a configured key's model, else the embedded one."""
    depth: Literal["quick", "standard", "deep"] | None = None
    """How much a language model is shown, and how far the session goes; None: as configured."""
    turns: int | None = Field(default=None, ge=1, le=500)
    experts: int | None = Field(default=None, ge=1, le=8)
    budget: dict[Literal["tokens", "money", "requests", "searches", "pages", "seconds"], _Limit] = Field(
        default_factory=dict
    )
    """What may be spent: as after `--budget`."""
    language: Short | None = None
    base_url: Short | None = None
    """Address of an OpenAI-compatible or Ollama server."""
    roles: dict[Short, Short] = Field(default_factory=dict, max_length=10)
    """Other models for some roles: planner, expert, moderator, writer, judge."""
    style: Short | None = None
    """Of the report: article, brief, outline or faq."""
    words: int | None = Field(default=None, ge=100, le=40_000)
    """Of the report, where a language model writes it."""
    outline: Annotated[str, StringConstraints(max_length=40_000)] = ""
    """An outline in Markdown that the map begins with and the table asks about first."""
    follows: Short | None = None
    """Id of a session that this one goes on from: its map, its report, its texts; and where it searched, if
    nothing is named."""
    wait: bool = False
    """The table waits for the person after each round, and before the first."""
    plan: bool = False
    """Make the plan and stand still, so that it can be looked at and changed."""

    def flags(self) -> dict[str, object]:
        """Return it as the command line's flags are given."""
        given = self.model_dump(exclude={"plan", "wait", "outline", "follows"})
        return {name: tuple(value) if isinstance(value, list) else value for name, value in given.items()}


class ReportOrder(Given):
    """A report to be written again; what is None is as the session's settings say."""

    style: Short | None = None
    words: int | None = Field(default=None, ge=100, le=40_000)
    language: Short | None = None
    audience: Short | None = None
    outline: Annotated[str, StringConstraints(max_length=40_000)] = ""
    """Headings with the nodes that each is written from, as `GET …/outline` gives them; empty: its own."""

    def settings(self) -> dict[str, object]:
        """Return what is named of the report's settings."""
        return self.model_dump(exclude={"outline"}, exclude_none=True)


class SessionName(Given):
    """What a session is called in lists."""

    name: Short


class CollectionDescription(Given):
    """What a collection holds, in a person's words."""

    description: Short


class SiteRequest(Given):
    """A site that becomes a collection."""

    address: Annotated[str, StringConstraints(strip_whitespace=True, max_length=2_000)]
    """Of its first page."""
    depth: int | None = Field(default=None, ge=0, le=20)
    """Links that are followed from there; None: as settings say, or as was said last."""
    pages: int | None = Field(default=None, ge=1, le=100_000)
    """The most pages that are asked for; None likewise."""


class ForkRequest(Given):
    """Another session that begins as one did."""

    turn: int = Field(ge=0, le=100_000)
    """After which turn; 0: before the first."""


class ShareRequest(Given):
    """With whom something is shared from now on; what is None stays as it is."""

    team: Literal["", "reader", "editor"] | None = None
    """What everybody with an account may do; empty: nothing, it is private but for people."""
    person: Short | None = None
    """The name of an account."""
    role: Literal["", "reader", "editor"] = ""
    """What that person may do; empty: nothing any more."""


class WatchRequest(Given):
    """A session that is brought up to date by itself."""

    every: str = Field(default="", max_length=10)
    """How often: `12h`, `1d`, `2w`; empty: no longer."""
