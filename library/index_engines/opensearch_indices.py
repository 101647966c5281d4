"""The indices of a collection in OpenSearch: their fields, where they lie, and how faults are told."""

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import SplitResult, urlsplit

from library.errors import EngineError
from models import install_command
from models.client import is_loopback

if TYPE_CHECKING:
    from opensearchpy import OpenSearch

_LONGEST = 300
"""Characters of what a server says of a fault."""
_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,199}")
_SECONDS = 60
USER, PASSWORD = "OPENSEARCH_USERNAME", "OPENSEARCH_PASSWORD"


def address_of(place: str) -> tuple[str, str]:
    """Return where a server is and what indices there are called: `https://host:9200/team/notes`.

    Raises:
        EngineError: that is no address of a server with a name behind it; the message says what one is.
    """
    told = _parts(place)
    if told is None:
        shown = place.rpartition("@")[2]  # of a name and password before it nothing is told
        raise EngineError(
            f"{shown or 'opensearch'}: say where it is kept, as --at https://search.example.org:9200/NAME;"
            f" who may is said by {USER} and {PASSWORD} in the environment"
        )
    name = "-".join(part for part in told.path.split("/") if part).lower()
    if not _NAME.fullmatch(name):
        raise EngineError(
            f"{place}: indices cannot be called {name!r}; end the address with a name of Latin letters,"
            " figures, - and _"
        )
    return f"{told.scheme}://{told.netloc}", name


def _parts(place: str) -> SplitResult | None:
    """Return the parts of a server's address without a name, a password or a query; None: it is none."""
    try:
        told = urlsplit(place)
        host = told.hostname if told.port != 0 else None
    except ValueError:
        return None  # half an address of IPv6, or no port
    return told if host and told.scheme in ("http", "https") and "@" not in place and not told.query else None


def connect(place: str, environment: Mapping[str, str] = os.environ) -> "tuple[OpenSearch, str]":
    """Return a server's client, and what the indices of a collection there are called.

    Args:
        place: As `address_of` takes it.
        environment: Holds the name and password, and in `SSL_CERT_FILE` whom to trust besides the usual.

    Raises:
        EngineError: the client is not installed, the address is none, or a password would go in the clear.
    """
    server, name = address_of(place)
    try:
        from opensearchpy import OpenSearch
    except ImportError as error:
        raise EngineError(
            f"{place}: the client of OpenSearch is not installed; {install_command('opensearch')}"
        ) from error
    user, password = environment.get(USER, ""), environment.get(PASSWORD, "")
    if user and server.startswith("http:") and not is_loopback(urlsplit(server).hostname or ""):
        raise EngineError(f"{place}: over http {PASSWORD} could be read on its way; use https")
    with faults(place):
        client = OpenSearch(
            hosts=[server], http_auth=(user, password) if user else None, timeout=_SECONDS,
            ca_certs=environment.get("SSL_CERT_FILE") or None, max_retries=1,
        )  # fmt: skip
    return client, name


TEXT_FIELDS: Mapping[str, Any] = {
    "sha256": {"type": "keyword"},
    "source": {"type": "keyword", "index": False, "doc_values": False},
}
PASSAGE_FIELDS: Mapping[str, Any] = {
    "sha256": {"type": "keyword"},
    "start": {"type": "integer"},
    "end": {"type": "integer", "index": False},
    # Our own terms, cut at spaces alone: both sides stem and part words alike.
    "terms": {"type": "text", "analyzer": "whitespace"},
    "length": {"type": "integer"},
    "page_length": {"type": "integer", "index": False},
}


def vector_fields(dimensions: int) -> Mapping[str, Any]:
    """Return the fields of the index of vectors."""
    method = {"name": "hnsw", "space_type": "cosinesimil", "engine": "lucene"}
    return {
        "sha256": {"type": "keyword"},
        "start": {"type": "integer"},
        "vector": {"type": "knn_vector", "dimension": dimensions, "method": method},
    }


@contextmanager
def faults(place: str) -> Iterator[None]:
    """Tell whatever goes wrong in OpenSearch, or in what it answers, as an EngineError in one line."""
    from opensearchpy.exceptions import OpenSearchException, TransportError

    try:
        yield
    except TransportError as error:
        raise EngineError(f"{place}: OpenSearch: {_said(error)}") from error
    except (OpenSearchException, ValueError, OSError) as error:
        raise EngineError(f"{place}: OpenSearch: {' '.join(str(error).split())[:_LONGEST]}") from error
    except (KeyError, TypeError, AttributeError, IndexError) as error:
        raise EngineError(
            f"{place}: what answers there is no OpenSearch that this program understands ({error!r:.80})"
        ) from error


def _said(error: Any) -> str:
    """Return what a server said of a fault: its reason, else what kept it from answering."""
    info: Any = getattr(error, "info", None)
    told = info.get("error") if isinstance(info, dict) else None
    reason = told.get("reason") if isinstance(told, dict) else told
    if error.status_code in (401, 403):
        return f"it lets nobody in with {USER} and {PASSWORD} as they are ({error.status_code})"
    if not isinstance(error.status_code, int):
        return f"it does not answer ({' '.join(str(info or error).split())[:_LONGEST]})"
    return f"{' '.join(str(reason or error.error).split())[:_LONGEST]} ({error.status_code})"
