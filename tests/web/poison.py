"""A session in whose journal every text that anybody shows is hostile: for the page and for the terminal."""

import asyncio
import json
import sqlite3
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from roundtable.journal.events import event_adapter
from roundtable.session.factory import Runtime
from roundtable.web.hosting.session_commands import perform
from roundtable.web.schemas import NewSession
from tests.web.hosting.watched import WatchedManager

MARKUP = (
    "</script><script>window.broken=1</script><img src=x onerror=window.broken=1><svg onload=window.broken=1>"
    "[x](javascript:window.broken=1)<base href=http://evil.example>"
)
ESCAPES = "\x1b]0;owned\x07\x1b[2J\x1b[31m\x9b31m\x1bP+q\x1b\\\u202eright\x08\x7f"
POISON = f" {MARKUP}{ESCAPES}"
_STRUCTURE = {
    "kind", "op", "id", "ids", "node", "parent", "passage", "passages", "citations", "slug", "do", "act",
    "state", "at", "by", "to", "span", "sha256", "key", "prompt_hash", "mark", "support", "how", "place",
    "loop", "root", "language", "version", "settings", "docs", "search", "out", "citation_style", "shown",
    "admitted", "mode",
    "into", "retrieved", "touched", "level", "vectors", "sides", "left",
}  # fmt: skip
_ROLES = {"expert", "moderator", "person"}
_SPEAKERS = ("moderator", "person", "writer", "map")


def poisoned(value: Any, key: str = "", slugs: frozenset[str] = frozenset()) -> Any:
    """Return a value with the poison behind each text in it that is nothing but text."""
    if isinstance(value, dict):
        return {name: v if name in _STRUCTURE else poisoned(v, name, slugs) for name, v in value.items()}
    if isinstance(value, list):
        return [poisoned(item, key, slugs) for item in value]
    if not isinstance(value, str) or value in _ROLES or (key == "speaker" and value in slugs):
        return value
    return value + POISON


def poison(home: Path, identity: str) -> int:
    """Poison a session in its journal; return how many of its events hold poison now."""
    database = sqlite3.connect(home / "journal.db")
    rows = database.execute("SELECT n, event FROM events WHERE session = ?", (identity,)).fetchall()
    events = [(number, json.loads(text)) for number, text in rows]
    panels = [p["slug"] for _, event in events if event["kind"] == "panel_seated" for p in event["panel"]]
    slugs, count = frozenset([*panels, *_SPEAKERS]), 0
    for number, event in events:
        changed = json.dumps(poisoned(event, slugs=slugs))
        try:
            event_adapter.validate_json(changed)
        except ValidationError:
            continue
        count += changed != json.dumps(event)
        where = (changed, identity, number)
        database.execute("UPDATE events SET event = ? WHERE session = ? AND n = ?", where)
    database.execute("UPDATE sessions SET topic = topic || ? WHERE id = ?", (POISON, identity))
    database.commit()
    database.close()
    return count


async def hostile_session(home: Path, documents: Path) -> str:
    """Hold a session on hostile documents, say hostile things in it, poison its journal; return its id."""
    for path in sorted(documents.iterdir()):  # noqa: ASYNC240 - nothing else runs yet
        title, _, text = path.read_text(encoding="utf-8").partition("\n\n")
        head = json.dumps(f"{title[2:]}{MARKUP}")
        path.write_text(
            f"---\nurl: {json.dumps(f'javascript:window.broken=1//{path.stem}')}\ntitle: {head}\n---\n"
            f"{text.strip()} Cities flood, {MARKUP} says this paper.\n", encoding="utf-8",
        )  # fmt: skip
    manager = WatchedManager(Runtime(home=home, environment={}))
    flags = {"topic": "Why do cities flood?", "docs": [str(documents)], "offline": True, "turns": 4}
    identity = await manager.begin(NewSession.model_validate(flags))
    await perform(manager, identity, "say", {"text": f"Floods {MARKUP}"})
    async with asyncio.timeout(300):
        while manager.row(identity).state != "ended" or identity in manager.running_here():
            await manager.news(identity, 0.2)
    await perform(manager, identity, "map_add", {"parent": "n0", "title": f"Mine {MARKUP}"})
    await perform(manager, identity, "steer", {"text": f"Stay {MARKUP}"})
    await manager.close()
    assert poison(home, identity) > 30
    return identity
