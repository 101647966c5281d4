"""What a tool returned, as items: records with an id, an address or a text; links to resources; plain texts.

Servers answer in many shapes: structured content, the same as JSON in a text, resource links, embedded
resources, or text alone. All is data. Nothing here follows an address or reads a file.
"""

import base64
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from library.readers.text_files.plain_text import seen_json
from library.search.backends.hit_bounds import LONGEST_TITLE
from library.search.backends.http_backend import day_of, plain
from library.web.url_policy import LONGEST_URL

if TYPE_CHECKING:
    from mcp_types import CallToolResult, ReadResourceResult

_URL = ("url", "link", "uri", "href")
_TITLE = ("title", "name")
_TEXT = ("text", "content", "markdown", "body", "snippet", "abstract", "description", "summary")
_DAY = ("published", "date", "published_date", "publishedDate", "updated", "created")
_MOST = 100
"""Items of one answer that are looked at."""


@dataclass(frozen=True, slots=True)
class ToolItem:
    """One thing that a tool returned."""

    key: str = ""
    """Its id; else its address; empty for a text alone."""
    address: str = ""
    """As the server gives it: of the web, or a resource of its own."""
    title: str = ""
    text: str = ""
    """All that came of it: a whole document, or some words of it."""
    data: bytes = b""
    """Instead of a text: a file."""
    media_type: str = "text/markdown"
    published: str | None = None
    embedded: bool = False
    """Whether all of it came along, so that nothing is to be read at its address."""

    @property
    def on_the_web(self) -> bool:
        """Whether its address may be fetched as any page."""
        return self.address.startswith(("http://", "https://"))


def items_of(result: "CallToolResult | ReadResourceResult") -> list[ToolItem]:
    """Return what a tool or a resource gave, in order. Raises ValueError for a file that is not base64."""
    if hasattr(result, "contents"):
        return [_resource(content) for content in result.contents[:_MOST]]
    structured = list(_records(result.structured_content))
    if structured:  # its texts say the same once more, for who cannot read it
        return structured[:_MOST]
    return [item for block in result.content[:_MOST] for item in _block(block)][:_MOST]


def _block(block: Any) -> Iterator[ToolItem]:
    match block.type:
        case "text":
            records = list(_records(_json(block.text)))
            yield from records or [ToolItem(text=block.text)]
        case "resource_link":
            uri = str(block.uri)
            yield ToolItem(
                uri, uri, plain(block.title or block.name)[:LONGEST_TITLE], block.description or ""
            )
        case "resource":
            yield _resource(block.resource)
        case _:
            pass  # pictures and sound: nothing to be cited word for word


def _resource(content: Any) -> ToolItem:
    uri, media_type = str(content.uri), content.mime_type or ""
    if (blob := getattr(content, "blob", None)) is None:
        return ToolItem(uri, uri, text=content.text, media_type=media_type or "text/plain", embedded=True)
    try:
        data = base64.b64decode(blob, validate=True)
    except ValueError as error:
        raise ValueError(f"the file {uri[:100]} is not base64") from error
    return ToolItem(uri, uri, data=data, media_type=media_type, embedded=True)


def _json(text: str) -> Any:
    if not text.lstrip().startswith(("{", "[")):
        return None
    try:
        return seen_json(text)
    except (ValueError, RecursionError):
        return None


def _records(value: Any) -> Iterator[ToolItem]:
    """Yield the records of a value: itself, or of the first list of records that it holds."""
    if isinstance(value, Mapping):
        lists = [inner for inner in value.values() if _is_table(inner)]
        if lists and not _first(value, _TEXT):
            value = lists[0]
        elif isinstance(inner := value.get("result"), Mapping):
            value = [inner]
        else:
            value = [value]
    if not _is_table(value):
        return
    for record in value[:_MOST]:
        address = plain(_first(record, _URL))[: LONGEST_URL + 1]
        key = plain(_first(record, ("id",)))[: LONGEST_URL + 1] or address
        text = _first(record, _TEXT)
        if key or (text and len(record) > 1):
            said = record.get("metadata")
            day = _first(record, _DAY) or (_first(said, _DAY) if isinstance(said, Mapping) else "")
            yield ToolItem(
                key, address, plain(_first(record, _TITLE))[:LONGEST_TITLE], text, published=day_of(day)
            )


def _is_table(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(each, Mapping) for each in value)


def _first(record: Mapping[str, Any], names: Sequence[str]) -> str:
    """Return the first of the named fields that says something in words or as a number."""
    found = (record.get(name) for name in names)
    return next((str(value) for value in found if isinstance(value, str | int) and str(value).strip()), "")
