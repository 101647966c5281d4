"""What leaves this machine with a session, told before it begins."""

from typing import Any
from urllib.parse import urlsplit

from models import Models
from roundtable.config.config import Settings


def outgoing(settings: Settings, models: Models | None) -> dict[str, Any]:
    """Return what a session would send to whom.

    Returns:
        `model`, the models' names; `hosts`, the servers on other machines that are sent what is discussed and
        what was read of it; `places`, those that are sent words to search by; `guarded`, whether these are
        only words that are public anyway; `documents`, whether documents of this machine are read.
    """

    def local(name: str) -> bool:
        return name in settings.mcp and settings.mcp[name].local

    asked = [model.endpoint for model in models.language_models] if models else []
    hosts = [urlsplit(place.address.server).hostname or "" for place in asked if not place.loopback]
    return {
        "model": ", ".join(models.names) if models else "",
        "hosts": list(dict.fromkeys(hosts)),
        "places": [] if settings.offline else [name for name in settings.search if not local(name)],
        "guarded": settings.privacy.queries == "public",
        "documents": bool(settings.docs),
    }
