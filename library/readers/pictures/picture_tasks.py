"""Pictures to text, by a model that sees: scanned pages, photographs of pages, figures."""

import asyncio
from collections.abc import Mapping
from typing import ClassVar

from pydantic import BaseModel

from library.errors import ReadError
from library.readers.text_files.plain_text import seen
from models import Model, ModelError, Reply, Role, Statistics, Task, TaskOutput


class PictureText(TaskOutput):
    """What a picture says."""

    text: str
    """Word for word; tables row by row, figures in sentences. Empty for a picture that says nothing."""


class ReadPicture(Task[PictureText]):
    """Write down what a picture says."""

    name: ClassVar[str] = "read_picture"
    package: ClassVar[str] = "library"
    role: ClassVar[Role] = "judge"
    output: ClassVar[type[BaseModel]] = PictureText

    picture: str
    """A PNG file in base64."""

    def fields(self) -> Mapping[str, str]:
        """Return nothing: the picture goes beside the prompt."""
        return {}

    @property
    def pictures(self) -> tuple[str, ...]:
        """The picture."""
        return (self.picture,)

    def extract(self, statistics: Statistics) -> PictureText:  # noqa: ARG002
        """Return no text: without a model that sees nothing is known of a picture."""
        return PictureText(text="")


class PictureReader:
    """Has pictures read, from any thread but that of its event loop."""

    def __init__(self, model: Model, loop: asyncio.AbstractEventLoop, most: int) -> None:
        """Take the model that sees.

        Args:
            model: It is asked.
            loop: Where it is asked; whoever reads must not hold it up.
            most: Pictures that may be read in all.
        """
        self._model = model
        self._loop = loop
        self._most = most
        self._count = 0
        self.replies: list[Reply[PictureText]] = []
        """What each cost, in the order in which they were read."""

    @property
    def name(self) -> str:
        """The model's name."""
        return self._model.name

    def read(self, picture: str) -> str:
        """Return what a picture says, a PNG in base64; '' where it says nothing. Raises ReadError."""
        self._count += 1
        if self._count > self._most:
            raise ReadError(
                f"more than {self._most} pictures and pages without text are to be read by {self.name}: raise"
                " library.read.pictures"
            )
        asked = asyncio.run_coroutine_threadsafe(self._model.ask(ReadPicture(picture=picture)), self._loop)
        try:
            reply = asked.result()
        except ModelError as error:
            raise ReadError(f"it is a picture, and {error}") from error
        self.replies.append(reply)
        return seen(reply.output.text).strip()
