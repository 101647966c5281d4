"""What a person can set about the library."""

from pydantic import BaseModel, ConfigDict, Field

from library.backends.settings import SearchSettings
from library.fetch_settings import FetchSettings
from library.reader_settings import ReadSettings
from library.rerank import RerankSettings
from library.sandbox import ComputeSettings


class LibrarySettings(BaseModel):
    """Fetching, reading and searching."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    fetch: FetchSettings = Field(default_factory=FetchSettings)
    """How pages are fetched, and which may be."""
    read: ReadSettings = Field(default_factory=ReadSettings)
    """Bounds on what is read."""
    search: SearchSettings = Field(default_factory=SearchSettings)
    """How the network is searched."""
    rerank: RerankSettings = Field(default_factory=RerankSettings)
    """A service that ranks passages; off unless its url is set."""
    compute: ComputeSettings = Field(default_factory=ComputeSettings)
    """Bounds of a computation."""
