"""What a browser or a script may ask for, as it arrives: checked before anything is done."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=4000)]
Short = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=400)]


class NewSession(BaseModel):
    """A new session."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    topic: Text
    docs: list[Short] = Field(default_factory=list, max_length=50)
    """Folders and files of the machine that the server runs on, and names of collections."""
    search: list[Short] = Field(default_factory=list, max_length=20)
    """Places outside; empty: the web, unless `offline`."""
    offline: bool = False
    model: Short | None = None
    """As after `--model`; None: a configured key's model, else the embedded one."""
    depth: Literal["quick", "standard", "deep"] | None = None
    """How much a language model is shown, and how far the session goes; None: as configured."""
    turns: int | None = Field(default=None, ge=1, le=500)
    experts: int | None = Field(default=None, ge=1, le=8)
    language: Short | None = None
    plan: bool = False
    """Make the plan and stand still, so that it can be looked at and changed."""

    def flags(self) -> dict[str, object]:
        """Return it as the command line's flags are given."""
        return {**self.model_dump(exclude={"plan"}), "docs": tuple(self.docs), "search": tuple(self.search)}


class SessionName(BaseModel):
    """What a session is called in lists."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: Short


class ForkRequest(BaseModel):
    """Another session that begins as one did."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    turn: int = Field(ge=0, le=100_000)
    """After which turn; 0: before the first."""
