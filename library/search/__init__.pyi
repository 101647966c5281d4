from .embeddings import Embedder as Embedder
from .embeddings import EmbeddingSettings as EmbeddingSettings
from .embeddings import key_of as key_of
from .embeddings import unpacked as unpacked
from .local_collection import LocalCollection as LocalCollection
from .rerank import KEY as KEY
from .rerank import Reranker as Reranker
from .search_cache import KeptHits as KeptHits
