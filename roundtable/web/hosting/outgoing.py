"""What leaves this machine with a session, told before it begins."""

import os
from typing import Any
from urllib.parse import urlsplit

from models import LanguageModel, Models, ModelUnavailable, seeing_model
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
    seeing = _seeing(settings)
    if seeing is not None:
        asked.append(seeing.endpoint)
    names = [*(models.names if models else []), *([seeing.name] if seeing else [])]
    hosts = [urlsplit(place.address.server).hostname or "" for place in asked if not place.loopback]
    return {
        "model": ", ".join(dict.fromkeys(names)),
        "hosts": list(dict.fromkeys(hosts)),
        "places": [] if settings.offline else [name for name in settings.search if not local(name)],
        "guarded": settings.privacy.queries == "public",
        "documents": bool(settings.docs),
    }


def _seeing(settings: Settings) -> LanguageModel | None:
    """Return the model that is sent pictures; None where none is, or none can be: then no session begins."""
    try:
        return seeing_model(settings.models, os.environ, loopback_only=settings.offline)
    except ModelUnavailable:
        return None
