"""Wikipedia, in the language of the query, through the MediaWiki action API."""

from functools import partial
from typing import Any
from urllib.parse import quote

from library.search.backends.http_backend import Interface, InterfaceCollection, Query, with_query
from library.search.interface import Hit


def _asks(query: Query) -> list[str]:
    texts = [query.text]
    if len(query.words) > 2:
        texts.append(" OR ".join(query.words))  # it looks for all words, which long queries ask too much of
    return [
        with_query(
            f"{query.address}/w/api.php",
            action="query",
            list="search",
            srsearch=text,
            srlimit=min(query.limit, 50),
            srprop="snippet",
            format="json",
            formatversion=2,
            utf8=1,
        )
        for text in texts
    ]


def _reads(answer: Any, query: Query) -> list[Hit]:
    if "error" in answer:
        raise ValueError(answer["error"].get("info", "an error"))
    return [
        Hit(
            url=f"{query.address}/wiki/{quote(page['title'].replace(' ', '_'), safe='/():,')}",
            title=page["title"],
            snippet=page.get("snippet", ""),
        )
        for page in answer["query"]["search"]
    ]


WIKIPEDIA = Interface(
    name="wikipedia",
    description="Wikipedia: encyclopedic articles on nearly everything, in the language of the query.",
    address="https://{language}.wikipedia.org",
    asks=_asks,
    reads=_reads,
    kind="encyclopedia",
)
open_backend = partial(InterfaceCollection, WIKIPEDIA)
