"""Open copies of papers whose own page is closed, by Unpaywall.

Asked for one DOI at a time, and only where the person gave an e-mail address (`fetch.contact`): it wants
one with each request. https://unpaywall.org/products/api
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote

from library.errors import FetchError
from library.search.backends.http_backend import with_query
from library.search.search_settings import SearchSettings
from library.web.fetcher import Fetcher
from library.web.media_types import JSON

NAME = "unpaywall"
"""As in `search.addresses`."""
_ADDRESS = "https://api.unpaywall.org"
_MOST = 3


async def open_copies(doi: str, fetcher: Fetcher, settings: SearchSettings) -> list[str]:
    """Return where a work can be read freely, the best first; empty where nobody knows or none may be asked.

    Raises FetchError when the service fails, or answers something else.
    """
    contact = fetcher.settings.contact
    if not doi or "@" not in contact:
        return []
    address = settings.addresses.get(NAME, _ADDRESS).rstrip("/")
    url = with_query(f"{address}/v2/{quote(doi, safe='/')}", email=contact)
    try:
        answer = json.loads((await fetcher.fetch(url, accept=JSON, interface=True)).data)
    except FetchError as error:  # the url holds the person's address, which is nobody's business
        raise FetchError(f"{NAME} failed: {str(error).partition(': http')[0]}") from error
    except (ValueError, RecursionError) as error:
        raise FetchError(f"{NAME} answered something else than where copies are") from error
    return list(dict.fromkeys(_places(answer)))[:_MOST]


def _places(answer: Any) -> Iterator[str]:
    if not isinstance(answer, Mapping):
        return
    others = answer.get("oa_locations")
    for place in (answer.get("best_oa_location"), *(others if isinstance(others, list) else ())):
        if isinstance(place, Mapping):
            urls = (place.get("url_for_pdf"), place.get("url"), place.get("url_for_landing_page"))
            yield from (url for url in urls if isinstance(url, str) and url)
