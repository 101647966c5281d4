"""What a speaker sees of the session: a protocol that the session's state implements."""

from collections.abc import Sequence
from typing import Protocol

from agents.turn import Perspective, Turn
from library import Evidence
from mindmap import MindMap


class SessionView(Protocol):
    """A read-only view of the table as it stands now."""

    @property
    def topic(self) -> str:
        """What the table talks about."""

    @property
    def language(self) -> str:
        """Code of the language to speak, such as `en` or `zh`."""

    @property
    def directions(self) -> Sequence[str]:
        """What a person wants kept to, the newest last."""

    @property
    def turns(self) -> Sequence[Turn]:
        """What was said, in order."""

    @property
    def panel(self) -> Sequence[Perspective]:
        """The experts at the table now."""

    @property
    def evidence(self) -> Evidence:
        """What was admitted."""

    @property
    def map(self) -> MindMap:
        """The mind map."""
