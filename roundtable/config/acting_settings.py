"""Settings that a session acts with on this machine, and those that only set the course of a discussion.

What comes from somebody else (a file of topics, a journal) may set the course. Programs that are started,
servers that are asked and sent keys, hosts that are opened, files and prices are for whoever runs it to say.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

_COURSE = (
    "depth", "language", "docs", "search", "offline", "moderator", "mindmap", "agents", "reports",
    "library.search.scope", "library.search.language", "library.read.own_notes", "library.read.names_unread",
    "models.temperature", "models.max_output_tokens",
)  # fmt: skip
"""Rooms and settings that name no server, program, file or price, and no model: with a key in the environment
one would be paid for and be told what the documents say."""
_NOT_COURSE = ("agents.seats", "agents.allow_providers", "mindmap.embeddings")
"""Of these rooms what does."""
_REACHING = (
    "mcp", "models.base_url", "models.prompts", "privacy", "agents.seats", "agents.allow_providers",
    "mindmap.embeddings", "library.fetch.allow", "library.fetch.ports", "library.fetch.proxy",
    "library.search.addresses", "library.search.web_proxy", "library.search.web_certificates",
    "library.rerank", "library.embeddings", "library.engines", "library.compute.docker",
    "library.read.follow_links",
)  # fmt: skip
"""What starts programs, names servers, opens hosts, or has files read."""


def sets_the_course(name: str) -> bool:
    """Tell whether a setting (`moderator.turns`) sets the course of a discussion and nothing else."""
    return within(name, _COURSE) and not within(name, _NOT_COURSE)


def reaching_out(brought: Mapping[str, Any], here: Mapping[str, Any]) -> list[str]:
    """Return the settings of a session by which it would reach what the person's own do not, by name.

    Args:
        brought: The settings that it was begun with.
        here: Those in force here.
    """
    own = dict(leaves(here))
    nothing: tuple[object, ...] = (None, "", [], {})
    found = ((name, value) for name, value in leaves(brought) if within(name, _REACHING))
    return [name for name, value in found if value not in nothing and own.get(name) != value]


def within(name: str, rooms: Sequence[str]) -> bool:
    """Tell whether a setting is one of some, or in one of some rooms, by dotted names."""
    return any(f"{name}.".startswith(f"{room}.") for room in rooms)


def leaves(values: Any, before: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the dotted name of each single setting among nested ones, with its value."""
    tables = [(before, iter(values.items()))] if isinstance(values, Mapping) else []
    while tables:  # a stack: a stranger's may be nested deeper than calls may be
        above, table = tables[-1]
        for name, value in table:
            if isinstance(value, Mapping) and value:
                tables.append((f"{above}{name}.", iter(value.items())))
                break
            yield f"{above}{name}", value
        else:
            tables.pop()
