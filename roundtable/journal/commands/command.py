"""The base of a person's commands: a name, how it is typed, and its arguments."""

from typing import Annotated, Any, ClassVar, Self

from pydantic import AfterValidator, Field, ValidationError

from models import Frozen
from roundtable.config.errors import InputError, wrong_value

_LONGEST = 4000


def _one_line(text: str) -> str:
    words = " ".join(text.split())
    if not words:
        raise ValueError("give some words")
    return words


Words = Annotated[str, Field(max_length=_LONGEST), AfterValidator(_one_line)]
"""Some words, in one line; never empty."""

FewWords = Annotated[str, Field(max_length=_LONGEST), AfterValidator(lambda text: " ".join(text.split()))]
"""The same, or none: empty."""


class CommandError(InputError, ValueError):
    """A command cannot be understood or done; the message says in one line what is wrong."""


class Command(Frozen):
    """The base of all commands."""

    name: ClassVar[str]
    """As it is typed after the slash."""
    usage: ClassVar[str]
    """How it is typed, without the slash."""
    help: ClassVar[str]
    """One line."""
    at_boundary: ClassVar[bool] = False
    """Whether it is carried out between two turns; the others are at once."""

    @classmethod
    def of(cls, **arguments: Any) -> Self:
        """Return the command with arguments. Raises CommandError with one clear line."""
        try:
            return cls(**arguments)
        except ValidationError as failure:
            raise CommandError(f"/{cls.name}: {problem(failure)}; write: /{cls.usage}") from failure

    @classmethod
    def typed(cls, rest: str) -> Self:
        """Read what was typed after the name: a word for each argument, the remainder for the last."""
        names = [name for name in cls.model_fields if name != "do"]
        words = rest.split(maxsplit=len(names) - 1) if names else []
        if not names and rest.strip():
            raise CommandError(f"/{cls.name} takes nothing more; write: /{cls.usage}")
        return cls.of(**dict(zip(names, words, strict=False)))


def problem(failure: ValidationError) -> str:
    """Return in one line what is wrong with a command's arguments."""
    error = failure.errors(include_url=False)[0]
    where = ".".join(str(part) for part in error["loc"] if part != "function-after")
    message = "is missing" if error["type"] == "missing" else wrong_value(error)
    return " ".join(f"{where}: {message}".removeprefix(": ").split())
