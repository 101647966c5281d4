"""What a person can set about the library."""

from pydantic import Field

from library.compute.monty import ComputeSettings
from library.index_engines.engine_settings import EngineSettings
from library.readers.read_settings import ReadSettings
from library.search.embeddings import EmbeddingSettings
from library.search.rerank import RerankSettings
from library.search.search_settings import SearchSettings
from library.search.trust_list import TrustList
from library.sites.crawl_settings import CrawlSettings
from library.web.fetch_settings import FetchSettings
from models import Given


class LibrarySettings(Given):
    """Fetching, reading and searching."""

    fetch: FetchSettings = Field(default_factory=FetchSettings)
    """How pages are fetched, and which may be."""
    read: ReadSettings = Field(default_factory=ReadSettings)
    """Bounds on what is read."""
    search: SearchSettings = Field(default_factory=SearchSettings)
    """How the network is searched."""
    crawl: CrawlSettings = Field(default_factory=CrawlSettings)
    """How far a site is read that becomes a collection."""
    trust: TrustList = Field(default_factory=TrustList)
    """What you think of sources; what stands in `trust.toml` beside your sessions is added to it."""
    rerank: RerankSettings = Field(default_factory=RerankSettings)
    """A service that ranks passages; off unless its url is set."""
    embeddings: EmbeddingSettings = Field(default_factory=EmbeddingSettings)
    """A service that turns passages and queries into vectors, so that collections that an engine indexes are
    searched by meaning too; off unless its model is set."""
    engines: EngineSettings = Field(default_factory=EngineSettings)
    """How engines that index collections are reached."""
    compute: ComputeSettings = Field(default_factory=ComputeSettings)
    """Bounds of a computation."""
