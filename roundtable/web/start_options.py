"""What a new session can be given on this machine."""

import os
from typing import Any, get_args

from library import TextStatistics
from library.search import KEYED, has_key
from library.search.backends import names
from models import ROLES, Budget, ModelUnavailable, choose_model
from roundtable.config.config import Settings, load_settings
from roundtable.config.errors import ConfigError


def choices() -> dict[str, Any]:
    """Return the places outside, the choices of a report, and what a session is if nothing else is said."""
    try:
        settings = load_settings()
        line = choose_model(settings.models, os.environ, TextStatistics(), loopback_only=False).text("here")
    except (ConfigError, ModelUnavailable) as failure:
        settings, line = Settings(), str(failure)
    budget = settings.moderator.budget.model_dump(exclude={"reserve"}, exclude_none=True)
    return {
        "places": sorted([*names(), *(name for name in KEYED if has_key(name, os.environ))]),
        "model": line,
        "turns": settings.moderator.turns,
        "experts": settings.agents.experts,
        "depth": settings.depth,
        "style": settings.reports.style,
        "styles": list(get_args(type(settings.reports).model_fields["style"].annotation)),
        "words": settings.reports.words,
        "roles": list(ROLES),
        "budgets": [name for name in Budget.model_fields if name != "reserve"],
        "budget": budget,
    }
