"""Zotero on this machine: its local interface (version 7 and later) is read, its connector takes items.

The interface answers on loopback alone, and only while Zotero runs and allows it (Settings, Advanced: "Allow
other applications on this computer to communicate with Zotero"). https://www.zotero.org/support/dev/web_api/v3
"""

import contextlib
import json
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote, urlsplit

import httpx2

from library.errors import LibraryError
from library.evidence import Work
from library.readers.text_files.plain_text import seen_json
from library.references.reference import CollectedReference
from models.client import address_host, is_loopback

ADDRESS = "http://127.0.0.1:23119"
_PAGE = 100
_MOST = 20_000
_SECONDS = 30.0
_LARGEST = 100_000_000
_KINDS = {
    "journalArticle": "article-journal", "conferencePaper": "paper-conference", "book": "book",
    "bookSection": "chapter", "report": "report", "thesis": "thesis", "preprint": "article",
    "dataset": "dataset", "webpage": "webpage", "newspaperArticle": "article-newspaper",
    "magazineArticle": "article-magazine",
}  # fmt: skip
_ALL = "*"


def zotero_references(collection: str, address: str = ADDRESS) -> list[CollectedReference]:
    """Return what a collection of Zotero holds: its items with their abstracts, notes and files.

    Args:
        collection: Its name or key; `*` for the whole library.
        address: Where Zotero answers; on this machine.

    Raises:
        LibraryError: Zotero cannot be asked, or has no such collection; the message says what to do.
    """
    with _client(address) as client:
        where = "items"
        if collection != _ALL:
            found = _all(client, "collections")
            names = {str(one["data"].get("name")): str(one["key"]) for one in found}
            key = names.get(collection) or (collection if collection in names.values() else "")
            if not key:
                there = ", ".join(sorted(names)[:30]) or "none"
                raise LibraryError(f"Zotero has no collection {collection!r}; there are: {there}")
            where = f"collections/{quote(str(key))}/items"
        items = {str(item["key"]): item for item in _all(client, where)}
        parents = {str(item["data"].get("parentItem")) for item in items.values()}
        for item in list(items.values()):
            if _table(item.get("meta")).get("numChildren") and str(item["key"]) not in parents:
                children = _all(client, f"items/{quote(str(item['key']))}/children")
                items |= {str(child["key"]): child for child in children}
        return _references(client, items)


def send_to_zotero(ris: bytes, address: str = ADDRESS) -> int:
    """Have Zotero take references into the collection that is selected there; return how many it took.

    Raises LibraryError when it cannot be asked, or takes none.
    """
    with _client(address) as client:
        headers = {"Content-Type": "application/x-research-info-systems"}
        answer = _asked(client, "/connector/import", ris, headers)
        try:
            taken = json.loads(answer)
        except (ValueError, RecursionError):
            taken = None
    if not isinstance(taken, list) or not taken:
        raise LibraryError("Zotero took no references")
    return len(taken)


def _client(address: str) -> httpx2.Client:
    if not is_loopback(address_host(address)):
        raise LibraryError(f"Zotero is asked on this machine alone, not at {address}")
    headers = {"Zotero-API-Version": "3", "X-Zotero-Connector-API-Version": "3"}
    return httpx2.Client(base_url=address, headers=headers, timeout=_SECONDS, trust_env=False)


def _all(client: httpx2.Client, what: str) -> list[dict[str, Any]]:
    """Return all pages of a list."""
    found: list[dict[str, Any]] = []
    while len(found) < _MOST:
        try:
            page = seen_json(_asked(client, f"/api/users/0/{what}?limit={_PAGE}&start={len(found)}"))
        except (ValueError, RecursionError):
            page = None
        if not isinstance(page, list) or not all(map(_is_item, page)):
            raise LibraryError("Zotero answered something else than items")
        found += page
        if len(page) < _PAGE:
            break
    return found


def _is_item(value: object) -> bool:
    return isinstance(value, dict) and "key" in value and isinstance(value.get("data"), dict)


def _table(value: object) -> Mapping[str, Any]:
    """Return an object of JSON; an empty one for any other value."""
    return value if isinstance(value, dict) else {}


def _tables(value: object) -> list[Mapping[str, Any]]:
    """Return the objects of a list of JSON; none for any other value."""
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _asked(
    client: httpx2.Client, path: str, body: bytes | None = None, headers: Mapping[str, str] | None = None
) -> bytes:
    try:
        method = "GET" if body is None else "POST"
        with client.stream(method, path, content=body, headers=headers) as answer:
            data = b""
            for part in answer.iter_bytes():
                data += part
                if len(data) > _LARGEST:
                    raise LibraryError("Zotero answered with more than can be read")
            if answer.status_code == 403:
                raise LibraryError(
                    "Zotero does not let other programs ask: allow it in its settings, under Advanced"
                )
            if answer.status_code >= 300:
                raise LibraryError(f"Zotero answered with status {answer.status_code} to {path[:80]}")
            return data
    except httpx2.HTTPError as error:
        raise LibraryError(
            f"Zotero does not answer at {client.base_url}: start it, or export the collection as RIS "
            f"({error})"
        ) from error


def _references(client: httpx2.Client, items: Mapping[str, dict[str, Any]]) -> list[CollectedReference]:
    found = []
    below: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for other in items.values():
        below[str(other["data"].get("parentItem"))].append({**other["data"], "links": other.get("links")})
    for key, item in items.items():
        data = item["data"]
        if data.get("itemType") in ("note", "attachment", "annotation"):
            continue
        children = below.get(key, [])
        notes = [str(child.get("note") or "") for child in children if child.get("itemType") == "note"]
        files = [
            file
            for child in children
            if child.get("itemType") == "attachment" and (file := _file(client, child)) is not None
        ]
        reference = CollectedReference(
            key=key, work=_work(data, _table(item.get("meta"))), url=str(data.get("url") or ""),
            abstract=str(data.get("abstractNote") or ""), notes=tuple(notes),
            tags=tuple(str(tag.get("tag")) for tag in _tables(data.get("tags"))), files=tuple(files),
        )  # fmt: skip
        found.append(reference)
    return found


def _work(data: Mapping[str, Any], meta: Mapping[str, Any]) -> Work:
    people = [maker for maker in _tables(data.get("creators")) if maker.get("creatorType") == "author"]
    names = [
        str(maker.get("name") or f"{maker.get('firstName', '')} {maker.get('lastName', '')}")
        for maker in people
    ]
    venues = ("publicationTitle", "proceedingsTitle", "bookTitle", "websiteTitle", "publisher", "institution")
    return Work(
        authors=tuple(name.strip() for name in names),
        venue=next((str(data[name]) for name in venues if data.get(name)), ""),
        doi=str(data.get("DOI") or ""),
        kind=_KINDS.get(str(data.get("itemType")), ""),
        title=str(data.get("title") or ""),
        issued=str(meta.get("parsedDate") or "")[:10],
    )


def _file(client: httpx2.Client, attachment: Mapping[str, Any]) -> Path | None:
    """Return where an attached file lies; None for a link to the web, or one that was never fetched."""
    if attachment.get("linkMode") == "linked_url":
        return None
    href = str(_table(_table(attachment.get("links")).get("enclosure")).get("href") or "")
    if not href.startswith("file:"):
        with contextlib.suppress(LibraryError):  # it has no file on this machine
            key = quote(str(attachment.get("key")))
            href = _asked(client, f"/api/users/0/items/{key}/file/view/url").decode("utf-8", "replace")
    try:
        parts = urlsplit(href.strip())
    except ValueError:
        return None
    return Path(unquote(parts.path)) if parts.scheme == "file" else None
