"""What a new session can be given on this machine."""

import os
from pathlib import Path
from typing import Any

from library import TextStatistics
from library.search.backends import names
from models import ModelUnavailable, choose_model
from roundtable.config.config import load_settings
from roundtable.config.errors import ConfigError
from roundtable.config.search_places import collections


def choices(home: Path) -> dict[str, Any]:
    """Return the collections, the places outside, and what a session would be if nothing else is said."""
    try:
        settings = load_settings()
        line = choose_model(settings.models, os.environ, TextStatistics(), loopback_only=False).text("here")
        turns: int | None = settings.moderator.turns
        depth: str = settings.depth
    except (ConfigError, ModelUnavailable) as failure:
        line, turns, depth = str(failure), None, ""
    return {
        "collections": collections(home),
        "places": sorted(names()),
        "model": line,
        "turns": turns,
        "depth": depth,
    }
