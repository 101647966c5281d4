"""What a person can set about a server of the Model Context Protocol that experts search by."""

from collections.abc import Mapping
from typing import Annotated, Any, Self

from pydantic import Field, StringConstraints, model_validator

from models import Given

ServerName = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_-]{0,39}$")]
"""As after `--search`: small letters, digits, `-` and `_`."""


class McpServer(Given):
    """A server, and which of its tools may be used; nothing else of it is."""

    command: tuple[str, ...] = ()
    """The program to start and its arguments; it is spoken to on its standard input and output."""
    url: str = ""
    """Instead of a command: where it is asked over streamable HTTP."""
    environment: tuple[str, ...] = ()
    """Names of the variables that the program is given, beside PATH, HOME and the like. No other key is."""
    token: str = ""
    """Of a url: the name of the variable whose value is sent as a bearer token; empty for none."""
    search: str = Field(min_length=1)
    """The tool that searches."""
    argument: str = ""
    """Which of its arguments takes the words; empty: the only text that it must be given."""
    arguments: Mapping[str, Any] = Field(default_factory=dict)
    """What else it is given each time: `{limit = 10}`."""
    read: str = ""
    """The tool that reads what a search found, by its id or address. Empty: web addresses are fetched as any
    page, others are read as resources of the server, and a text without any is a source as it came."""
    read_argument: str = ""
    """Which of its arguments takes the id; empty: the only text that it must be given."""
    description: str = ""
    """What is to be found there, in one line: experts choose by it where to search. What the server says of
    itself is not shown to them."""
    private: bool = True
    """Whether its texts are the person's own: words that stand in them alone are not sent elsewhere."""
    local: bool = False
    """Your word that it sends nothing on: it is searched with `offline` too, and in any words."""
    seconds: float = Field(30.0, ge=1, le=600)
    """For one answer, the start of the program included."""
    megabytes: float = Field(5.0, gt=0, le=100)
    """The most that it may send until it has answered."""

    @model_validator(mode="after")
    def _is_one_or_the_other(self) -> Self:
        if bool(self.command) == bool(self.url):
            raise ValueError("give either a command or a url")
        if (self.token and not self.url) or (self.environment and self.url):
            raise ValueError("a command is given variables by `environment`, a url a `token`")
        return self
