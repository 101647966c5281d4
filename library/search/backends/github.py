"""GitHub: public repositories by name, description and readme. Without a key, ten searches a minute."""

from functools import partial
from typing import Any

from library.search.backends.http_backend import Interface, InterfaceCollection, Query, day_of, with_query
from library.search.interface import Hit

_LONGEST = 200
"""Characters; it refuses queries of more than 256."""
_OPERATORS = 5
"""It refuses more than these in one query."""


def _asks(query: Query) -> list[str]:
    words = query.words
    forms = [" ".join(words)]
    if len(words) > 2:
        # It looks for all words, which long queries ask too much of.
        forms.append(" OR ".join(words[: _OPERATORS + 1]))
    bounds = (query.scope.first, query.scope.last)
    dated = f" pushed:{bounds[0] or '*'}..{bounds[1] or '*'}" if query.scope.dated else ""
    return [
        with_query(
            f"{query.address}/search/repositories",
            q=f"{form[:_LONGEST]} in:name,description,topics,readme{dated}",
            per_page=min(query.limit, 100),
        )
        for form in forms
    ]


def _reads(answer: Any, query: Query) -> list[Hit]:  # noqa: ARG001
    return [
        Hit(
            url=repository["html_url"],
            title=repository["full_name"],
            snippet=repository.get("description") or "",
            published=day_of(repository.get("pushed_at")),
        )
        for repository in answer["items"]
    ]


GITHUB = Interface(
    name="github",
    description="GitHub: public repositories of programs, with what their readmes say.",
    address="https://api.github.com",
    asks=_asks,
    reads=_reads,
    kind="code",
    pause=6.0,
)
open_backend = partial(InterfaceCollection, GITHUB)
