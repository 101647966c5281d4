"""The mind map's settings."""

from typing import Any

from pydantic import Field, field_validator

from library.search import EmbeddingSettings
from models import Given


class MapSettings(Given):
    """How the map is placed into and how it grows."""

    threshold: float = Field(default=0.08, ge=0, le=1)
    """Score (0 to 1) below which the embedded model puts a passage into "Unsorted"."""
    candidates: int = Field(default=5, ge=1, le=20)
    """How many nodes a model may choose from for each passage."""
    notes: int = Field(default=10, ge=2)
    """A node that holds this many notes is split."""
    passages: int = Field(default=12, ge=2)
    """A node that holds this many passages is split."""
    children: int = Field(default=9, ge=2, le=30)
    """The most children that the table gives a node; a person may make more."""
    depth: int = Field(default=5, ge=1, le=10)
    """The most levels below the root that the table makes."""
    context: int = Field(default=1200, ge=0)
    """The longest text, in characters, that shows the map in a prompt."""
    embeddings: EmbeddingSettings = Field(default_factory=EmbeddingSettings)
    """A service whose dense vectors join in placing; a name (`openai:text-embedding-3-small`) will do."""

    @field_validator("embeddings", mode="before")
    @classmethod
    def _named(cls, value: Any) -> Any:
        return {"model": value} if isinstance(value, str) else value
