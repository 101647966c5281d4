"""A server of notes, made with the protocol's own SDK: run as a program, or served over HTTP.

It tells what it was started with: its environment stands in the note `environment`.
"""

import json
import os
import sys
from typing import Any

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError

NOTES = {
    "12": (
        "Heat pumps in the cold",
        (
            "An air source heat pump keeps a coefficient of performance above 2 down to minus 15 degrees "
            "Celsius. Below that, the heat pump of the trial in Asterby switched to its electric heater on "
            "nine days of the winter."
        ),
    ),
    "a b/ü": (
        "Old boilers",
        "The gas boiler of the house used 21,000 kilowatt hours a year before the heat pump came in 2023.",
    ),
}


def server() -> MCPServer[Any]:
    """Return the server."""
    notes: MCPServer[Any] = MCPServer("notes", log_level="CRITICAL")

    @notes.tool()
    def search_notes(query: str, limit: int = 10) -> dict[str, Any]:
        """Search the notes."""
        asked = [word.casefold() for word in query.split()]
        found = [
            {"id": key, "title": title, "snippet": text[:60]}
            for key, (title, text) in NOTES.items()
            if any(word in text.casefold() for word in asked)
        ]
        return {"results": found[:limit]}

    @notes.tool()
    def fetch_note(id: str) -> dict[str, str]:  # noqa: A002
        """Read a note."""
        if id == "environment":
            return {"id": id, "title": "Environment", "text": json.dumps(dict(os.environ))}
        if id not in NOTES:
            raise ToolError(f"there is no note {id}")
        title, text = NOTES[id]
        return {"id": id, "title": title, "text": text, "url": "https://nature.example/12"}

    @notes.tool()
    def note_text(id: str) -> str:  # noqa: A002
        """Read a note's text alone."""
        return NOTES[id][1]

    @notes.tool()
    def search_text(query: str) -> str:
        """Search the notes, and return their texts."""
        return "\n\n".join(f"# {title}\n\n{text}" for title, text in NOTES.values())

    @notes.tool()
    def two_texts(subject: str, place: str) -> str:
        """Take two texts."""
        return f"{subject} at {place}"

    @notes.tool()
    def delete_everything() -> str:
        """Never to be called."""
        raise SystemExit("everything is deleted")

    return notes


if __name__ == "__main__":
    if sys.argv[1:]:
        server().run("streamable-http", port=int(sys.argv[1]))
    else:
        server().run("stdio")
